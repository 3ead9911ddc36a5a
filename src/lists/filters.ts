import type { InputRef } from '@pothos/core';
import { type ArgBuilder, builder } from '../builder.ts';
import { type ListPage, type PageArguments, connectionArguments, listPaging } from './connections.ts';
import { referredId } from '../graphql/ids.ts';
import { OncePerList } from './once-per-list.ts';
import { type Order, applyOrder, orderInput, type Orderings } from './orders.ts';
import { assertDecodable, type Leaf, decodeOrNull } from './decodable.ts';
import { boolean, compareDecimals, decimal, identifier, instant, text } from '../http/formats/leaves.ts';

// Upstream answers its lists whole, and takes neither a filter nor an order: the gateway carries them out. A value that
// cannot be read counts as none here; it spoils its own field, not the list, unless none can be read.

type Given<V> = V | null | undefined;

/** A condition on the records of a list, which cannot be asked without one of these keys whose values can be read. */
export interface Condition<T> {
  readonly keys: readonly (keyof T)[];
  readonly leaf: Leaf<unknown>;
  readonly holds: (record: T) => boolean;
}

/** An input that is left out, null or empty is no condition. */
export type Conditions<T> = readonly (Condition<T> | undefined)[];

/** The records for which every condition holds, in their order. They are some of the list, or all of it. */
export function applyFilters<T extends object>(
  records: readonly T[],
  conditions: Conditions<T>,
  list: readonly T[] = records,
): readonly T[] {
  const given = conditions.filter((condition) => condition !== undefined);
  if (given.length === 0 || records.length === 0) return records;
  for (const { keys, leaf } of given) assertDecodable(list, keys, leaf);
  return records.filter((record) => given.every(({ holds }) => holds(record)));
}

/** A text without its case. In upper case, because `ß` and `ss`, `σ` and `ς` have no other common form. */
export const foldCase = (text: string) => text.toUpperCase();

/** Any of the keys holds the words, in whatever case. */
export function textFilter<T>(words: Given<string>, keys: readonly (keyof T)[]): Condition<T> | undefined {
  const wanted = foldCase(words?.trim() ?? '');
  if (wanted === '') return undefined;
  return {
    keys,
    leaf: text,
    holds: (record) => keys.some((key) => foldCase(decodeOrNull(text, record[key]) ?? '').includes(wanted)),
  };
}

/** The key holds one of the values. */
export function inFilter<T, V>(values: Given<readonly V[]>, key: keyof T, leaf: Leaf<V>): Condition<T> | undefined {
  if (!values || values.length === 0) return undefined;
  const wanted = new Set<V | null>(values);
  return { keys: [key], leaf, holds: (record) => wanted.has(decodeOrNull(leaf, record[key])) };
}

/** The key holds one of the ids; global ones are taken, too, where the records are of a type of the graph. */
export function idFilter<T>(
  ids: Given<readonly string[]>,
  key: keyof T,
  field: string,
  typename?: string,
): Condition<T> | undefined {
  const wanted = ids?.map((id, at) => referredId(id, `filter.${field}.${at}`, typename));
  return inFilter(wanted, key, identifier);
}

/** The key is true, or is not: no value counts as false. */
export function booleanFilter<T>(wanted: Given<boolean>, key: keyof T): Condition<T> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return { keys: [key], leaf: boolean, holds: (record) => (decodeOrNull(boolean, record[key]) ?? false) === wanted };
}

/** The key holds an instant of the range. */
export function instantRange<T>(
  range: Given<typeof DateTimeRange.$inferInput>,
  key: keyof T,
): Condition<T> | undefined {
  if (!range) return undefined;
  const [from, to] = [instant(range.from) ?? -Infinity, instant(range.to) ?? Infinity];
  return {
    keys: [key],
    leaf: instant,
    holds: (record) => {
      const at = decodeOrNull(instant, record[key]);
      return at !== null && at >= from && at < to;
    },
  };
}

/** The key holds a decimal of the range. */
export function decimalRange<T>(range: Given<typeof DecimalRange.$inferInput>, key: keyof T): Condition<T> | undefined {
  if (!range) return undefined;
  const { min, max } = range;
  return {
    keys: [key],
    leaf: decimal,
    holds: (record) => {
      const value = decodeOrNull(decimal, record[key]);
      return value !== null && (!min || compareDecimals(value, min) >= 0) && (!max || compareDecimals(value, max) <= 0);
    },
  };
}

/** The key holds every one of the texts, in whatever case. */
export function hasAll<T>(
  wanted: Given<readonly string[]>,
  key: keyof T,
  leaf: Leaf<readonly string[]>,
): Condition<T> | undefined {
  if (!wanted || wanted.length === 0) return undefined;
  const all = wanted.map((item) => foldCase(item.trim()));
  return {
    keys: [key],
    leaf,
    holds: (record) => {
      const held = new Set(decodeOrNull(leaf, record[key])?.map(foldCase));
      return all.every((item) => held.has(item));
    },
  };
}

/** Describes the input of conditions. */
export const FILTER_DESCRIPTION =
  'Conditions that all have to hold; one that is left out, null or empty is none. They are looked at in the gateway, ' +
  'for upstream takes none.';

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

/** A list that comes whole: which of its records, in which order. */
interface ListOptions<T, Filter, Key extends string> {
  readonly name: string;
  readonly filter: InputRef<Filter>;
  readonly conditions: (filter: Filter) => Conditions<T>;
  readonly orderings: Orderings<Key>;
}

interface ListArguments<Filter, Key extends string> extends PageArguments {
  readonly filter?: Given<Filter>;
  readonly orderBy?: Given<Order<Key>>;
}

/** What the fields that answer pages of a list have in common: their arguments, and how those make a page. */
export function filteredList<T extends { readonly id: string }, Filter, Key extends keyof T & string>({
  name,
  filter: Filter,
  conditions,
  orderings,
}: ListOptions<T, Filter, Key>) {
  const ListOrder = orderInput(`${name}Order`, orderings);
  const arranged = new OncePerList<readonly T[]>();
  return {
    arguments: (arg: ArgBuilder) => ({
      ...connectionArguments(arg),
      filter: arg({ type: Filter, description: 'Which of them; all unless given.' }),
      orderBy: arg({ type: ListOrder, description: 'In which order; that of upstream unless given.' }),
    }),
    /**
     * How to make a page of some records of a list, or all of it, by filter and order. What was asked for is looked at
     * first, before the list is read.
     *
     * @throws ValidationError for arguments that name no page
     */
    paging: ({ filter, orderBy, ...page }: ListArguments<Filter, Key>, maxSize: number) => {
      const pageOf = listPaging(page, maxSize);
      const given = filter ? conditions(filter) : [];
      const arrange = (records: readonly T[], list: readonly T[]) =>
        applyOrder(applyFilters(records, given, list), orderings, orderBy, list);
      return async (records: readonly T[], list = records): Promise<ListPage<T>> => {
        if (!filter && !orderBy) return pageOf(records);
        return pageOf(await arranged.get(records, { filter, orderBy }, () => arrange(records, list)));
      };
    },
  };
}
