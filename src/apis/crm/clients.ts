import { DeletedNode, nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { globalId, idArgument, upstreamId } from '../../graph/ids.ts';
import { ifUnchanged, ifUpdatedAtArgument } from '../../graph/if-updated-at.ts';
import { changesOf, mapFieldPaths } from '../../errors.ts';
import { externalIdentifier, text } from '../../formats/leaves.ts';
import { linkedId } from '../../calls/transport/path.ts';
import { clientFields, ClientInput, clientInputPath, clientKind, ClientKind } from './client-input.ts';
import { Contact } from './contacts.ts';
import { ClientCustomFields } from './custom-fields.ts';
import { ExternalId } from './external-ids.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { clientGroups, ownClientKeys } from './keys.ts';
import { clientKey as key, recordFields } from './lazy-fields.ts';
import { type ClientRecord, externalIdList } from './wire.ts';

// Groups of fields of a client. A group has no record of its own: its fields resolve from the record of the client.

const ClientAddress = builder.objectRef<ClientRecord>('ClientAddress').implement({
  description: 'The parts of an address.',
  fields: (t) => keyFields(t, clientGroups.address, key),
});

const ClientBank = builder.objectRef<ClientRecord>('ClientBank').implement({
  description: 'Bank data.',
  fields: (t) => keyFields(t, clientGroups.bank, key),
});

const ClientAvatar = builder.objectRef<ClientRecord>('ClientAvatar').implement({
  description: 'A picture. Its address is not documented.',
  fields: (t) => keyFields(t, clientGroups.avatar, key),
});

const ClientPayments = builder.objectRef<ClientRecord>('ClientPayments').implement({
  description: 'Payments of a client. Upstream states no currency.',
  fields: (t) => keyFields(t, clientGroups.payments, key),
});

export const Client = nodeRef<ClientRecord>('Client', (ids, { crm }) => crm.clientsById(ids));

builder.objectType(Client, {
  name: 'Client',
  description: 'A person or company that the account deals with.',
  fields: (t) => ({
    ...recordFields(
      t,
      key.whole(),
      ' It may hold what `token` and `sensitiveData` hold. The response is marked `no-store`.',
    ),
    ...keyFields(t, ownClientKeys, key),
    kind: t.field({
      type: ClientKind,
      description: 'Whether it is a buyer or a seller.',
      resolve: key('kind', clientKind),
    }),
    kindText: t.string({
      description: "Upstream's own value of `kind`, also when `kind` cannot show it.",
      resolve: key('kind', text),
    }),
    address: t.field({
      type: ClientAddress,
      nullable: false,
      description: 'Its address.',
      resolve: (client) => client,
    }),
    bank: t.field({ type: ClientBank, nullable: false, description: 'Bank data.', resolve: (client) => client }),
    payments: t.field({
      type: ClientPayments,
      nullable: false,
      description: 'Its payments.',
      resolve: (client) => client,
    }),
    avatar: t.field({ type: ClientAvatar, nullable: false, description: 'Its picture.', resolve: (client) => client }),
    customFields: t.field({
      type: ClientCustomFields,
      nullable: false,
      description: 'Additional fields.',
      resolve: (client) => client,
    }),
    externalId: t.id({
      description: 'Id in another system; the record holds one at most.',
      resolve: key('external_id', externalIdentifier),
    }),
    externalIds: t.field({
      type: [ExternalId],
      description: 'Ids in other systems. Upstream accepts them; whether it returns them is not documented.',
      resolve: key('external_ids', externalIdList),
    }),
    contact: t.field({
      type: Contact,
      description:
        'The main contact. Calls `GET /app/contacts/:id.json`, once for each contact: the API has no list of contacts.',
      resolve: key('contact_id', linkedId), // an id suffices: Contact loads itself
    }),
  }),
});

nodeQuery('client', Client, 'One client, or null when the caller can see none. Calls `GET /app/clients/:id.json`.');

interface ClientUpdate {
  readonly id: string;
  readonly input: typeof ClientInput.$inferInput;
  readonly ifUpdatedAt?: string | null | undefined;
}

/** Writes of one client, for single and bulk mutations. */
export const clientWrites = {
  create: async (input: typeof ClientInput.$inferInput, { crm }: Context) =>
    crm.createClient(clientFields(input)).catch(mapFieldPaths(clientInputPath)),
  update: async ({ id, input, ifUpdatedAt }: ClientUpdate, { crm }: Context) =>
    crm
      .updateClient(upstreamId(id, 'Client'), changesOf(clientFields(input)), ifUnchanged(ifUpdatedAt, Client))
      .catch(mapFieldPaths(clientInputPath)),
  delete: async (id: string, { crm }: Context) => {
    const client = upstreamId(id, 'Client');
    await crm.deleteClient(client);
    return { deletedId: globalId('Client', client) };
  },
};

builder.mutationFields((t) => ({
  createClient: t.field({
    type: Client,
    description: 'Creates a client. Calls `POST /app/clients.json`.',
    errors: {},
    args: { input: t.arg({ type: ClientInput, required: true, description: 'The client.' }) },
    resolve: (_root, { input }, context) => clientWrites.create(input, context),
  }),
  updateClient: t.field({
    type: Client,
    description:
      'Changes a client. A field that is left out stays; null clears it. Calls `PUT /app/clients/:id.json`. When the response holds no record, selected fields are read by id.',
    errors: {},
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: ClientInput, required: true, description: 'The changes.' }),
      ifUpdatedAt: ifUpdatedAtArgument(t.arg),
    },
    resolve: (_root, change, context) => clientWrites.update(change, context),
  }),
  deleteClient: t.field({
    type: DeletedNode,
    description: 'Deletes a client. Calls `DELETE /app/clients/:id.json`.',
    errors: {},
    args: { id: idArgument(t.arg) },
    resolve: (_root, { id }, context) => clientWrites.delete(id, context),
  }),
}));
