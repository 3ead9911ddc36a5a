import { builder } from '../builder.ts';
import { listConnectionOf } from '../lists/connections.ts';
import { Client } from './clients.ts';
import { Deal } from './deals.ts';
import { indexByForeignKey } from '../lists/foreign-keys.ts';
import {
  idFilter,
  decimalRange,
  type Conditions,
  textFilter,
  DecimalRange,
  filteredList,
  FILTER_DESCRIPTION,
} from '../lists/filters.ts';
import type { DealRecord } from './wire.ts';

const DealConnection = listConnectionOf('Deal', Deal, 'Deals.');

const DealFilter = builder.inputType('DealFilter', {
  description: FILTER_DESCRIPTION,
  fields: (t) => ({
    text: t.string({ description: 'This text is in the name or the description. Case does not matter.' }),
    clientIds: t.idList({ description: 'The client is one of these. Takes global ids or upstream ids.' }),
    price: t.field({ type: DecimalRange, description: 'The expected value is in this range.' }),
  }),
});

/** The keys of a record that the filter `text` looks at. */
export const dealTextKeys = ['name', 'description'] as const;

const dealList = filteredList({
  name: 'Deal',
  filter: DealFilter,
  conditions: (filter): Conditions<DealRecord> => [
    textFilter(filter.text, dealTextKeys),
    idFilter(filter.clientIds, 'client_id', 'clientIds', 'Client'),
    decimalRange(filter.price, 'price'),
  ],
  orderings: {
    id: { kind: 'id', about: 'The id: numbers by their size.' },
    name: { kind: 'text', about: 'The name.' },
    price: { kind: 'decimal', about: 'The expected value.' },
  },
});

const dealsOfClient = indexByForeignKey<DealRecord>('client_id');

builder.queryField('deals', (t) =>
  t.field({
    type: DealConnection,
    description:
      'Deals. Calls `GET /app/deals.json`, which returns all deals; the gateway filters, orders and pages them.',
    args: dealList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = dealList.paging(args, limits.pageSize);
      return pageOf(await crm.deals());
    },
  }),
);

builder.objectField(Client, 'deals', (t) =>
  t.field({
    type: DealConnection,
    description: 'Its deals. Calls `GET /app/deals.json`, once for all clients of an operation.',
    args: dealList.arguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = dealList.paging(args, limits.pageSize);
      const deals = await crm.deals();
      return pageOf(dealsOfClient(deals, id), deals);
    },
  }),
);
