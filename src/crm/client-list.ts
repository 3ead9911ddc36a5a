import { builder } from '../builder.ts';
import { listConnectionOf } from '../lists/connections.ts';
import { ClientKind, clientKind } from './client-kind.ts';
import { Client } from './clients.ts';
import {
  inFilter,
  idFilter,
  type Conditions,
  textFilter,
  DateTimeRange,
  filteredList,
  FILTER_DESCRIPTION,
  booleanFilter,
  instantRange,
} from '../lists/filters.ts';
import type { ClientRecord } from './wire.ts';

const ClientConnection = listConnectionOf('Client', Client, 'Clients.');

const ClientFilter = builder.inputType('ClientFilter', {
  description: FILTER_DESCRIPTION,
  fields: (t) => ({
    text: t.string({
      description:
        'This text is in the name, shortcut, first or last name, email, a phone number or the tax number. Case does not matter.',
    }),
    kinds: t.field({ type: [ClientKind], description: 'The kind is one of these.' }),
    company: t.boolean({ description: 'True keeps companies; false keeps all other clients.' }),
    statusIds: t.idList({ description: 'The status is one of these.' }),
    categoryIds: t.idList({ description: 'The category is one of these.' }),
    responsibleIds: t.idList({ description: 'The responsible user is one of these.' }),
    contactIds: t.idList({ description: 'The main contact is one of these. Takes global ids or upstream ids.' }),
    createdAt: t.field({ type: DateTimeRange, description: 'Created within this range.' }),
    updatedAt: t.field({ type: DateTimeRange, description: 'Last changed within this range.' }),
    lastActivity: t.field({ type: DateTimeRange, description: 'The last activity is within this range.' }),
  }),
});

/** The keys of a record that the filter `text` looks at. */
export const clientTextKeys = [
  'name',
  'shortcut',
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile_phone',
  'tax_no',
] as const satisfies (keyof ClientRecord)[];

const clientList = filteredList({
  name: 'Client',
  filter: ClientFilter,
  conditions: (filter): Conditions<ClientRecord> => [
    textFilter(filter.text, clientTextKeys),
    inFilter(filter.kinds, 'kind', clientKind),
    booleanFilter(filter.company, 'company'),
    idFilter(filter.statusIds, 'status_id', 'statusIds'),
    idFilter(filter.categoryIds, 'category_id', 'categoryIds'),
    idFilter(filter.responsibleIds, 'responsible_id', 'responsibleIds'),
    idFilter(filter.contactIds, 'contact_id', 'contactIds', 'Contact'),
    instantRange(filter.createdAt, 'created_at'),
    instantRange(filter.updatedAt, 'updated_at'),
    instantRange(filter.lastActivity, 'last_activity'),
  ],
  orderings: {
    id: { kind: 'id', about: 'The id: numbers by their size.' },
    name: { kind: 'text', about: 'The name.' },
    created_at: { kind: 'instant', about: 'When it was created.' },
    updated_at: { kind: 'instant', about: 'When it was last changed.' },
    last_activity: { kind: 'instant', about: 'When the last activity was.' },
  },
});

builder.queryField('clients', (t) =>
  t.field({
    type: ClientConnection,
    description:
      'Clients. Calls `GET /app/clients.json`, which returns all clients; the gateway filters, orders and pages them.',
    args: clientList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = clientList.paging(args, limits.pageSize);
      return pageOf(await crm.clients());
    },
  }),
);
