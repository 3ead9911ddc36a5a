import { UnreadResultError } from '../errors.ts';

/** The key of the fields that were sent. No response can have it, and copies of the record keep it. */
const SENT = Symbol('sent');

/** A record of any API. That of a write has the fields that were sent, too. */
export interface IdentifiedRecord {
  readonly id: string;
  readonly [SENT]?: object;
}

/**
 * Creates the record of a write that upstream carried out without returning the record. It has its id and the fields
 * that were sent; its other keys are missing, and are read when a GraphQL field selects them.
 *
 * @param id undefined when upstream did not tell the id of a new record: reading the property `id` then throws an
 *   `UnreadResultError`
 * @param sent the fields by upstream's names
 */
export function writtenRecord(id: string | undefined, sent: object): IdentifiedRecord {
  const written = { [SENT]: sent };
  if (id !== undefined) return Object.assign(written, { id });
  return {
    ...written,
    get id(): string {
      throw new UnreadResultError('the response does not tell the id of the record.');
    },
  };
}

/** Adds the fields that were sent to a record that a write returned, which may lack some of them. */
export function withSentFields<Written extends IdentifiedRecord>(record: Written, sent: object): Written {
  return Object.assign(record, { [SENT]: sent });
}

/** The fields that were sent in the write that returned this record. Undefined for a record of a read. */
export function sentFields(written: IdentifiedRecord): object | undefined {
  return written[SENT];
}
