import { bulk, change, creation, invalid, missing, written } from './mutations.ts';
import { createRecords } from './records.ts';
import { lost, lostFields, type Scenario } from './support.ts';

const deal = (deal: object) => ['deals', { deal }] as const;

const DEAL = 'id name description price clientId externalIds { system value }';

const account = (prefix: string, login: string, selection: string) =>
  written(
    'createAccount',
    `input: { prefix: "${prefix}", user: { login: "${login}", email: "eve@example.com", password: "long enough" } }`,
    'CreatedAccount',
    selection,
  );

/** Deals and accounts. */
export const deals: Scenario = {
  seed: async (house) =>
    createRecords(house, [
      ['clients', { client: { name: 'Oak' } }],
      deal({ name: 'Chairs', client_id: 1, price: '10.00', description: 'Ten', external_ids: { shop: '8' } }),
      deal({ name: 'Tables', price: '7', client_id: 1, description: 'Two', external_ids: { shop: '9' } }),
    ]),
  steps: {
    'a deal': { query: `{ deal(id: 1) { ${DEAL} client { name } } }`, calls: 2 },
    'a deal that is missing': { query: '{ deal(id: 99) { name } }', data: { deal: null }, calls: 1 },
    'all deals': { query: `{ deals { totalCount nodes { ${DEAL} client { name } } } }`, calls: 2 },
    'deals by a filter': {
      query:
        '{ deals(filter: { price: { min: 8 } }, orderBy: [{ field: PRICE, direction: DESC }]) { nodes { name } } }',
      calls: 1,
    },
    'a deal by its id elsewhere': { query: '{ dealByExternalId(system: "shop", value: "9") { name } }', calls: 1 },
    'a new deal with the fields that were sent': {
      query: written('createDeal', 'input: { name: "Sofas", price: 3 }', 'Deal', 'name price'),
      calls: 1,
    },
    'a new deal with its id': creation('createDeal', 'input: { name: "Beds" }', 'Deal', 'id name'),
    'a new deal with a new client': {
      query: written(
        'createDeal',
        'input: { name: "Lamps", client: { name: "Elm" } }',
        'Deal',
        'name clientId client { name }',
      ),
      calls: 2,
      differs: { unread: { ...lostFields('createDeal', 'client', 'clientId'), calls: 1 } },
    },
    'a new deal of a client that is missing': invalid(
      'createDeal',
      'input: { name: "X", clientId: 99 }',
      'client_id does not exist',
    ),
    'a change of a deal': change('updateDeal', 'id: 1, input: { price: 11, description: null }', 'Deal', DEAL),
    'a change of a deal that is missing': missing('updateDeal', 'id: 99, input: { name: "X" }'),
    'new deals': { query: bulk('createDeals', 'inputs: [{ name: "B1" }, { name: "B2" }]', 'Deal', 'name'), calls: 2 },
    'new deals with their ids': {
      query: bulk('createDeals', 'inputs: [{ name: "B3" }]', 'Deal', 'id'),
      calls: 1,
      differs: { unread: { data: { 'createDeals.0': null }, errors: [lost('createDeals.0.id')] } },
    },
    'changes of deals': {
      query: bulk(
        'updateDeals',
        'inputs: [{ id: 1, input: { name: "C1" } }, { id: 2, input: { name: " " } }]',
        'Deal',
        'id name',
      ),
      calls: 2,
      refused: ['ValidationError'],
      differs: { unread: { calls: 3 } },
    },
    'a deletion': { query: written('deleteDeal', 'id: 1', 'DeletedNode', 'deletedId'), calls: 1 },
    'a deletion again': missing('deleteDeal', 'id: 1'),
    deletions: {
      query: bulk('deleteDeals', 'ids: [2, 99, 3]', 'DeletedNode', 'deletedId'),
      calls: 2,
      refused: ['NotFoundError', 'NotAttempted'],
    },
    'a new account': {
      query: account('eve', 'eve', 'prefix login email url apiToken'),
      calls: 1,
      differs: {
        unread: {
          data: {
            'createAccount.prefix': null,
            'createAccount.login': null,
            'createAccount.url': null,
            'createAccount.apiToken': null,
          },
          errors: [
            lost('createAccount.login', 'the response does not tell the login of the new account.'),
            lost('createAccount.prefix', 'the response does not tell the prefix of the new account.'),
          ],
          notSent: ['createAccount.apiToken', 'createAccount.url'],
        },
        lean: {
          data: { 'createAccount.url': null, 'createAccount.apiToken': null },
          notSent: ['createAccount.apiToken', 'createAccount.url'],
        },
      },
    },
    'a new account with its email address': { query: account('eva', 'eva', 'email'), calls: 1 },
    'a new account whose login is taken': {
      query: account('eva', 'eve', 'prefix'),
      calls: 1,
      refused: ['ValidationError'],
      differs: {
        'bare:refused-200': {
          data: { 'createAccount.message': 'prefix has already been taken; login has already been taken' },
        },
      },
    },
    'without a credential': {
      query: '{ deals { totalCount } }',
      token: null,
      calls: 0,
      errors: [
        {
          path: 'deals',
          message:
            'No credential for the CRM: send the header `X-CRM-Token: <API_TOKEN>`, or `Authorization: Bearer <API_TOKEN>`, which serves it too.',
          code: 'UNAUTHENTICATED',
        },
      ],
    },
  },
};
