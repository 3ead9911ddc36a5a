import type { Staleness } from '../../calls/cache/staleness.ts';

/**
 * A definition decides how records are read, and what a database shows of its records is not documented. So databases and
 * their records are one subject. It is that of all databases: an address has an id or a code, which are not compared here.
 */
export const flexStaleness = {
  reads: {
    'GET /flex/dbs.json': ['databases'],
    'GET /flex/dbs/:id.json': ['databases'],
    'GET /flex/dbs/:db_id/records.json': ['databases'],
    'GET /flex/dbs/:db_id/search.json': ['databases'],
    // They know no caller, and may show each browser its own records.
    'POST /flex/db/:db_code/list': null,
    'POST /flex/db/:db_code/get': null,
    'POST /flex/db/:db_code/search': null,
  },
  writes: {
    'POST /flex/dbs.json': ['databases'],
    'PATCH /flex/dbs/:id.json': ['databases'],
    'DELETE /flex/dbs/:id.json': ['databases'],
    'PATCH /flex/dbs/:id/replace.json': ['databases'],
    'POST /flex/dbs/:db_id/records.json': ['databases'],
    'PATCH /flex/dbs/:db_id/records/:id.json': ['databases'],
    'DELETE /flex/dbs/:db_id/records/:id.json': ['databases'],
    'POST /flex/db/:db_code/create': ['databases'],
    'POST /flex/db/:db_code/update': ['databases'],
    'POST /flex/db/:db_code/delete': ['databases'],
  },
} satisfies Staleness;
