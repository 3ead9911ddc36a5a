import type { InputRef } from '@pothos/core';
import { type ArgBuilder, builder } from '../builder.ts';
import { type ListPage, type PageArguments, connectionArguments, listPaging } from './connections.ts';
import { referredId } from '../graphql/ids.ts';
import { OncePerList } from './once-per-list.ts';
import { type Order, applyOrder, orderInput, type Orderings } from './orders.ts';
import { assertDecodable, type Leaf, decodeOrNull } from './decodable.ts';
import { boolean, compareDecimals, decimal, identifier, instant, text } from '../http/formats/leaves.ts';

// Upstream returns complete lists and has no filters or orders, so the gateway filters and orders. A value that cannot be
// decoded counts as null here. It fails its own field; it fails the list only when no value can be decoded.

type Optional<V> = V | null | undefined;

/** A condition on the records of a list. It needs a list with decodable values under one of `keys`. */
export interface Condition<T> {
  readonly keys: readonly (keyof T)[];
  readonly leaf: Leaf<unknown>;
  readonly holds: (record: T) => boolean;
}

/** Conditions; undefined for an input that is left out, null or empty. */
export type Conditions<T> = readonly (Condition<T> | undefined)[];

/**
 * Returns the records for which every condition holds, in their order.
 *
 * @param records a part of `list`, or all of it
 * @throws BadResponseError when `list` has no decodable values for a condition
 */
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

/** Removes differences of case. Upper case is the only common form of `ß` and `ss`, `σ` and `ς`. */
export const foldCase = (text: string) => text.toUpperCase();

/** Matches records with the words under any of the keys, ignoring case. */
export function textFilter<T>(words: Optional<string>, keys: readonly (keyof T)[]): Condition<T> | undefined {
  const wanted = foldCase(words?.trim() ?? '');
  if (wanted === '') return undefined;
  return {
    keys,
    leaf: text,
    holds: (record) => keys.some((key) => foldCase(decodeOrNull(text, record[key]) ?? '').includes(wanted)),
  };
}

/** Matches records with one of the values under the key. */
export function inFilter<T, V>(values: Optional<readonly V[]>, key: keyof T, leaf: Leaf<V>): Condition<T> | undefined {
  if (!values || values.length === 0) return undefined;
  const wanted = new Set<V | null>(values);
  return { keys: [key], leaf, holds: (record) => wanted.has(decodeOrNull(leaf, record[key])) };
}

/**
 * Matches records with one of the ids under the key.
 *
 * @param field the name of the filter's field, for errors
 * @param typename the GraphQL type of the referenced records: then global ids are accepted, too
 * @throws ValidationError for a global id of another type
 */
export function idFilter<T>(
  ids: Optional<readonly string[]>,
  key: keyof T,
  field: string,
  typename?: string,
): Condition<T> | undefined {
  const wanted = ids?.map((id, at) => referredId(id, `filter.${field}.${at}`, typename));
  return inFilter(wanted, key, identifier);
}

/** Matches records with this boolean under the key. Null counts as false. */
export function booleanFilter<T>(wanted: Optional<boolean>, key: keyof T): Condition<T> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return { keys: [key], leaf: boolean, holds: (record) => (decodeOrNull(boolean, record[key]) ?? false) === wanted };
}

/** Matches records with an instant of the range under the key. */
export function instantRange<T>(
  range: Optional<typeof DateTimeRange.$inferInput>,
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
    holds: (record) => {
      const value = decodeOrNull(decimal, record[key]);
      return value !== null && (!min || compareDecimals(value, min) >= 0) && (!max || compareDecimals(value, max) <= 0);
    },
  };
}

/** Matches records whose list under the key contains every one of the texts, ignoring case. */
export function hasAll<T>(
  wanted: Optional<readonly string[]>,
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

/** The description of every filter input. */
export const FILTER_DESCRIPTION =
  'All conditions must hold. A condition that is left out, null or empty is ignored. The gateway applies them, because ' +
  'upstream has no filters.';

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

/** The filter and the orders of a list that upstream returns completely. */
interface ListOptions<T, Filter, Key extends string> {
  readonly name: string;
  readonly filter: InputRef<Filter>;
  readonly conditions: (filter: Filter) => Conditions<T>;
  readonly orderings: Orderings<Key>;
}

interface ListArguments<Filter, Key extends string> extends PageArguments {
  readonly filter?: Optional<Filter>;
  readonly orderBy?: Optional<Order<Key>>;
}

/** Creates the arguments of a connection over a complete list, and the function that turns them into a page. */
export function filteredList<T extends { readonly id: string }, Filter, Key extends keyof T & string>({
  name,
  filter: Filter,
  conditions,
  orderings,
}: ListOptions<T, Filter, Key>) {
  const ListOrder = orderInput(`${name}Order`, orderings);
  const arrangedLists = new OncePerList<readonly T[]>();
  return {
    arguments: (arg: ArgBuilder) => ({
      ...connectionArguments(arg),
      filter: arg({ type: Filter, description: 'Conditions on the rows. Defaults to all rows.' }),
      orderBy: arg({ type: ListOrder, description: 'Order of the rows. Defaults to that of upstream.' }),
    }),
    /**
     * Creates a function that filters and orders records of a list and cuts a page from them. The arguments are checked at
     * once, before the list is read.
     *
     * @throws ValidationError for an invalid cursor, size or id
     */
    paging: ({ filter, orderBy, ...page }: ListArguments<Filter, Key>, maxSize: number) => {
      const pageOf = listPaging(page, maxSize);
      const given = filter ? conditions(filter) : [];
      const arrange = (records: readonly T[], list: readonly T[]) =>
        applyOrder(applyFilters(records, given, list), orderings, orderBy, list);
      return async (records: readonly T[], list = records): Promise<ListPage<T>> => {
        if (!filter && !orderBy) return pageOf(records);
        return pageOf(await arrangedLists.get(records, { filter, orderBy }, () => arrange(records, list)));
      };
    },
  };
}
