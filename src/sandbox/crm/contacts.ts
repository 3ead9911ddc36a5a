import { z } from 'zod';
import type { Caller } from '../account/users.ts';
import { integerId, unwrap, validate } from '../body.ts';
import { type JsonObject, parseJsonObject } from '../json-object.ts';
import type { SandboxServices } from '../services.ts';
import { json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticateByBody, authenticateByQuery } from './authentication.ts';
import { each, email, freeText, integer, isBlank, nullFields, writableFields } from './field-types.ts';

const fieldSchemas = {
  ...each(['name', 'description', 'first_name', 'last_name'], freeText),
  responsible_id: integer, // no endpoint tells which users there are
  email,
  phone: freeText,
};
export const contactFields = writableFields(fieldSchemas);
const contactDefaults = nullFields(Object.keys(fieldSchemas));

const row = z.object({
  id: z.int(),
  fields: z.string().transform(parseJsonObject),
});
type StoredContact = z.infer<typeof row>;

/** Adds the routes of contacts. */
export function contacts(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('POST /app/contacts.json', (request) => {
      const caller = authenticateByBody(services, request);
      const id = insertContact(store, caller, validateFields(unwrap('contact', request.body), {}), now());
      return json(shown(visible(store, caller, id)), 201); // Not documented (A125): the status
    })
    .on('GET /app/contacts/:id.json', (request) =>
      json(shown(visible(store, authenticateByQuery(services, request), integerId(request.params.id)))),
    )
    .on('PUT /app/contacts/:id.json', (request) => {
      const caller = authenticateByBody(services, request);
      const { id, fields } = visible(store, caller, integerId(request.params.id));
      const changes = validateFields(unwrap('contact', request.body), fields);
      store.run('UPDATE contacts SET fields = :fields, updated_at = :time WHERE id = :id', {
        id,
        fields: JSON.stringify({ ...fields, ...changes }),
        time: now().toISOString(),
      });
      return json(shown(visible(store, caller, id)));
    });
}

/** Inserts a contact with this time of creation. Returns its id: the next one unless one is given. */
export function insertContact(
  store: Store,
  { accountId }: Pick<Caller, 'accountId'>,
  fields: JsonObject,
  time: Date,
  id: number | null = null,
) {
  return store.insert(
    'INSERT INTO contacts (id, account_id, fields, created_at, updated_at) VALUES (:id, :accountId, :fields, :time, :time)',
    { id, accountId, fields: JSON.stringify(fields), time: time.toISOString() },
  );
}

/** Not documented (A124): another account's contact is 404. */
function visible(store: Store, { accountId }: Caller, id: number | null): StoredContact {
  const contact = store.find(row, 'SELECT * FROM contacts WHERE id = :id AND account_id = :accountId', {
    id,
    accountId,
  });
  if (!contact) throw notFound();
  return contact;
}

/** Not documented (A133, A158): what is wrong with a contact. It is 422, with everything that is. */
function validateFields(given: JsonObject, current: JsonObject): JsonObject {
  const { name, first_name, last_name }: JsonObject = { ...current, ...given };
  const nameless = [name, first_name, last_name].every(isBlank);
  return validate(contactFields, given, nameless ? { name: ["can't be blank"] } : {});
}

/** Not documented (A159): the answer. It has the id and what may be written. */
function shown({ id, fields }: StoredContact) {
  return { id, ...contactDefaults, ...fields };
}
