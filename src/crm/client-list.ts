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
        'Stands in the name, shortcut, first or last name, email, a phone number or the tax number, in whatever case.',
    }),
    kinds: t.field({ type: [ClientKind], description: 'Is one of these.' }),
    company: t.boolean({ description: 'Is a company, or is none.' }),
    statusIds: t.idList({ description: 'Has one of these statuses.' }),
    categoryIds: t.idList({ description: 'Is of one of these categories.' }),
    responsibleIds: t.idList({ description: 'One of these users is responsible.' }),
    contactIds: t.idList({ description: 'One of these contacts is the main one: global ids or upstream ids.' }),
    createdAt: t.field({ type: DateTimeRange, description: 'Was created then.' }),
    updatedAt: t.field({ type: DateTimeRange, description: 'Was last changed then.' }),
    lastActivity: t.field({ type: DateTimeRange, description: 'Something last happened then.' }),
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
    last_activity: { kind: 'instant', about: 'When something last happened.' },
  },
});

builder.queryField('clients', (t) =>
  t.field({
    type: ClientConnection,
    description:
      'Clients. Calls `GET /app/clients.json`, which answers all of them at once: filter, order and page are made in ' +
      'the gateway.',
    args: clientList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = clientList.paging(args, limits.pageSize);
      return pageOf(await crm.clients());
    },
  }),
);
