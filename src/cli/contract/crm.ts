import { clientKeys, contactKeys, contactListKeys, dealKeys, postKeys } from '../../apis/crm/keys.ts';
import type { Keys } from '../../formats/keys.ts';
import { kinds, kindsOf } from './kinds.ts';
import { type ContractRead, listAndRecord } from './shape.ts';

const fieldsOf = (keys: Keys) => ({ id: kinds.ownId, ...kindsOf(keys) });

const [clients, oneClient] = listAndRecord(
  ['GET /app/clients.json', 'GET /app/clients/:id.json'],
  'client',
  fieldsOf(clientKeys),
);

export const crmReads: readonly ContractRead[] = [
  { ...clients, gives: ({ id, contact_id: contactId }) => ({ client: id, contact: contactId }) },
  oneClient,
  ...listAndRecord(['GET /app.json', 'GET /app/posts/:id.json'], 'post', fieldsOf(postKeys)),
  ...listAndRecord(['GET /app/deals.json', 'GET /app/deals/:id.json'], 'deal', fieldsOf(dealKeys)),
  {
    endpoint: 'GET /app/contacts/:id.json',
    needs: { id: 'contact' },
    fields: fieldsOf(contactKeys),
    recordKey: 'contact',
  },
  {
    endpoint: 'GET /app/contact_lists/:id.json',
    needs: { id: 'contact_list' }, // no answer names one
    fields: fieldsOf(contactListKeys),
    recordKey: 'contact_list',
  },
];
