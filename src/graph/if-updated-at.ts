import type { ArgBuilder, InputFieldBuilder } from './builder.ts';
import { invalidInput } from '../errors.ts';
import type { UpstreamRecord } from '../formats/decode.ts';
import type { IfUnchanged } from '../calls/requests.ts';
import { asNode, type NodeType } from './node.ts';

/** Describes the argument: what it does, and what it cannot see. */
const description =
  'Changes the record only if its `updatedAt` is still this instant: `updatedAt` as you have read it. The record is read first, ' +
  'by a call of its own; when it has changed the result is a `ConflictError` with the record as it is, and nothing is written. ' +
  'Writes with `ifUpdatedAt` of one record take turns. Two changes within one second are not told apart where times have ' +
  'seconds. A write past the gateway, or without `ifUpdatedAt`, between the read and the change is not seen.';

const config = { type: 'DateTime', description } as const;

/** The argument of an update of one record. */
export const ifUpdatedAtArgument = (arg: ArgBuilder) => arg(config);

/** The field of an item of a bulk update. */
export const ifUpdatedAtField = (t: InputFieldBuilder) => t.field(config);

/**
 * Reads the argument.
 *
 * @param type that of the record
 * @param complete adds to the record what its type needs besides what upstream sends
 * @returns undefined when it is left out
 * @throws ValidationError for null: a record without a time cannot be compared, and would be overwritten
 */
export function ifUnchanged(
  updatedAt: string | null | undefined,
  type: Pick<NodeType, 'name'>,
  complete: (current: UpstreamRecord) => object = (current) => current,
): IfUnchanged | undefined {
  if (updatedAt === undefined) return undefined;
  if (updatedAt !== null) return { updatedAt, shown: (current) => asNode(complete(current), type) };
  throw invalidInput('ifUpdatedAt', 'cannot be null; leave it out to change the record whenever it was changed last');
}
