import type { JsonObject } from '../../formats/decode.ts';
import { idSegment, path, type Path, withQuery } from '../../calls/transport/path.ts';
import type { Kind } from './kinds.ts';

/** The rows of a list inside a record. */
export interface NestedRows {
  readonly rows: Fields;
  /** The key of such a record in the document: each row may have a wrapper of this name. */
  readonly recordKey?: string;
}

/** Records inside a record: one under its key, or the rows of a list. */
type Nested = { readonly record: Fields } | NestedRows;

/** The known keys of a record. The document or the sandbox names them. */
export type Fields = Readonly<Record<string, Kind | Nested>>;

/** The fields of a record type: each of its keys has a kind, so that none can be forgotten. */
export type FieldsOf<T> = { readonly [Key in keyof T]-?: Kind | Nested };

/** Ids and names that answers give to later reads, by what they are of. */
export type Ids = Readonly<Record<string, string>>;

/** A documented endpoint that reads, and the shape of its answer. */
export interface ContractRead {
  /** As the document writes it, and as reports name it: with a query where it is one of several reads of a path. */
  readonly endpoint: string;
  /** The record types of the path parameters, by parameter name: `{ id: 'client' }`. The ids come from earlier answers. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Checks a parameter of the path, by default as an id. @throws ValidationError for one that could lead to another endpoint */
  readonly segment?: (id: string) => string;
  /** Query parameters that the endpoint needs. */
  readonly query?: (ids: Ids) => Readonly<Record<string, string | undefined>>;
  /** Makes a path of another kind. @throws ValidationError as `segment` does */
  readonly path?: (ids: Ids) => Path;
  readonly fields: Fields;
  /** The key of such a record in the document: the answer may have a wrapper of this name. */
  readonly recordKey?: string;
  /** Whether the answer is a list of such records. */
  readonly isList?: boolean;
  /** Whether keys beside the fields are the account's own data, which are not counted. */
  readonly isOpen?: boolean;
  /** The name of the root element, in XML. */
  readonly root?: string;
  /** The ids that a row gives to later reads. Values that are no id are ignored. The first row that gives something counts. */
  readonly gives?: (row: JsonObject) => Readonly<Record<string, unknown>>;
}

/** The read of a list, and that of one of its records by its id. */
export function listAndRecord(
  [list, one]: readonly [list: string, one: string],
  recordKey: string,
  fields: Fields,
): [list: ContractRead, record: ContractRead] {
  return [
    { endpoint: list, fields, recordKey, isList: true, gives: ({ id }) => ({ [recordKey]: id }) },
    { endpoint: one, needs: { id: recordKey }, fields, recordKey },
  ];
}

/**
 * The path of a read, with the ids of earlier answers.
 *
 * @throws ValidationError for an id that could lead to another endpoint
 */
export function pathOf(
  { endpoint, needs = {}, segment = idSegment, query, path: ownPath }: ContractRead,
  ids: Ids,
): Path {
  if (ownPath) return ownPath(ids);
  const [template = '', given = ''] = endpoint.slice('GET '.length).split('?');
  const parameters: Record<string, string>[] = [];
  const literals = template.split(/:(\w+)/).filter((part, index) => {
    if (index % 2 === 1) parameters.push({ [part]: segment(ids[needs[part] ?? ''] ?? '') });
    return index % 2 === 0;
  });
  const target = path(Object.assign(literals, { raw: literals }), ...parameters);
  return withQuery(target, { ...Object.fromEntries(new URLSearchParams(given)), ...query?.(ids) });
}
