import type { ArgBuilder } from './builder.ts';
import { invalidInput, ValidationError } from '../errors.ts';
import { wireId } from '../formats/decode.ts';

/** Builds a global id such as `Client:42`: readable, and unique in the graph. */
export function globalId(typename: string, id: string | number | bigint): string {
  return `${typename}:${id}`;
}

/** Splits a global id. Null for any other text: no upstream id begins with a type's name and a colon. */
export function parseGlobalId(id: string): { typename: string; id: string } | null {
  const { typename, rest } = /^(?<typename>[A-Z]\w*):(?<rest>.+)$/s.exec(id)?.groups ?? {};
  return typename === undefined || rest === undefined ? null : { typename, id: rest };
}

/**
 * Returns the upstream id of an argument that takes a global id or an upstream id.
 *
 * @param field the path of the argument, for errors
 * @throws ValidationError for a global id of another type, and for one whose type is written in other letters
 */
export function upstreamId(id: string, typename: string, field = 'id'): string {
  const parsed = parseGlobalId(id);
  if (!parsed) return isMisspelt(id, typename) ? misspelt(typename, field) : id;
  if (parsed.typename === typename) return parsed.id;
  throw new ValidationError(`Expected an id of the type ${typename}, got one of ${parsed.typename}.`, {
    [field]: [`is of the type ${parsed.typename}`],
  });
}

/** Whether a text begins with the name of a type in other letters, such as `client:42`. */
function isMisspelt(id: string, typename: string): boolean {
  return id.slice(0, typename.length + 1).toLowerCase() === `${typename.toLowerCase()}:`;
}

function misspelt(typename: string, field: string): never {
  throw invalidInput(field, `is no id: expected one such as ${typename}:42, or 42 alone`);
}

/**
 * Returns the upstream id of a referenced record.
 *
 * @param field the path of the argument, for errors
 * @param typename the GraphQL type of the record; undefined when the graph has no such type, and the record no global id
 * @throws ValidationError for a global id of another type, or of any type when `typename` is undefined
 */
export function referredId(id: string, field: string, typename?: string): string {
  if (typename !== undefined) return upstreamId(id, typename, field);
  const parsed = parseGlobalId(id);
  if (!parsed) return id;
  throw new ValidationError(`Expected an upstream id, got a global one of the type ${parsed.typename}.`, {
    [field]: [`is of the type ${parsed.typename}`],
  });
}

type IdInput = string | null | undefined;

/**
 * The id of another record as an API takes it. Null clears the reference; undefined is not sent.
 *
 * @param id upstream id, or global id when `typename` is given
 * @param path the path of the field in the input
 * @param typename the GraphQL type of the other record, if it has one
 * @throws ValidationError for an empty id, and for a global id of another type
 */
export function referenceId(id: IdInput, path: string, typename?: string): string | number | null | undefined {
  if (id === null || id === undefined) return id;
  if (id.trim() === '') throw invalidInput(path, 'is empty: null clears it');
  return wireId(referredId(id, path, typename));
}

/** Describes an argument that names one record. */
export const idDescription = 'Global id or upstream id.';

/** The `id` argument of every field that names one record. */
export const idArgument = (arg: ArgBuilder) => arg.id({ required: true, description: idDescription });
