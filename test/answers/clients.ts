import { bulk, change, creation, invalid, missing, written } from './mutations.ts';
import { createRecords } from './records.ts';
import { lost, lostFields, type Scenario } from './support.ts';

const client = (client: object) => ['clients', { client }] as const;

const CLIENT = `id upstreamId name email taxNo company kind kindText discount createdAt updatedAt creatorId contactId externalId
  externalIds { system value } address { city postCode } bank { name account } payments { total from to }
  avatar { fileName fileSize updatedAt } customFields { string1 integer1 decimal1 checkbox1 }`;

/** Clients. */
export const clients: Scenario = {
  seed: async (house) =>
    createRecords(house, [
      ['contacts', { contact: { name: 'Ada' } }],
      client({ name: 'Oak', email: 'oak@example.com', contact_id: 1, external_ids: { shop: '7' }, discount: '1.50' }),
      client({ name: 'Elm', city: 'Łódź', kind: 'buyer', company: true, string1: 'x', integer1: 5 }),
    ]),
  steps: {
    'a client': {
      query: `{ client(id: "Client:1") { ${CLIENT} contact { name } } }`,
      calls: 2,
      differs: {
        lean: {
          data: { 'client.externalIds': null },
          notSent: [
            'client.address.postCode',
            'client.avatar.fileName',
            'client.avatar.fileSize',
            'client.bank.account',
            'client.customFields.checkbox1',
            'client.customFields.decimal1',
            'client.customFields.integer1',
            'client.customFields.string1',
            'client.externalIds',
            'client.kind',
            'client.kindText',
            'client.payments.from',
          ],
        },
      },
    },
    'a client that is missing': { query: '{ client(id: 99) { name } }', data: { client: null }, calls: 1 },
    'a client with its deals and posts': {
      query: '{ client(id: 1) { name deals { totalCount nodes { name } } posts { totalCount nodes { title } } } }',
      calls: 3,
    },
    'a page of clients': {
      query: `{ clients(first: 1, orderBy: [{ field: NAME }]) { totalCount nodes { ${CLIENT} } pageInfo { hasNextPage endCursor } } }`,
      calls: 1,
      differs: {
        lean: {
          calls: 2,
          data: { 'clients.nodes.0.externalIds': null },
          notSent: [
            'clients.nodes.0.avatar.updatedAt',
            'clients.nodes.0.contactId',
            'clients.nodes.0.email',
            'clients.nodes.0.externalIds',
            'clients.nodes.0.payments.to',
            'clients.nodes.0.payments.total',
            'clients.nodes.0.taxNo',
          ],
        },
      },
    },
    'clients by a filter': {
      query: '{ clients(filter: { kinds: [BUYER], company: true }) { totalCount edges { node { name } } } }',
      calls: 1,
    },
    'a page that is too large': {
      query: '{ clients(first: 1000000) { totalCount } }',
      calls: 0,
      errors: [{ path: 'clients', message: '`first` takes 0 to 1000.', code: 'BAD_USER_INPUT' }],
    },
    'a client by its id in another system': {
      query: '{ clientByExternalId(system: "shop", value: "7") { name } }',
      data: { clientByExternalId: { name: 'Oak' } },
      calls: 1,
      differs: {
        lean: {
          data: { clientByExternalId: null },
          errors: [
            {
              path: 'clientByExternalId',
              message:
                'The list does not tell `external_ids` of its records, so it cannot be searched or ordered by it.',
              code: 'UPSTREAM_BAD_RESPONSE',
            },
          ],
        },
      },
    },
    'a new client with the fields that were sent': {
      query: written('createClient', 'input: { name: "Ash", email: "ash@example.com" }', 'Client', 'name email'),
      calls: 1,
    },
    'a new client with its id': creation('createClient', 'input: { name: "Yew" }', 'Client', 'id name'),
    'a new client with fields that were not sent': {
      query: written('createClient', 'input: { name: "Fir" }', 'Client', 'name createdAt address { city } creatorId'),
      calls: 1,
      differs: { unread: lostFields('createClient', 'address.city', 'createdAt', 'creatorId') },
    },
    'a new client without a name': invalid(
      'createClient',
      'input: { email: "no address" }',
      "name can't be blank; email must be an email address",
    ),
    'a change with the fields that were sent': change(
      'updateClient',
      'id: 1, input: { name: "Oak 2" }',
      'Client',
      'id name',
    ),
    'a change with other fields': {
      query: written('updateClient', 'id: 1, input: { note: "N", email: null }', 'Client', 'name note email discount'),
      calls: 1,
      differs: { unread: { calls: 2 }, lean: { calls: 2 } },
    },
    'a change of a client that is missing': missing('updateClient', 'id: 99, input: { name: "X" }'),
    'a change to a contact that is missing': invalid('updateClient', 'id: 1, input: { contactId: 99 }'),
    'new clients, one of them refused': {
      query: bulk(
        'createClients',
        'inputs: [{ name: "B1" }, { name: "" }, { name: "B2" }], onFailure: CONTINUE',
        'Client',
        'name',
      ),
      calls: 3,
      refused: ['ValidationError'],
      differs: { 'bare:refused-200': { data: { 'createClients.1.message': "name can't be blank" } } },
    },
    'new clients with their ids': {
      query: bulk('createClients', 'inputs: [{ name: "B3" }, { name: "B4" }]', 'Client', 'name id'),
      calls: 2,
      differs: {
        unread: {
          data: { 'createClients.0': null, 'createClients.1': null },
          errors: [lost('createClients.0.id'), lost('createClients.1.id')],
        },
      },
    },
    'changes that stop': {
      query: bulk(
        'updateClients',
        'inputs: [{ id: 6, input: { name: "C1" } }, { id: 99, input: { name: "C2" } }, { id: 7, input: { name: "C3" } }]',
        'Client',
        'id name',
      ),
      calls: 2,
      refused: ['NotFoundError', 'NotAttempted'],
      differs: { unread: { calls: 3 } },
    },
    'a deletion': { query: written('deleteClient', 'id: "Client:5"', 'DeletedNode', 'deletedId deletedIds'), calls: 1 },
    'a deletion again': missing('deleteClient', 'id: 5'),
    deletions: {
      query: bulk('deleteClients', 'ids: [6, 99, 7], onFailure: CONTINUE', 'DeletedNode', 'deletedId'),
      calls: 3,
      refused: ['NotFoundError'],
    },
  },
};
