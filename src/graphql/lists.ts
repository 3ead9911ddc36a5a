import { builder } from '../builder.ts';
import { type ListPage, type PageArguments, paging } from './connections.ts';
import { wireValues } from './enums.ts';
import { referredId } from './ids.ts';
import { isSent } from './lazy.ts';
import { SortDirection } from './sort-direction.ts';
import { BadResponseError, GatewayError } from '../http/errors.ts';
import { boolean, compareDecimals, decimal, identifier, instant, plainDecimal, text } from '../http/leaves.ts';

// Upstream answers its lists whole, and takes neither a filter nor an order: the gateway carries them out. A value that
// cannot be read counts as none here; it spoils its own field, not the list.

type Given<V> = V | null | undefined;
type Leaf<V> = (value: unknown) => V | null;

/** A condition on the records of a list. Without one of these keys, the list cannot be asked. */
export interface Condition<T> {
  readonly keys: readonly (keyof T)[];
  readonly holds: (record: T) => boolean;
}

/** An input that is left out, null or empty is no condition. */
export type Conditions<T> = readonly (Condition<T> | undefined)[];

/** The records for which every condition holds, in the order of the list. */
export function matching<T extends object>(list: readonly T[], conditions: Conditions<T>): readonly T[] {
  const given = conditions.filter((condition) => condition !== undefined);
  for (const { keys } of given) demandOneOf(list, keys);
  return given.length === 0 ? list : list.filter((record) => given.every(({ holds }) => holds(record)));
}

/** A text without its case. In upper case, because `ß` and `ss`, `σ` and `ς` have no other common form. */
export const folded = (text: string) => text.toUpperCase();

/** Any of the keys holds the words, in whatever case. */
export function containing<T>(words: Given<string>, keys: readonly (keyof T)[]): Condition<T> | undefined {
  const wanted = folded(words?.trim() ?? '');
  if (wanted === '') return undefined;
  return { keys, holds: (record) => keys.some((key) => folded(quietly(text, record[key]) ?? '').includes(wanted)) };
}

/** The key holds one of the values. */
export function among<T, V>(values: Given<readonly V[]>, key: keyof T, leaf: Leaf<V>): Condition<T> | undefined {
  if (!values || values.length === 0) return undefined;
  const wanted = new Set<V | null>(values);
  return { keys: [key], holds: (record) => wanted.has(quietly(leaf, record[key])) };
}

/** The key holds one of the ids; global ones are taken, too, where the records are of a type of the graph. */
export function amongIds<T>(
  ids: Given<readonly string[]>,
  key: keyof T,
  field: string,
  typename?: string,
): Condition<T> | undefined {
  const wanted = ids?.map((id, at) => referredId(id, `filter.${field}.${at}`, typename));
  return among(wanted, key, identifier);
}

/** The key is true, or is not: no value counts as false. */
export function is<T>(wanted: Given<boolean>, key: keyof T): Condition<T> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return { keys: [key], holds: (record) => (quietly(boolean, record[key]) ?? false) === wanted };
}

/** The key holds an instant of the range. */
export function within<T>(range: Given<typeof DateTimeRange.$inferInput>, key: keyof T): Condition<T> | undefined {
  if (!range) return undefined;
  const [from, to] = [instant(range.from) ?? -Infinity, instant(range.to) ?? Infinity];
  return {
    keys: [key],
    holds: (record) => {
      const at = quietly(instant, record[key]);
      return at !== null && at >= from && at < to;
    },
  };
}

/** The key holds a decimal of the range. */
export function between<T>(range: Given<typeof DecimalRange.$inferInput>, key: keyof T): Condition<T> | undefined {
  if (!range) return undefined;
  const { min, max } = range;
  return {
    keys: [key],
    holds: (record) => {
      const value = quietly(decimal, record[key]);
      return value !== null && (!min || compareDecimals(value, min) >= 0) && (!max || compareDecimals(value, max) <= 0);
    },
  };
}

/** The key holds every one of the texts, in whatever case. */
export function withAll<T>(
  wanted: Given<readonly string[]>,
  key: keyof T,
  leaf: Leaf<readonly string[]>,
): Condition<T> | undefined {
  if (!wanted || wanted.length === 0) return undefined;
  const all = wanted.map((item) => folded(item.trim()));
  return {
    keys: [key],
    holds: (record) => {
      const held = new Set(quietly(leaf, record[key])?.map(folded));
      return all.every((item) => held.has(item));
    },
  };
}

/** How the values of a key compare. */
type Kind = 'text' | 'numberOrText' | 'instant' | 'decimal' | 'id';

/** By which keys a list can be ordered. */
type Orderings<Key extends string> = Readonly<Record<Key, { readonly kind: Kind; readonly about: string }>>;

interface Order<Key extends string> {
  readonly field: Key;
  readonly direction?: Given<'ASC' | 'DESC'>;
}

/** The input for an order of a list. */
export function orderInput<Key extends string>(name: string, orderings: Orderings<Key>) {
  const Field = builder.enumType(`${name}Field`, {
    description: 'By what to order.',
    values: Object.fromEntries(
      wireValues(orderings).map((value) => [value.toUpperCase(), { value, description: orderings[value].about }]),
    ),
  });
  return builder.inputType(name, {
    description: 'An order. What has no value comes last, and what is equal stays in the order of upstream.',
    fields: (t) => ({
      field: t.field({ type: Field, required: true, description: 'By what to order.' }),
      direction: t.field({ type: SortDirection, defaultValue: 'ASC', description: 'Which end comes first.' }),
    }),
  });
}

interface Listing<T, Key extends string> {
  readonly conditions: Conditions<T>;
  readonly orderings: Orderings<Key>;
  readonly orderBy: Given<Order<Key>>;
  readonly page: PageArguments;
  readonly maxSize: number;
}

/**
 * How to make a page of a list by filter and order. What was asked for is looked at first, before the list is read.
 *
 * @throws ValidationError for arguments that name no page
 */
export function listing<T extends { readonly id: string }, Key extends keyof T & string>({
  conditions,
  orderings,
  orderBy,
  page,
  maxSize,
}: Listing<T, Key>) {
  const pageOf = paging(page, maxSize);
  return (list: readonly T[]): ListPage<T> => pageOf(ordered(matching(list, conditions), orderings, orderBy));
}

/** The records in an order; those without a value last, equal ones in the order of the list. */
function ordered<T extends object, Key extends keyof T & string>(
  list: readonly T[],
  orderings: Orderings<Key>,
  order: Given<Order<Key>>,
): readonly T[] {
  if (!order) return list;
  const { field, direction } = order;
  demandOneOf(list, [field]);
  const sign = direction === 'DESC' ? -1 : 1;
  const { leaf, compare } = kinds[orderings[field].kind];
  return list
    .map((record) => ({ record, value: quietly(leaf, record[field]) || null }))
    .sort((one, other) => {
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
      return sign * compare(one.value, other.value);
    })
    .map(({ record }) => record);
}

const collator = new Intl.Collator('en', { numeric: true });

const kinds: Readonly<Record<Kind, { leaf: Leaf<string>; compare: (one: string, other: string) => number }>> = {
  text: { leaf: text, compare: collator.compare },
  numberOrText: { leaf: text, compare: compareNumbersOrTexts },
  id: { leaf: identifier, compare: collator.compare },
  decimal: { leaf: decimal, compare: compareDecimals },
  instant: {
    leaf: (value) => instant(value)?.toString() ?? null,
    compare: (one, other) => Number(one) - Number(other),
  },
};

/** Numbers by their size, before what is none. */
function compareNumbersOrTexts(one: string, other: string): number {
  const [number, otherNumber] = [plainDecimal(one), plainDecimal(other)];
  if (number !== undefined && otherNumber !== undefined) return compareDecimals(number, otherNumber);
  if (number === undefined && otherNumber === undefined) return collator.compare(one, other);
  return number === undefined ? 1 : -1;
}

export const DateTimeRange = builder.inputType('DateTimeRange', {
  description: 'From one instant to before another. Instants that upstream writes without a zone are taken as UTC.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'This instant or a later one.' }),
    to: t.field({ type: 'DateTime', description: 'An earlier one than this.' }),
  }),
});

export const DecimalRange = builder.inputType('DecimalRange', {
  description: 'From one decimal to another, both included.',
  fields: (t) => ({
    min: t.field({ type: 'Decimal', description: 'This or more.' }),
    max: t.field({ type: 'Decimal', description: 'This or less.' }),
  }),
});

/** No record of a list has the key: then nothing can be said of any, and least of all that none matches. */
function demandOneOf<T extends object>(list: readonly T[], keys: readonly (keyof T)[]): void {
  if (list.length === 0 || keys.some((key) => isSent(list, key))) return;
  const names = keys.map((key) => `\`${String(key)}\``).join(', ');
  throw new BadResponseError(
    `The list does not tell ${names} of its records, so it cannot be filtered or ordered by it.`,
  );
}

/** A value as far as it can be read. */
export function quietly<V>(leaf: Leaf<V>, value: unknown): V | null {
  try {
    return leaf(value);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
