import type { ContactListRecord, ContactRecord, DealRecord } from '../../apis/crm/wire.ts';
import { clientKeys, type Keys, postKeys } from '../../apis/crm/keys.ts';
import { kinds } from './kinds.ts';
import { type ContractRead, type FieldsOf, listAndRecord } from './shape.ts';

const kindsOf = (keys: Keys) => Object.fromEntries(Object.entries(keys).map(([name, { kind }]) => [name, kinds[kind]]));

const client = { id: kinds.ownId, ...kindsOf(clientKeys) };

const post = { id: kinds.ownId, ...kindsOf(postKeys) };

const deal = {
  id: kinds.ownId,
  name: kinds.text,
  description: kinds.text,
  client_id: kinds.id,
  price: kinds.decimal,
  external_ids: kinds.objectOrList,
  client: kinds.object,
} satisfies FieldsOf<DealRecord>;

const contact = {
  id: kinds.ownId,
  responsible_id: kinds.id,
  name: kinds.text,
  description: kinds.text,
  first_name: kinds.text,
  last_name: kinds.text,
  email: kinds.text,
  phone: kinds.text,
} satisfies FieldsOf<ContactRecord>;

const contactList = { id: kinds.ownId, name: kinds.text } satisfies FieldsOf<ContactListRecord>;

const [clients, oneClient] = listAndRecord(['GET /app/clients.json', 'GET /app/clients/:id.json'], 'client', client);

export const crmReads: readonly ContractRead[] = [
  { ...clients, gives: ({ id, contact_id: contactId }) => ({ client: id, contact: contactId }) },
  oneClient,
  ...listAndRecord(['GET /app.json', 'GET /app/posts/:id.json'], 'post', post),
  ...listAndRecord(['GET /app/deals.json', 'GET /app/deals/:id.json'], 'deal', deal),
  { endpoint: 'GET /app/contacts/:id.json', needs: { id: 'contact' }, fields: contact, recordKey: 'contact' },
  {
    endpoint: 'GET /app/contact_lists/:id.json',
    needs: { id: 'contact_list' }, // no answer names one
    fields: contactList,
    recordKey: 'contact_list',
  },
];
