import type { CrmSource } from '../../src/apis/crm/source.ts';
import type { Rows } from './rows.ts';

export const crm: Rows<CrmSource> = {
  createClient: [
    'POST /app/clients.json',
    (source) => source.createClient({ name: 'Ada' }),
    'mutation { createClient(input: { name: "Ada" }) { __typename } }',
  ],
  clients: ['GET /app/clients.json', (source) => source.clients(), '{ clients { nodes { id } } }'],
  client: ['GET /app/clients/:id.json', (source) => source.client('1'), '{ client(id: 1) { id } }'],
  updateClient: [
    'PUT /app/clients/:id.json',
    (source) => source.updateClient('1', { name: 'Ada' }),
    'mutation { updateClient(id: 1, input: { name: "Ada" }) { __typename } }',
  ],
  deleteClient: [
    'DELETE /app/clients/:id.json',
    (source) => source.deleteClient('1'),
    'mutation { deleteClient(id: 1) { __typename } }',
  ],
  createPost: [
    'POST /app/posts.json',
    (source) => source.createPost({ title: 'Call' }),
    'mutation { createPost(input: { title: "Call" }) { __typename } }',
  ],
  posts: ['GET /app.json', (source) => source.posts(), '{ posts { nodes { id } } }'],
  post: ['GET /app/posts/:id.json', (source) => source.post('1'), '{ post(id: 1) { id } }'],
  createDeal: [
    'POST /app/deals.json',
    (source) => source.createDeal({ name: 'Boat' }),
    'mutation { createDeal(input: { name: "Boat" }) { __typename } }',
  ],
  deals: ['GET /app/deals.json', (source) => source.deals(), '{ deals { nodes { id } } }'],
  deal: ['GET /app/deals/:id.json', (source) => source.deal('1'), '{ deal(id: 1) { id } }'],
  updateDeal: [
    'PUT /app/deals/:id.json',
    (source) => source.updateDeal('1', { name: 'Boat' }),
    'mutation { updateDeal(id: 1, input: { name: "Boat" }) { __typename } }',
  ],
  deleteDeal: [
    'DELETE /app/deals/:id.json',
    (source) => source.deleteDeal('1'),
    'mutation { deleteDeal(id: 1) { __typename } }',
  ],
  createContact: [
    'POST /app/contacts.json',
    (source) => source.createContact({ name: 'Bo' }),
    'mutation { createContact(input: { name: "Bo" }) { __typename } }',
  ],
  contact: ['GET /app/contacts/:id.json', (source) => source.contact('1'), '{ contact(id: 1) { id } }'],
  updateContact: [
    'PUT /app/contacts/:id.json',
    (source) => source.updateContact('1', { name: 'Bo' }),
    'mutation { updateContact(id: 1, input: { name: "Bo" }) { __typename } }',
  ],
  createContactList: [
    'POST /app/contact_lists.json',
    (source) => source.createContactList('News'),
    'mutation { createContactList(name: "News") { __typename } }',
  ],
  contactList: [
    'GET /app/contact_lists/:id.json',
    (source) => source.contactList('1'),
    '{ contactList(id: 1) { id } }',
  ],
  updateContactList: [
    'PUT /app/contact_lists/:id.json',
    (source) => source.updateContactList('1', 'News'),
    'mutation { updateContactList(id: 1, name: "News") { __typename } }',
  ],
  createAccount: [
    'POST /app/account.json',
    (source) =>
      source.createAccount({
        account: { prefix: 'acme' },
        user: { login: 'ada', email: 'ada@example.com', password: 'long-enough' },
      }),
    `mutation {
      createAccount(
        input: { prefix: "acme", user: { login: "ada", email: "ada@example.com", password: "long-enough" } }
      ) { __typename }
    }`,
  ],
};
