import { text } from '../http/formats/leaves.ts';
import { decodeOrUndefined } from './decodable.ts';
import type { Condition } from './filters.ts';
import { containing, digitsOf, oneOfTexts, onlyDigits } from './folding.ts';

/** Further texts of a record in which words are looked for. */
interface MoreTexts<T> {
  /** Keys whose values are one text together, in this order or beginning with the last, such as the parts of a name. */
  readonly joined?: readonly (keyof T)[];
  /** Keys with numbers that are written with spaces and dashes, such as phone numbers: their digits are compared, too. */
  readonly numbers?: readonly (keyof T)[];
}

/** Matches records with the words under any of the keys, ignoring case and accents. */
export function textFilter<T>(
  words: string | null | undefined,
  keys: readonly (keyof T)[],
  { joined = [], numbers = [] }: MoreTexts<T> = {},
): Condition<T> | undefined {
  const wanted = words?.trim() ?? '';
  if (wanted === '') return undefined;
  const matches = containing(wanted);
  const wantedDigits = digitsOf(wanted);
  const inDigits = (record: T, digits: string) =>
    numbers.some((key) => onlyDigits(decodeOrUndefined(text, record[key]) ?? '').includes(digits));
  const inJoined = (record: T) => {
    const parts = joined.map((key) => decodeOrUndefined(text, record[key])).filter(Boolean);
    return parts.length > 1 && matches([...parts, parts[0]].join(' '));
  };
  const isPhrase = joined.length > 0 && /\s/.test(wanted);
  return {
    keys,
    leaf: text,
    holds: (record) => {
      const found = anyText(record, keys, matches);
      if (found === true || (isPhrase && inJoined(record))) return true;
      return wantedDigits !== undefined && inDigits(record, wantedDigits) ? true : found;
    },
  };
}

/** Matches records with one of the texts under any of the keys, ignoring case, accents and space around them. */
export function textInFilter<T>(
  texts: readonly string[] | null | undefined,
  keys: readonly (keyof T)[],
  split: (value: string) => readonly string[] = (value) => [value],
): Condition<T> | undefined {
  if (!texts || texts.length === 0) return undefined;
  const matches = oneOfTexts(texts);
  return { keys, leaf: text, holds: (record) => anyText(record, keys, (value) => split(value).some(matches)) };
}

/** Whether a text under one of the keys matches. Undefined when none does, and one of them cannot be decoded. */
function anyText<T>(record: T, keys: readonly (keyof T)[], matches: (value: string) => boolean): boolean | undefined {
  let found: false | undefined = false;
  for (const key of keys) {
    const value = decodeOrUndefined(text, record[key]);
    if (value === undefined) found = undefined;
    else if (value !== null && matches(value)) return true;
  }
  return found;
}
