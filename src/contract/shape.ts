import type { JsonObject } from '../http/formats/decode.ts';
import type { Path } from '../http/transport/path.ts';
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
  /** As the document writes it, and as reports name it. */
  readonly endpoint: string;
  /** The ids that it needs of earlier answers. */
  readonly needs?: readonly string[];
  /** @throws ValidationError for an id that could lead to another endpoint */
  readonly path: (ids: Ids) => Path;
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
