import type { z } from 'zod';
import { validate } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import type { JsonObject } from '../json-object.ts';
import { databaseFields } from './databases.ts';
import { getDatabase, insertDatabase, placeOf, type StoredDatabase } from './stored-databases.ts';
import { insertRecord } from './stored-records.ts';
import { findTableByName, validateData } from './validation.ts';

/** A database as a request holds it. */
export type NewDatabase = z.input<typeof databaseFields>;

/**
 * Creates a database without a request, with the same validation.
 *
 * @param id a random one unless given
 */
export function createDatabaseFixture(
  services: SandboxServices,
  accountId: number,
  database: NewDatabase,
  id?: string,
): StoredDatabase {
  return insertDatabase(services, { accountId }, validate(databaseFields, database), id);
}

/** Creates records without a request, with the same validation. The last one is created now, the others `pauseMs` apart before it. */
export function createRecordFixtures(
  { store, now }: SandboxServices,
  databaseId: string,
  table_name: string | null,
  records: readonly JsonObject[],
  pauseMs = 0,
): string[] {
  const place = placeOf(getDatabase(store, databaseId));
  const table = findTableByName(place.schema, table_name);
  const last = now().getTime();
  return records.map((data, index) => {
    const time = new Date(last - (records.length - 1 - index) * pauseMs);
    return insertRecord(store, place, { table_name, data: validateData(table, data) }, time).id;
  });
}
