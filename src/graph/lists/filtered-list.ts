import { hash } from 'node:crypto';
import type { InputRef } from '@pothos/core';
import type { ArgBuilder } from '../builder.ts';
import type { Rows } from '../../formats/rows.ts';
import { inSlices, type Steps } from '../../formats/slices.ts';
import { type ListPage, type PageArguments, connectionArguments, listPaging } from './connections.ts';
import { type Conditions, filtering } from './filters.ts';
import { oncePerList } from './once-per-list.ts';
import { checkedOrder, type Order, ordering, orderInput, type Orderings } from './orders.ts';

type Optional<V> = V | null | undefined;

/** The filter and the orders of a list that upstream returns completely. */
interface ListOptions<T, Filter, Key extends string> {
  readonly name: string;
  readonly filter: InputRef<Filter>;
  readonly conditions: (filter: Filter) => Conditions<T>;
  readonly orderings: Orderings<Key>;
}

interface ListArguments<Filter, Key extends string> extends PageArguments {
  readonly filter?: Optional<Filter>;
  readonly orderBy?: Optional<readonly Order<Key>[]>;
}

/** The conditions and orders of one field over a list. */
interface Arrangement<T, Key extends string> {
  readonly given: Conditions<T>;
  readonly orders: readonly Order<Key>[];
}

const digest = (values: readonly unknown[]) => hash('sha256', JSON.stringify(values), 'base64url').slice(0, 8);

/** Creates the arguments of a connection over a complete list, and the function that turns them into a page. */
export function filteredList<T extends { readonly id: string }, Filter, Key extends keyof T & string>({
  name,
  filter: Filter,
  conditions,
  orderings,
}: ListOptions<T, Filter, Key>) {
  const ListOrder = orderInput(`${name}Order`, orderings);
  function* arranging(records: Rows<T>, list: Rows<T>, { given, orders }: Arrangement<T, Key>): Steps<Rows<T>> {
    const filtered = yield* filtering(records, given, list);
    return yield* ordering(filtered, orderings, orders, list);
  }
  return {
    arguments: (arg: ArgBuilder) => ({
      ...connectionArguments(arg),
      filter: arg({ type: Filter, description: 'Conditions on the rows. Defaults to all rows.' }),
      orderBy: arg({
        type: [ListOrder],
        description:
          'Order of the rows: the second order sorts rows that are equal in the first, and so on. Defaults to that of upstream.',
      }),
    }),
    /**
     * Creates a function that filters and orders records of a list and cuts a page from them. The arguments are checked at
     * once, before the list is read. The page has the problems of the records, and one for each condition that left out rows
     * because it could not be decided for them.
     *
     * @throws ValidationError for an invalid cursor, size, filter or order
     */
    paging: ({ filter, orderBy, ...page }: ListArguments<Filter, Key>, maxSize: number) => {
      const pageOf = listPaging(page, maxSize);
      const wanted = { given: filter ? conditions(filter) : [], orders: orderBy ? checkedOrder(orderBy) : [] };
      return async (records: Rows<T>, list = records): Promise<ListPage<T>> => {
        const { orders } = wanted;
        if (!filter && orders.length === 0) return pageOf(records);
        if (filter) records.assertComplete();
        const { arranged } = records.findings;
        const shown = oncePerList(arranged, { filter, orders }, () => inSlices(arranging(records, list, wanted)));
        const digestOf = (row: T) => digest(orders.map(({ field }) => row[field]));
        return pageOf(await shown, orders.length > 0 ? digestOf : undefined);
      };
    },
  };
}
