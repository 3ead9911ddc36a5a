import { z } from 'zod';
import { authenticate } from '../account/users.ts';
import { text, validateWrapped } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { empty, json, notFound } from '../responses.ts';
import type { Request, Router } from '../router.ts';
import { jsonObjectInput } from '../json-object.ts';
import { findDatabase, placeOf } from './stored-databases.ts';
import {
  deleteRecord,
  findRecord,
  insertRecord,
  listRecords,
  type Place,
  saveRecord,
  type StoredRecord,
} from './stored-records.ts';
import { findTableByName, validateData } from './validation.ts';

/**
 * Not documented (A82): the empty text is no table. An update that does not name one sends the record to the null
 * table.
 */
const tableName = text.nullish().transform((name) => name || null);

const creation = z.object({ table_name: tableName, data: jsonObjectInput });

/** Not documented (A79): `data` is replaced as a whole, and stays as it is when it is not sent. */
const change = z.object({ table_name: tableName, data: jsonObjectInput.optional() });

/** The endpoints of records. Not documented (A65): who may use them. It is whoever has a token of the account. */
export function records(router: Router, house: SandboxServices): void {
  const { store } = house;
  router
    .on('GET /flex/dbs/:db_id/records.json', (request) =>
      json(listRecords(store, databasePlace(house, request)).map(shown)),
    )
    .on('POST /flex/dbs/:db_id/records.json', (request) => {
      const target = databasePlace(house, request);
      const { table_name, data } = validateWrapped('record', creation, request.body);
      const kept = validateData(findTableByName(target.schema, table_name), data);
      return json(shown(insertRecord(store, target, { table_name, data: kept }, house.now())), 201); // Not documented (A9): the status
    })
    .on('PATCH /flex/dbs/:db_id/records/:id.json', (request) => {
      const target = databasePlace(house, request);
      const record = findOrThrow(house, target, request.params.id);
      const { table_name, data = record.data } = validateWrapped('record', change, request.body);
      const kept = validateData(findTableByName(target.schema, table_name), data);
      return json(shown(saveRecord(house, target, record, { table_name, data: kept })));
    })
    .on('DELETE /flex/dbs/:db_id/records/:id.json', (request) => {
      deleteRecord(store, findOrThrow(house, databasePlace(house, request), request.params.id));
      return empty(); // Not documented (A9): the status
    });
}

/** Finds the caller's database by the id or code in the path, or throws 404. */
function databasePlace(services: SandboxServices, request: Request<'db_id'>): Place {
  const database = findDatabase(services.store, authenticate(services, request), request.params.db_id);
  if (!database) throw notFound();
  return placeOf(database);
}

function findOrThrow({ store }: SandboxServices, target: Place, id: string): StoredRecord {
  const record = findRecord(store, target, id);
  if (!record) throw notFound();
  return record;
}

function shown({ id, table_name, data, created_at, updated_at }: StoredRecord) {
  return { id, table_name, data, created_at, updated_at };
}
