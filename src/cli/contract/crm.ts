import { clientKeys, contactKeys, contactListKeys, dealKeys, type Keys, postKeys } from '../../apis/crm/keys.ts';
import { kinds } from './kinds.ts';
import { type ContractRead, type Fields, listAndRecord } from './shape.ts';

const kindsOf = (keys: Keys): Fields => ({
  id: kinds.ownId,
  ...Object.fromEntries(Object.entries(keys).map(([name, { kind }]) => [name, kinds[kind]])),
});

const [clients, oneClient] = listAndRecord(
  ['GET /app/clients.json', 'GET /app/clients/:id.json'],
  'client',
  kindsOf(clientKeys),
);

export const crmReads: readonly ContractRead[] = [
  { ...clients, gives: ({ id, contact_id: contactId }) => ({ client: id, contact: contactId }) },
  oneClient,
  ...listAndRecord(['GET /app.json', 'GET /app/posts/:id.json'], 'post', kindsOf(postKeys)),
  ...listAndRecord(['GET /app/deals.json', 'GET /app/deals/:id.json'], 'deal', kindsOf(dealKeys)),
  {
    endpoint: 'GET /app/contacts/:id.json',
    needs: { id: 'contact' },
    fields: kindsOf(contactKeys),
    recordKey: 'contact',
  },
  {
    endpoint: 'GET /app/contact_lists/:id.json',
    needs: { id: 'contact_list' }, // no answer names one
    fields: kindsOf(contactListKeys),
    recordKey: 'contact_list',
  },
];
