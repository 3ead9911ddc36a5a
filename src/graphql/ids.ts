import { ValidationError } from '../http/errors.ts';

/** `Client:42`: readable, and unique in the graph. */
export function globalId(typename: string, id: string | number | bigint): string {
  return `${typename}:${id}`;
}

/** The parts of a global id, or null for a text that is none. No API has ids that begin with a type's name and a colon. */
export function parseGlobalId(id: string): { typename: string; id: string } | null {
  const { typename, rest } = /^(?<typename>[A-Z][A-Za-z]*):(?<rest>.+)$/s.exec(id)?.groups ?? {};
  return typename === undefined || rest === undefined ? null : { typename, id: rest };
}

/**
 * The upstream id behind an argument that takes either form.
 *
 * @param field the path of the argument
 * @throws ValidationError for a global id of another type
 */
export function upstreamId(id: string, typename: string, field = 'id'): string {
  const parsed = parseGlobalId(id);
  if (!parsed) return id;
  if (parsed.typename === typename) return parsed.id;
  throw new ValidationError(`Expected an id of the type ${typename}, got one of ${parsed.typename}.`, {
    [field]: [`is of the type ${parsed.typename}`],
  });
}

/**
 * The upstream id of another record. Where its type is none of the graph, it has no global id: one of any type is a mistake.
 *
 * @throws ValidationError for a global id of another type
 */
export function referredId(id: string, field: string, typename?: string): string {
  if (typename !== undefined) return upstreamId(id, typename, field);
  const parsed = parseGlobalId(id);
  if (!parsed) return id;
  throw new ValidationError(`Expected an upstream id, got a global one of the type ${parsed.typename}.`, {
    [field]: [`is of the type ${parsed.typename}`],
  });
}
