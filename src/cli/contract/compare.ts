import { BadResponseError } from '../../errors.ts';
import { isObject, type JsonObject, rowWithoutWrapper } from '../../formats/decode.ts';
import { type Kind, kinds, typeOf } from './kinds.ts';
import type { ContractRead, Fields, NestedRows } from './shape.ts';

/** A known key, or the answer itself, whose values are of another kind. Nothing of an answer is in it but types. */
export interface Difference {
  /** The key, with those around it: `layout.size`. Empty for the answer itself. */
  readonly key: string;
  readonly expected: string;
  /** The types of the values that are of another kind. */
  readonly got: readonly string[];
}

export interface Comparison {
  /** Whether a list has no row, so that nothing can be told of its shape. */
  readonly isEmpty: boolean;
  readonly differences: readonly Difference[];
  /** How many keys, of all rows, neither a document nor the sandbox names. Their names may be data. */
  readonly unknownKeys: number;
  /** The known keys that no row has. Empty when there is no row. */
  readonly absentKeys: readonly string[];
  /** The types of the values of each known key that a row has. */
  readonly types: Readonly<Record<string, readonly string[]>>;
}

/** The rows of a list that are compared. */
export const MAX_ROWS = 1_000;

/** Unknown keys are counted up to here: each is kept until the count is known. */
export const MAX_UNKNOWN_KEYS = 1_000;

/** Compares an answer with what is known of its shape. What it returns holds names of the contract, types and counts. */
export function compare(body: unknown, { fields, isList = false, isOpen = false }: ContractRead): Comparison {
  const collected = new Collected();
  if (isList) collected.addRows(body, { rows: fields }, '', isOpen);
  else collected.addRecord(body, fields, '', isOpen);
  return collected.comparison(fields);
}

interface Seen {
  readonly expected: string;
  readonly types: Set<string>;
  readonly unread: Set<string>;
}

/** Goes as deep as the contract does, not as deep as the answer. */
class Collected {
  readonly #seen = new Map<string, Seen>();
  readonly #unknown = new Set<string>();
  #hasRecords = false;

  addRows(value: unknown, { rows: fields, recordKey: key }: NestedRows, place: string, isOpen: boolean): void {
    if (!Array.isArray(value)) return this.#unread(place, 'a list', value);
    for (const row of value.slice(0, MAX_ROWS)) this.addRecord(rowWithoutWrapper(row, key), fields, place, isOpen);
  }

  addRecord(value: unknown, fields: Fields, place: string, isOpen: boolean): void {
    if (!isObject(value)) return this.#unread(place, place === '' ? 'an object' : 'objects', value);
    if (place === '') this.#hasRecords = true;
    for (const [key, field] of Object.entries(fields)) {
      const at = place === '' ? key : `${place}.${key}`;
      const given = Object.hasOwn(value, key) ? value[key] : undefined;
      if ('words' in field) this.#addValue(at, field, given);
      else if (given !== undefined && given !== null) this.#addNested(at, field, given);
    }
    if (!isOpen) this.#countUnknown(value, fields, place);
  }

  comparison(fields: Fields): Comparison {
    const isSent = (key: string) => [...this.#seen].some(([at]) => at === key || at.startsWith(`${key}.`));
    const differences = [...this.#seen].flatMap(([key, { expected, unread }]) =>
      unread.size === 0 ? [] : [{ key, expected, got: [...unread].toSorted() }],
    );
    const types = [...this.#seen].filter(([key]) => key !== '').map(([key, seen]) => [key, [...seen.types].toSorted()]);
    return {
      isEmpty: !this.#hasRecords && differences.length === 0,
      differences,
      unknownKeys: this.#unknown.size,
      absentKeys: this.#hasRecords
        ? Object.keys(fields).filter((key) => fields[key] !== kinds.nothing && !isSent(key))
        : [],
      types: Object.fromEntries(types),
    };
  }

  #addNested(at: string, field: { readonly record: Fields } | NestedRows, given: unknown): void {
    this.#at(at, 'rows' in field ? 'a list' : 'an object').types.add(typeOf(given));
    if ('rows' in field) this.addRows(given, field, at, false);
    else this.addRecord(given, field.record, at, false);
  }

  #addValue(at: string, { words, read }: Kind, value: unknown): void {
    const isReadable = reads(read, value);
    if (value === undefined && isReadable) return;
    const seen = this.#at(at, words);
    seen.types.add(typeOf(value));
    if (!isReadable) seen.unread.add(typeOf(value));
  }

  #unread(at: string, expected: string, value: unknown): void {
    this.#at(at, expected).unread.add(typeOf(value));
  }

  #at(at: string, expected: string): Seen {
    const known = this.#seen.get(at);
    if (known) return known;
    const seen = { expected, types: new Set<string>(), unread: new Set<string>() };
    this.#seen.set(at, seen);
    return seen;
  }

  #countUnknown(value: JsonObject, fields: Fields, place: string): void {
    for (const key in value) {
      if (this.#unknown.size >= MAX_UNKNOWN_KEYS) return;
      if (!Object.hasOwn(fields, key)) this.#unknown.add(`${place}.${key}`);
    }
  }
}

function reads(read: Kind['read'], value: unknown): boolean {
  try {
    read(value);
    return true;
  } catch (error) {
    if (error instanceof BadResponseError) return false;
    throw error;
  }
}
