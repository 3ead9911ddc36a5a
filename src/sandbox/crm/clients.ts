import type { Caller } from '../account/users.ts';
import { integerId, unwrap, validate } from '../body.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { SandboxServices } from '../services.ts';
import { json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticateByBody, authenticateByQuery } from './authentication.ts';
import { clientDefaults, clientFields } from './client-fields.ts';
import { isBlank } from './field-types.ts';
import { findLinkErrors } from './links.ts';
import {
  deleteClient,
  findClient,
  insertClient,
  listClients,
  saveClient,
  type StoredClient,
} from './stored-clients.ts';

/** The endpoints of clients. Not documented (A121): who may use them. It is whoever has a token of the account. */
export function clients(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('POST /app/clients.json', (request) => {
      const caller = authenticateByBody(services, request);
      const fields = validateFields(store, caller, unwrap('client', request.body), {});
      const id = insertClient(store, caller, fields, now());
      return json(shown(visible(store, caller, id)), 201); // Not documented (A125): the status
    })
    .on('GET /app/clients.json', (request) =>
      json(listClients(store, authenticateByQuery(services, request)).map(shown)),
    )
    .on('GET /app/clients/:id.json', (request) =>
      json(shown(visible(store, authenticateByQuery(services, request), integerId(request.params.id)))),
    )
    .on('PUT /app/clients/:id.json', (request) => {
      const caller = authenticateByBody(services, request);
      const client = visible(store, caller, integerId(request.params.id));
      const changes = validateFields(store, caller, unwrap('client', request.body), client.fields);
      saveClient(store, caller, client, changes, now());
      return json(shown(visible(store, caller, client.id)));
    })
    .on('DELETE /app/clients/:id.json', (request) => {
      deleteClient(store, visible(store, authenticateByQuery(services, request), integerId(request.params.id)));
      return json('ok'); // Not documented (A126): the status and the body
    });
}

/** Not documented (A124): another account's client is 404. */
function visible(store: Store, caller: Caller, id: number | null): StoredClient {
  const client = findClient(store, caller, id);
  if (!client) throw notFound();
  return client;
}

/** Not documented (A133, A140, A141): what is wrong with a client. It is 422, with everything that is. */
function validateFields(store: Store, caller: Caller, given: JsonObject, current: JsonObject): JsonObject {
  return validate(clientFields, given, {
    ...findLinkErrors(store, caller, given, { contact_id: 'contacts' }),
    ...(isBlank({ ...current, ...given }['name']) && { name: ["can't be blank"] }),
  });
}

/**
 * Not documented (A128, A136): the answer. It is the documented record, with the map `external_ids` of a request
 * beside `external_id`, the first of its values.
 */
function shown({ id, fields: { external_ids, ...fields }, ...columns }: StoredClient) {
  const ids = isJsonObject(external_ids) ? external_ids : {};
  const [first = null] = Object.values(ids);
  const external_id = fields['external_id'] ?? first; // Not documented (A257): that it may be sent
  const contacts_count = columns.contact_id === null ? 0 : 1;
  return { id, ...clientDefaults, ...fields, ...columns, contacts_count, external_id, external_ids: ids };
}
