import type { RequestedRoute } from '../answers.ts';
import type { RecordKind } from '../json-answers.ts';

/** The fields of a request, and the id. Not documented (A198): which fields an answer has. */
const database: RecordKind = {
  wrapper: 'db',
  keys: ['id', 'name', 'code', 'app_id', 'schema', 'public_methods'],
  opaque: ['schema', 'public_methods'],
};

const record: RecordKind = {
  wrapper: 'record',
  keys: ['id', 'data', 'created_at', 'updated_at'],
  opaque: ['data'],
};

/** A found record has the fields of its data beside its own, so an unknown key would be read as one of them. */
const foundRecord: RecordKind = { keys: null };

/** The documented form of the flexible database service's answers. */
export const flexKinds: ReadonlyMap<string, RecordKind> = new Map<string, RecordKind>([
  ['/flex/dbs.json', database],
  ['/flex/dbs/:id.json', database],
  ['/flex/dbs/:id/replace.json', database],
  ['/flex/dbs/:db_id/records.json', record],
  ['/flex/dbs/:db_id/records/:id.json', record],
  ['/flex/dbs/:db_id/search.json', foundRecord],
  ['/flex/db/:db_code/list', record],
  ['/flex/db/:db_code/get', record],
  ['/flex/db/:db_code/create', record],
  ['/flex/db/:db_code/update', record],
  ['/flex/db/:db_code/delete', { keys: ['id'] }],
  ['/flex/db/:db_code/search', foundRecord],
]);

const publicReads: readonly string[] = ['/flex/db/:db_code/list', '/flex/db/:db_code/get', '/flex/db/:db_code/search'];

/** Whether a request writes. The method of a public call does not tell: GET and POST do the same. */
export function isFlexWrite({ method, path }: RequestedRoute): boolean {
  return path.startsWith('/flex/db/') ? !publicReads.includes(path) : method !== 'GET';
}
