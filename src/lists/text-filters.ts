import { text } from '../http/formats/leaves.ts';
import { decodeOrUndefined } from './decodable.ts';
import type { Condition } from './filters.ts';
import { containing, digitsOf, oneOfTexts, type RowTexts, unsharedTexts } from './folding.ts';

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
  const inDigits = (record: T, digits: string, texts: RowTexts) =>
    numbers.some((key) => texts.digits(key, decodeOrUndefined(text, record[key]) ?? '').includes(digits));
  const inJoined = (record: T, texts: RowTexts) => {
    const parts = joined.flatMap((key) => {
      const part = decodeOrUndefined(text, record[key]);
      return part ? [texts.folded(key, part)] : [];
    });
    return parts.length > 1 && matches([...parts, parts[0]].join(' '));
  };
  const isPhrase = joined.length > 0 && /\s/.test(wanted);
  return {
    keys,
    leaf: text,
    holds: (record, texts = unsharedTexts) => {
      const found = anyText(record, keys, matches, texts);
      if (found === true || (isPhrase && inJoined(record, texts))) return true;
      return wantedDigits !== undefined && inDigits(record, wantedDigits, texts) ? true : found;
    },
  };
}

/** Matches records with one of the texts under any of the keys, ignoring case, accents and space around them. */
export function textInFilter<T>(
  texts: readonly string[] | null | undefined,
  keys: readonly (keyof T)[],
  split?: (value: string) => readonly string[],
): Condition<T> | undefined {
  if (!texts || texts.length === 0) return undefined;
  const matches = oneOfTexts(texts, split);
  return { keys, leaf: text, holds: (record, rowTexts = unsharedTexts) => anyText(record, keys, matches, rowTexts) };
}

/** Whether a text under one of the keys matches. Undefined when none does, and one of them cannot be decoded. */
function anyText<T>(
  record: T,
  keys: readonly (keyof T)[],
  matches: ReturnType<typeof containing>,
  texts: RowTexts,
): boolean | undefined {
  let found: false | undefined = false;
  for (const key of keys) {
    const value = decodeOrUndefined(text, record[key]);
    if (value === undefined) found = undefined;
    else if (value !== null && matches(value, key, texts)) return true;
  }
  return found;
}
