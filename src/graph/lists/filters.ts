import { builder } from '../builder.ts';
import { referredId } from '../ids.ts';
import { BadResponseError, invalidInput } from '../../errors.ts';
import { isObject } from '../../formats/decode.ts';
import { boolean, compareDecimals, decimal, identifier, instant, raw, text } from '../../formats/leaves.ts';
import type { Rows } from '../../formats/rows.ts';
import { inSlices, type Steps } from '../../formats/slices.ts';
import { checkingDecodable, decodeOrUndefined, type Leaf, quotedNames } from './decodable.ts';
import { foldText, once, RecordTexts } from './folding.ts';

// Upstream has no filters or orders, so the gateway filters and orders complete lists. A row is left out where a condition cannot
// be decided, because a value cannot be decoded, and the list says so. It fails only when no value of a key can be decoded.

type Optional<V> = V | null | undefined;

/** A condition on the records of a list. It needs a list with decodable values under one of `keys`. */
export interface Condition<T> {
  readonly keys: readonly (keyof T)[];
  readonly leaf: Leaf<unknown>;
  /** Whether it holds; undefined when a value that decides it cannot be decoded. `texts` are those of the record. */
  readonly holds: (record: T, texts?: RecordTexts) => boolean | undefined;
  /** The conditions that this one is made of, if it is. The list is checked for each of them instead. */
  readonly parts?: readonly Condition<T>[];
}

/** Conditions; undefined for an input that is left out, null or empty. */
export type Conditions<T> = readonly (Condition<T> | undefined)[];

/**
 * Returns the records for which every condition holds, in their order. Records for which some conditions hold and the others
 * cannot be decided are left out; the returned list has a problem for each of those conditions, too.
 *
 * @param records a part of `list`, or all of it
 * @returns `records` itself when there is no condition. A promise for a list that takes long only
 * @throws BadResponseError when `list` has no decodable values for a condition
 */
export function applyFilters<T extends object>(
  records: Rows<T>,
  conditions: Conditions<T>,
  list = records,
): Rows<T> | Promise<Rows<T>> {
  return inSlices(filtering(records, conditions, list));
}

/** The number of rows in one step, and of the characters after which it ends earlier. */
const [STEP_ROWS, STEP_CHARACTERS] = [16, 16 * 1024];

/**
 * Filters records as `applyFilters` does.
 *
 * @yields after each step
 */
export function* filtering<T extends object>(
  records: Rows<T>,
  conditions: Conditions<T>,
  list: Rows<T>,
): Steps<Rows<T>> {
  const given = conditions.filter((condition) => condition !== undefined);
  if (given.length === 0 || records.length === 0) return records;
  for (const condition of given) yield* checkingSearchable(list, condition);
  const undecidedRows = new Map<Condition<T>, number>();
  const kept: T[] = [];
  const texts = new RecordTexts();
  let row = 0;
  for (const record of records) {
    const undecided = undecidedConditions(record, given, texts);
    for (const condition of undecided ?? none) undecidedRows.set(condition, (undecidedRows.get(condition) ?? 0) + 1);
    if (undecided?.length === 0) kept.push(record);
    texts.forget();
    row += 1;
    if (row % STEP_ROWS !== 0 && texts.work < STEP_CHARACTERS) continue;
    texts.work = 0;
    yield;
  }
  return records.derive(
    kept,
    [...undecidedRows].map(([{ keys }, rows]) => leftOut(rows, keys)),
  );
}

const none: readonly never[] = [];

/** The conditions that cannot be decided for a record; undefined when one of the others does not hold. */
export function undecidedConditions<T, C extends Pick<Condition<T>, 'holds'>>(
  record: T,
  given: readonly C[],
  texts?: RecordTexts,
): readonly C[] | undefined {
  let undecided: C[] | undefined;
  for (const condition of given) {
    const holds = condition.holds(record, texts);
    if (holds === false) return undefined;
    if (holds === undefined) (undecided ??= []).push(condition);
  }
  return undecided ?? none;
}

/** The problem of a list from which a filter left rows out, because their values cannot be read. */
export function leftOut(rows: number, keys: readonly PropertyKey[]): BadResponseError {
  const names = quotedNames(keys, ' or ');
  const [subject, their] = rows === 1 ? ['1 row was', 'its'] : [`${rows} rows were`, 'their'];
  return new BadResponseError(`${subject} left out by the filter, because ${their} ${names} cannot be read.`);
}

function* checkingSearchable<T extends object>(list: Rows<T>, { keys, leaf, parts }: Condition<T>): Steps<void> {
  if (!parts) return yield* checkingDecodable(list, keys, leaf);
  for (const part of parts) yield* checkingSearchable(list, part);
}

/** More alternatives would take too long on a long list. */
const MAX_ALTERNATIVES = 20;

/**
 * Matches records for which all conditions of one of the alternatives hold.
 *
 * @param conditionsOf creates the conditions of an alternative; its path in the arguments is for errors
 * @throws ValidationError for more than 20 alternatives
 */
export function anyOf<T, Filter>(
  alternatives: Optional<readonly Filter[]>,
  conditionsOf: (filter: Filter, path: string) => Conditions<T>,
): Condition<T> | undefined {
  if (!alternatives || alternatives.length === 0) return undefined;
  if (alternatives.length > MAX_ALTERNATIVES) throw invalidInput('filter.anyOf', `takes ${MAX_ALTERNATIVES} at most`);
  const groups = alternatives.map((filter, at) =>
    conditionsOf(filter, `filter.anyOf.${at}.`).filter((condition) => condition !== undefined),
  );
  const parts = groups.flat();
  return {
    keys: [...new Set(parts.flatMap(({ keys }) => keys))],
    leaf: raw,
    parts,
    holds: (record, texts) => {
      let undecided = false;
      for (const group of groups) {
        const open = undecidedConditions(record, group, texts);
        if (open?.length === 0) return true;
        undecided ||= open !== undefined;
      }
      return undecided ? undefined : false;
    },
  };
}

/**
 * Matches records with one of the values under the key.
 *
 * @internal exported for the tests
 */
export function inFilter<T, V>(values: Optional<readonly V[]>, key: keyof T, leaf: Leaf<V>): Condition<T> | undefined {
  if (!values || values.length === 0) return undefined;
  const wanted = once(() => new Set<V | null>(values));
  return { keys: [key], leaf, holds: (record) => decided(leaf, record[key], (value) => wanted().has(value)) };
}

/** Decides a condition on one value; undefined when the value cannot be decoded. */
function decided<V>(leaf: Leaf<V>, value: unknown, holds: (value: V | null) => boolean): boolean | undefined {
  const decoded = decodeOrUndefined(leaf, value);
  return decoded === undefined ? undefined : holds(decoded);
}

/**
 * Matches records with one of the values of an enum under the key. A value that the enum does not have is none of them.
 */
export function enumFilter<T, V extends string>(
  values: Optional<readonly V[]>,
  key: keyof T,
  leaf: Leaf<V>,
): Condition<T> | undefined {
  const condition = inFilter<T, string>(values, key, text);
  return condition && { ...condition, leaf };
}

/**
 * Matches records by whether they have values under the keys. An empty text, list or map is no value.
 *
 * @param wanted true for records without values under any of the keys, false for records with values under all of them
 */
export function nullFilters<T>(keys: Optional<readonly (keyof T)[]>, wanted: boolean): Condition<T>[] {
  return [...new Set(keys)].map((key) => ({
    keys: [key],
    leaf: raw,
    holds: (record) => isEmpty(record[key]) === wanted,
  }));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return raw(value) === null || (isObject(value) && Object.keys(value).length === 0);
}

/**
 * Matches records with one of the ids under the key.
 *
 * @param path that of the ids in the arguments, for errors
 * @param typename the GraphQL type of the referenced records: then global ids are accepted, too
 * @throws ValidationError for a global id of another type
 */
export function idFilter<T>(
  ids: Optional<readonly string[]>,
  key: keyof T,
  path: string,
  typename?: string,
): Condition<T> | undefined {
  // Only a global id has a colon. There may be thousands of others, and their paths would take long to write.
  const wanted = ids?.map((id, at) => (id.includes(':') ? referredId(id, `${path}.${at}`, typename) : id));
  return inFilter(wanted, key, identifier);
}

/** Matches records with this boolean under the key. Null counts as false. */
export function booleanFilter<T>(wanted: Optional<boolean>, key: keyof T): Condition<T> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return {
    keys: [key],
    leaf: boolean,
    holds: (record) => decided(boolean, record[key], (value) => (value ?? false) === wanted),
  };
}

/**
 * Matches records with an instant of the range under the key.
 *
 * @param leaf decodes the value as milliseconds since 1970
 */
export function instantRange<T>(
  range: Optional<typeof DateTimeRange.$inferInput>,
  key: keyof T,
  leaf: Leaf<number> = instant,
): Condition<T> | undefined {
  if (!range) return undefined;
  const [from, to] = [instant(range.from) ?? -Infinity, instant(range.to) ?? Infinity];
  return {
    keys: [key],
    leaf,
    holds: (record) => decided(leaf, record[key], (at) => at !== null && at >= from && at < to),
  };
}

/** Matches records with a decimal of the range under the key. */
export function decimalRange<T>(
  range: Optional<typeof DecimalRange.$inferInput>,
  key: keyof T,
): Condition<T> | undefined {
  if (!range) return undefined;
  const { min, max } = range;
  return {
    keys: [key],
    leaf: decimal,
    holds: (record) =>
      decided(
        decimal,
        record[key],
        (value) =>
          value !== null && (!min || compareDecimals(value, min) >= 0) && (!max || compareDecimals(value, max) <= 0),
      ),
  };
}

/** Matches records whose list under the key contains every one of the texts, ignoring case and accents. */
export function hasAll<T>(
  wanted: Optional<readonly string[]>,
  key: keyof T,
  leaf: Leaf<readonly string[]>,
): Condition<T> | undefined {
  if (!wanted || wanted.length === 0) return undefined;
  const all = once(() => wanted.map((item) => foldText(item.trim())));
  return {
    keys: [key],
    leaf,
    holds: (record) =>
      decided(leaf, record[key], (items) => {
        const held = new Set(items?.map(foldText));
        return all().every((item) => held.has(item));
      }),
  };
}

export const DateTimeRange = builder.inputType('DateTimeRange', {
  description:
    'A range of instants: `from` is included, `to` is not. Upstream instants without a zone are taken as UTC.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The earliest instant.' }),
    to: t.field({ type: 'DateTime', description: 'The instant before which the range ends.' }),
  }),
});

export const DecimalRange = builder.inputType('DecimalRange', {
  description: 'A range of decimals, both ends included.',
  fields: (t) => ({
    min: t.field({ type: 'Decimal', description: 'The smallest value.' }),
    max: t.field({ type: 'Decimal', description: 'The largest value.' }),
  }),
});
