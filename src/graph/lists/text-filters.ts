import { invalidInput } from '../../errors.ts';
import { text } from '../../formats/leaves.ts';
import { decodeOrUndefined } from './decodable.ts';
import type { Condition } from './filters.ts';
import { containing, digitsOf, oneOfTexts, onlyDigits, RecordTexts } from './folding.ts';

/** Further texts of a record in which words are looked for. */
interface MoreTexts<T> {
  /** Keys whose values are one text together, in this order or beginning with the last, such as the parts of a name. */
  readonly joined?: readonly (keyof T)[];
  /** Keys with numbers that are written with spaces and dashes, such as phone numbers: their digits are compared, too. */
  readonly numbers?: readonly (keyof T)[];
}

/** In characters. To look for a longer text in a list of megabytes takes long. */
const MAX_SEARCH_TEXT = 200;

/**
 * Checks a text that is to be looked for in lists.
 *
 * @param path that of the text in the arguments
 * @throws ValidationError for a text of more than 200 characters
 */
export function assertSearchText(text: string, path: string): void {
  if (text.length <= MAX_SEARCH_TEXT) return;
  throw invalidInput(path, `has ${text.length} characters, and a search text may have ${MAX_SEARCH_TEXT}`);
}

/**
 * Matches records with the words under any of the keys, ignoring case and accents.
 *
 * @param path that of the words in the arguments, for errors
 * @throws ValidationError for words of more than 200 characters
 */
export function textFilter<T>(
  words: string | null | undefined,
  path: string,
  keys: readonly (keyof T)[],
  { joined = [], numbers = [] }: MoreTexts<T> = {},
): Condition<T> | undefined {
  const wanted = words?.trim() ?? '';
  if (wanted === '') return undefined;
  assertSearchText(wanted, path);
  const matches = containing(wanted);
  const wantedDigits = digitsOf(wanted);
  const inDigits = (record: T, digits: string) =>
    numbers.some((key) => onlyDigits(decodeOrUndefined(text, record[key]) ?? '').includes(digits));
  const inJoined = (record: T, texts: RecordTexts) => {
    const parts = joined.flatMap((key) => {
      const part = decodeOrUndefined(text, record[key]);
      return part ? [texts.folded(part)] : [];
    });
    return parts.length > 1 && matches([...parts, parts[0]].join(' '), texts);
  };
  const isPhrase = joined.length > 0 && /\s/.test(wanted);
  return {
    keys,
    leaf: text,
    holds: (record, texts = new RecordTexts()) => {
      const found = anyText(record, keys, matches, texts);
      if (found === true || (isPhrase && inJoined(record, texts))) return true;
      return wantedDigits !== undefined && inDigits(record, wantedDigits) ? true : found;
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
  return {
    keys,
    leaf: text,
    holds: (record, rowTexts = new RecordTexts()) => anyText(record, keys, matches, rowTexts),
  };
}

/** Whether a text under one of the keys matches. Undefined when none does, and one of them cannot be decoded. */
function anyText<T>(
  record: T,
  keys: readonly (keyof T)[],
  matches: ReturnType<typeof containing>,
  texts: RecordTexts,
): boolean | undefined {
  let found: false | undefined = false;
  for (const key of keys) {
    const value = decodeOrUndefined(text, record[key]);
    if (value === undefined) found = undefined;
    else if (value !== null && matches(value, texts)) return true;
  }
  return found;
}
