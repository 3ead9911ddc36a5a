import { z } from 'zod';
import type { Caller } from '../account/users.ts';
import { integerId, text, validateWrapped } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticateByBody, authenticateByQuery } from './authentication.ts';
import { isBlank } from './field-types.ts';

/** Not documented (A160): that a name is required. */
const name = text.refine((value) => !isBlank(value), "can't be blank");
export const contactListFields = z.object({ name });
const change = z.object({ name: name.exactOptional() });

/** Not documented (A161): the answer. It is this record. */
const row = z.object({ id: z.int(), name: z.string() });
type ContactList = z.infer<typeof row>;

/** Adds the routes of contact lists, which hold recipients. */
export function contactLists(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('POST /app/contact_lists.json', (request) => {
      const caller = authenticateByBody(services, request);
      const { name } = validateWrapped('contact_list', contactListFields, request.body);
      const id = insertContactList(store, caller, name, now());
      return json(visible(store, caller, id), 201); // Not documented (A125): the status
    })
    .on('GET /app/contact_lists/:id.json', (request) =>
      json(visible(store, authenticateByQuery(services, request), integerId(request.params.id))),
    )
    .on('PUT /app/contact_lists/:id.json', (request) => {
      const caller = authenticateByBody(services, request);
      const list = visible(store, caller, integerId(request.params.id));
      const { name = list.name } = validateWrapped('contact_list', change, request.body);
      const time = now().toISOString();
      store.run('UPDATE contact_lists SET name = :name, updated_at = :time WHERE id = :id', {
        id: list.id,
        name,
        time,
      });
      return json(visible(store, caller, list.id));
    });
}

/** Inserts a contact list with this time of creation. Returns its id: the next one unless one is given. */
export function insertContactList(
  store: Store,
  { accountId }: Pick<Caller, 'accountId'>,
  name: string,
  time: Date,
  id: number | null = null,
) {
  return store.insert(
    'INSERT INTO contact_lists (id, account_id, name, created_at, updated_at) VALUES (:id, :accountId, :name, :time, :time)',
    { id, accountId, name, time: time.toISOString() },
  );
}

/** Not documented (A124): another account's list is 404. */
function visible(store: Store, { accountId }: Caller, id: number | null): ContactList {
  const list = store.find(row, 'SELECT * FROM contact_lists WHERE id = :id AND account_id = :accountId', {
    id,
    accountId,
  });
  if (!list) throw notFound();
  return list;
}
