import { parseGlobalId, upstreamId } from '../graphql/ids.ts';
import { invalidInput, ValidationError } from '../http/errors.ts';

/** What names a record: it is found within its database only. */
export interface RecordKey {
  /** The database's id, never its code: that can change. */
  readonly db: string;
  readonly id: string;
}

/** `<database id>:<record id>`, the part of a record's global id behind its type. */
export function keyText({ db, id }: RecordKey): string {
  return `${db}:${id}`;
}

/**
 * The record that an argument names: `FlexRecord:<database id>:<record id>`, or that without the type.
 *
 * @throws ValidationError for anything else
 */
export function recordKeyOf(id: string): RecordKey {
  const [, db, record] = /^([^:]+):(.+)$/s.exec(upstreamId(id, 'FlexRecord')) ?? [];
  if (db !== undefined && record !== undefined) return { db, id: record };
  throw invalidInput('id', 'takes the global id of a record: FlexRecord:<database id>:<record id>');
}

/**
 * The record of a known database that an argument names: its global id, or its id there.
 *
 * @throws ValidationError for the global id of a record of another database
 */
export function recordIdIn(db: string, id: string): string {
  if (!parseGlobalId(id)) return id;
  const key = recordKeyOf(id);
  if (key.db === db) return key.id;
  throw new ValidationError('The record is one of another database.', {
    id: ['is the id of a record of another database'],
  });
}
