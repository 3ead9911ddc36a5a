import { builder } from '../../graph/builder.ts';
import { continuedRow, listConnectionOf } from '../../graph/lists/connections.ts';
import { filteredList } from '../../graph/lists/filtered-list.ts';
import { clientFilter } from './client-filter.ts';
import { Client } from './clients.ts';
import { externalIdArguments, findByExternalId } from './external-id-filter.ts';

const ClientConnection = listConnectionOf('Client', Client, 'Clients.');

const clientList = filteredList({
  name: 'Client',
  ...clientFilter,
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
    semanticNonNull: true,
    description:
      'Clients. Calls `GET /app/clients.json`, which returns all clients; the gateway filters, orders and pages them.',
    args: clientList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = clientList.paging(args, limits.pageSize);
      return pageOf(await crm.clients(continuedRow(args)));
    },
  }),
);

builder.queryField('clientByExternalId', (t) =>
  t.field({
    type: Client,
    description:
      'The client with an id in another system, or null when there is none; the first one when several have it. Calls ' +
      '`GET /app/clients.json`: upstream finds no client by such an id. An error when the list does not tell these ids.',
    args: externalIdArguments(t.arg),
    resolve: async (_root, externalId, { crm }) => findByExternalId(externalId, await crm.clients()),
  }),
);
