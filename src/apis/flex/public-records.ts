import { nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { parseGlobalId, upstreamId } from '../../graph/ids.ts';
import { ofOperation } from '../../graph/operation-state.ts';
import { asError, invalidInput, missingAsNull } from '../../errors.ts';
import { raw } from '../../formats/leaves.ts';
import { sentFields } from '../../calls/written-record.ts';
import { connectionOf } from '../../graph/lists/connections.ts';
import { fieldResolver, lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import type { PublicFlexSource } from './public-source.ts';
import { type FoundRecord, parseData } from './wire.ts';

/** A record of a public method, with the code of its database. */
export interface PublicRecord extends FoundRecord {
  readonly code: string;
}

type PublicKey = Pick<PublicRecord, 'code' | 'id'>;

/** Adds the code of the database to a record, without changing the record. */
export function withCode(code: string, record: FoundRecord): PublicRecord {
  return { ...record, code };
}

/** Formats `<code>:<record id>`, the global id of a record without its type. */
export function formatPublicKey({ code, id }: PublicKey): string {
  return `${code}:${id}`;
}

/**
 * Parses an argument that takes a record of the database with this code: its global id, or its id in the database.
 *
 * @returns the record's id in the database
 * @throws ValidationError for a global id of another type or another database
 */
export function publicRecordId(code: string, id: string): string {
  if (!parseGlobalId(id)) return id;
  const key = parsePublicKey(upstreamId(id, 'PublicFlexRecord'));
  if (key.code === code) return key.id;
  throw invalidInput('id', 'is the id of a record of another database');
}

function parsePublicKey(key: string) {
  const [, code, id] = /^([^:]+):(.+)$/s.exec(key) ?? [];
  if (code !== undefined && id !== undefined) return { code, id };
  throw invalidInput('id', 'takes the global id of a public record: PublicFlexRecord:<code>:<record id>');
}

/** Async, so that an invalid key rejects its own entry instead of the whole batch. */
async function recordByKey(key: string, publicFlex: PublicFlexSource): Promise<PublicRecord | null> {
  return readPublicRecord(parsePublicKey(key), publicFlex);
}

export const PublicFlexRecord = nodeRef<PublicRecord>(
  'PublicFlexRecord',
  (keys, { publicFlex }) =>
    Promise.all(keys.map(async (key) => recordByKey(key, publicFlex).catch((error: unknown) => asError(error)))),
  formatPublicKey,
);

/** The read of each written record of an operation: one call serves all its fields. */
class Rereads extends Map<PublicRecord, Promise<PublicRecord | null>> {}

const readAgain = lazyFieldResolver<PublicRecord>({
  byId: (record, context) => {
    const rereads = ofOperation(context, Rereads, Rereads);
    const reading = rereads.get(record) ?? readPublicRecord(record, context.publicFlex);
    rereads.set(record, reading);
    return reading;
  },
});

/** Reads a record. Null when it does not exist or the caller cannot see it. */
export async function readPublicRecord(
  { code, id }: PublicKey,
  publicFlex: PublicFlexSource,
): Promise<PublicRecord | null> {
  const record = await publicFlex.get(code, id).catch(missingAsNull);
  return record && withCode(code, record);
}

const readOnce = fieldResolver<PublicRecord>();

/** Resolves a key. Only a written record is read again: a database may allow to list its records, and not to get one. */
export function publicValue<V>(name: keyof PublicRecord, read: (value: unknown) => V) {
  const [again, once] = [readAgain(name, read), readOnce(name, read)];
  return (...resolved: Parameters<typeof again>) => (sentFields(resolved[0]) ? again(...resolved) : once(...resolved));
}

builder.objectType(PublicFlexRecord, {
  name: 'PublicFlexRecord',
  description:
    'A record as a public method returns it. Its global id is `PublicFlexRecord:<code>:<record id>`; a read by it calls ' +
    '`POST /flex/db/:db_code/get`.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id of the record in its database.' }),
    code: t.exposeString('code', { nullable: false, description: 'Code of the database.' }),
    data: t.field({
      type: 'JSONObject',
      description: 'Values of the record.',
      resolve: publicValue('data', parseData),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the creation.',
      resolve: publicValue('created_at', raw),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time of the last change.',
      resolve: publicValue('updated_at', raw),
    }),
  }),
});

export const PublicFlexRecordConnection = connectionOf(
  'PublicFlexRecord',
  PublicFlexRecord,
  'Records of a public method. There is no total: upstream does not count records. A cursor is a position in the order: ' +
    'when a record before it is added or deleted, a row appears twice or is left out.',
);
