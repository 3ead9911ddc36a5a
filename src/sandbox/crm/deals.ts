import type { Caller } from '../account/users.ts';
import { integerId, unwrap, validate } from '../body.ts';
import type { JsonObject } from '../json-object.ts';
import type { SandboxServices } from '../services.ts';
import { json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticateByBody, authenticateByQuery } from './authentication.ts';
import { decimal, externalIds, freeText, integer, isBlank, writableFields } from './field-types.ts';
import { findLinkErrors } from './links.ts';
import { readNestedClient } from './nested-client.ts';
import { deleteDeal, findDeal, insertDeal, listDeals, saveDeal, type StoredDeal } from './stored-deals.ts';

export const dealFields = writableFields({
  name: freeText,
  description: freeText,
  client_id: integer,
  price: decimal,
  external_ids: externalIds,
});

/** Adds the routes of deals. */
export function deals(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('POST /app/deals.json', (request) => {
      const caller = authenticateByBody(services, request);
      const fields = validateFields(services, caller, unwrap('deal', request.body), {});
      const id = insertDeal(store, caller, fields, now());
      return json(shown(visible(store, caller, id)), 201); // Not documented (A125): the status
    })
    .on('GET /app/deals.json', (request) => json(listDeals(store, authenticateByQuery(services, request)).map(shown)))
    .on('GET /app/deals/:id.json', (request) =>
      json(shown(visible(store, authenticateByQuery(services, request), integerId(request.params.id)))),
    )
    .on('PUT /app/deals/:id.json', (request) => {
      const caller = authenticateByBody(services, request);
      const deal = visible(store, caller, integerId(request.params.id));
      saveDeal(store, deal, validateFields(services, caller, unwrap('deal', request.body), deal.fields), now());
      return json(shown(visible(store, caller, deal.id)));
    })
    .on('DELETE /app/deals/:id.json', (request) => {
      deleteDeal(store, visible(store, authenticateByQuery(services, request), integerId(request.params.id)));
      return json('ok'); // Not documented (A126): the status and the body
    });
}

/** Not documented (A124): another account's deal is 404. */
function visible(store: Store, caller: Caller, id: number | null): StoredDeal {
  const deal = findDeal(store, caller, id);
  if (!deal) throw notFound();
  return deal;
}

/**
 * Not documented (A133, A154, A156): what is wrong with a deal, or with the client in it. It is 422, with everything
 * that is.
 */
function validateFields(services: SandboxServices, caller: Caller, given: JsonObject, current: JsonObject): JsonObject {
  const nested = readNestedClient(services, caller, given);
  const fields = validate(dealFields, given, {
    ...nested?.errors,
    ...findLinkErrors(services.store, caller, given, { client_id: 'clients' }),
    ...(isBlank({ ...current, ...given }['name']) && { name: ["can't be blank"] }),
  });
  return nested ? { ...fields, client_id: nested.findOrCreate() } : fields;
}

/** Not documented (A157): the answer. It has the id and what may be written, but for the nested client. */
function shown({ id, client_id, fields }: StoredDeal) {
  const blank = { name: null, description: null, client_id, price: null, external_ids: {} };
  return { id, ...blank, ...fields };
}
