import { type GraphQLField, type GraphQLNamedType, isScalarType } from 'graphql';
import { LONG_TEXT } from '../../graph/field-rules.ts';

/**
 * The costs of values that are larger than most: about 1 for 256 bytes, the size of an object of an answer. Those of the
 * sandbox are smaller, so they are what an account in use has: a mail as the content of a post 1 kB, a note or a description
 * 0.2 kB, a long text of a record 0.5 kB, a record 1 kB, the definition of 50 fields 2 kB. They are constants: an operation
 * that is answered today is not refused tomorrow. A value that is far larger is bounded by the bytes of the answer.
 *
 * @see docs/decisions/0033-the-cost-of-an-operation.md
 */
const KB = 4;
const NOTE = 1;

/** By the scalar, for fields that the table below does not have. */
const byScalar: ReadonlyMap<string, number> = new Map([
  ['JSON', KB],
  ['JSONObject', KB],
]);

/** A value that costs a call of its own, as an object does. */
const CALL = 1;

/** By type and field. A test holds the schema to it: each field of long texts is here. */
const valueCosts: ReadonlyMap<string, number> = new Map([
  ['Client.description', NOTE],
  ['Client.note', NOTE],
  ['Client.raw', 4 * KB],
  ['Client.sensitiveData', NOTE],
  ...Array.from({ length: 10 }, (_, index): [string, number] => [`ClientCustomFields.text${index + 1}`, NOTE]),
  ['ClientCustomFieldEntry.value', NOTE],
  ['Contact.description', NOTE],
  ['Deal.description', NOTE],
  ['Post.abstract', NOTE],
  ['Post.answer', KB],
  ['Post.content', KB],
  ['Post.raw', 2 * KB],
  ['Post.response', KB],
  ['Post.titleNote', NOTE],
  ['PostHelp.content', KB],
  ['PostSpam.report', NOTE],
  ['ForumPost.content', KB],
  ['ForumComment.text', KB],
  ['ForumUser.description', NOTE],
  ['FlexDb.schema', 2 * KB],
  ['FlexDb.publicMethodsRaw', KB],
  ['FlexDbPlan.schema', 2 * KB],
  ['FlexDbPlan.publicMethodsRaw', KB],
  ['FlexPublicMethod.defaultValues', NOTE],
  ['FlexRecord.data', KB],
  ['PublicFlexRecord.data', KB],
  ['TileConfig.raw', NOTE],
  ...['account', 'flex', 'crm', 'forum'].map((api): [string, number] => [`Credentials.${api}`, CALL]),
]);

/** The cost of a value: 0 for the small ones. */
export function valueCost(
  parent: GraphQLNamedType,
  field: GraphQLField<unknown, unknown>,
  type: GraphQLNamedType,
): number {
  const listed = valueCosts.get(`${parent.name}.${field.name}`);
  if (listed !== undefined) return listed;
  if (field.extensions[LONG_TEXT] === true) return KB / 2;
  return isScalarType(type) ? (byScalar.get(type.name) ?? 0) : 0;
}
