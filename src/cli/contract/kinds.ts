import { BadResponseError } from '../../errors.ts';
import { readDate, readDateOrDateTime, readDateTime } from '../../formats/dates.ts';
import { isObject, LARGE_ROW, recordId } from '../../formats/decode.ts';
import type { Keys } from '../../formats/keys.ts';
import { boolean, decimal, identifier, integer, text, texts } from '../../formats/leaves.ts';

/** A kind of value, by the decoder that the gateway reads it with. */
export interface Kind {
  /** Completes the sentence "expected …". */
  readonly words: string;
  /** @throws BadResponseError for a value that is none of this kind; undefined is an absent key */
  readonly read: (value: unknown) => unknown;
}

function where(words: string, isKind: (value: unknown) => boolean): Kind {
  return {
    words,
    read: (value) => {
      if (value !== null && value !== undefined && value !== '' && !isKind(value)) throw new BadResponseError(words);
    },
  };
}

function readableBy(words: string, read: (value: unknown) => string | undefined): Kind {
  return where(words, (value) => read(value) !== undefined);
}

/** Unless its words say otherwise, a value may be null, an empty text or absent. */
export const kinds = {
  ownId: { words: 'an id, a whole number or a text, in each row', read: recordId },
  id: { words: 'an id, a whole number or a text', read: identifier },
  text: { words: 'a text', read: text },
  boolean: { words: 'true or false', read: boolean },
  integer: { words: 'a whole number', read: integer },
  decimal: { words: 'a decimal', read: decimal },
  date: readableBy('a date', readDate),
  instant: readableBy('an instant', readDateTime),
  dateOrInstant: readableBy('a date or an instant', readDateOrDateTime),
  texts: { words: 'a list of texts', read: texts },
  object: where('an object', isObject),
  objectOrList: where('an object or a list', (value) => isObject(value) || Array.isArray(value)),
  textOrList: where('a text or a list', (value) => typeof value === 'string' || Array.isArray(value)),
  /** A secret that only the response to a creation has. */
  nothing: where('nothing: it is a secret', () => false),
} satisfies Record<string, Kind>;

/** The kinds of the keys of a table. */
export const kindsOf = (keys: Keys): Readonly<Record<string, Kind>> =>
  Object.fromEntries(Object.entries(keys).map(([name, { kind }]) => [name, kinds[kind]]));

/** The type of a value in words, never the value. */
export function typeOf(value: unknown): string {
  if (value === undefined) return 'no key';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === LARGE_ROW) return 'more than is read';
  if (typeof value === 'string') return typeOfText(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number';
  return typeof value === 'boolean' ? 'a boolean' : 'an object';
}

function typeOfText(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '') return 'an empty text';
  if (trimmed.length > LONGEST_CLASSIFIED) return 'a text';
  if (/^-?\d+$/.test(trimmed)) return 'a text of digits';
  if (readDateOrDateTime(trimmed) !== undefined) return 'a text of a date';
  return 'a text';
}

const LONGEST_CLASSIFIED = 64;
