import { builder } from '../../graph/builder.ts';
import { continuedRow, listConnectionOf } from '../../graph/lists/connections.ts';
import { filteredList } from '../../graph/lists/filtered-list.ts';
import { decimalsField, filterField, idsField, listFilter, nullsField } from '../../graph/lists/filter-fields.ts';
import { textFilter } from '../../graph/lists/text-filters.ts';
import { referringRows } from '../../graph/lists/foreign-keys.ts';
import { Client } from './clients.ts';
import { Deal } from './deals.ts';
import { externalIdArguments, ExternalIdFilter, externalIdFilter, findByExternalId } from './external-id-filter.ts';
import { nullableKeys } from '../../graph/key-fields.ts';
import { dealKeys } from './keys.ts';
import type { DealRecord } from './wire.ts';

const DealConnection = listConnectionOf('Deal', Deal, 'Deals.');

/** The keys of a record that the filter `text` looks at. */
export const dealTextKeys = ['name', 'description'] as const;

const DealFilterField = nullableKeys('DealFilterField', 'A field of a deal that may have no value.', dealKeys);

const dealFilter = listFilter<DealRecord>('Deal', {
  text: filterField(
    'String',
    'This text is in the name or the description. Case and accents do not matter. At most 200 characters.',
    (words, path) => textFilter(words, path, dealTextKeys),
  ),
  clientIds: idsField('client_id', 'The client is one of these. Takes global ids or upstream ids.', 'Client'),
  price: decimalsField('price', 'The expected value is in this range.'),
  externalId: filterField(ExternalIdFilter, 'It has this id in another system.', externalIdFilter),
  isNull: nullsField(DealFilterField, true),
  isNotNull: nullsField(DealFilterField, false),
});

const dealList = filteredList({
  name: 'Deal',
  ...dealFilter,
  orderings: {
    id: { kind: 'id', about: 'The id: numbers by their size.' },
    name: { kind: 'text', about: 'The name.' },
    price: { kind: 'decimal', about: 'The expected value.' },
  },
});

builder.queryField('deals', (t) =>
  t.field({
    type: DealConnection,
    semanticNonNull: true,
    description:
      'Deals. Calls `GET /app/deals.json`, which returns all deals; the gateway filters, orders and pages them.',
    args: dealList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = dealList.paging(args, limits.pageSize);
      return pageOf(await crm.deals(continuedRow(args)));
    },
  }),
);

builder.objectField(Client, 'deals', (t) =>
  t.field({
    type: DealConnection,
    semanticNonNull: true,
    description: 'Its deals. Calls `GET /app/deals.json`, once for all clients of an operation.',
    args: dealList.arguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = dealList.paging(args, limits.pageSize);
      const deals = await crm.deals(continuedRow(args));
      return pageOf(await referringRows(deals, 'client_id', id), deals);
    },
  }),
);

builder.queryField('dealByExternalId', (t) =>
  t.field({
    type: Deal,
    description:
      'The deal with an id in another system, or null when there is none; the first one when several have it. Calls ' +
      '`GET /app/deals.json`: upstream finds no deal by such an id. An error when the list does not tell these ids.',
    args: externalIdArguments(t.arg),
    resolve: async (_root, externalId, { crm }) => findByExternalId(externalId, await crm.deals()),
  }),
);
