import type { z } from 'zod';
import type { Caller } from '../account/users.ts';
import type { FieldErrors } from '../body.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { SandboxServices } from '../services.ts';
import { email, externalIds, freeText, isBlank, writableFields } from './field-types.ts';
import { findClientIdByEmail, findClientIdByExternalIds, insertClient } from './stored-clients.ts';

const fieldSchemas = { name: freeText, email, external_ids: externalIds };
const clientOfDeal = writableFields(fieldSchemas);

interface NestedClient {
  readonly errors: FieldErrors;
  /** Returns the id of the matching client, or of a new one. */
  readonly findOrCreate: () => number;
}

const rejected = (message: string): NestedClient => ({ errors: { client: [message] }, findOrCreate: () => 0 });

/**
 * The client inside a deal, null without one: it links the deal to a client, or creates one.
 * Not documented (A155): how. It is the client that has one of its external ids, then the one that has its email
 * address, neither of which is changed; else a new one.
 */
export function readNestedClient(services: SandboxServices, caller: Caller, given: JsonObject): NestedClient | null {
  const { client } = given;
  if (client === undefined || client === null) return null;
  if (!isBlank(given['client_id'])) return rejected('must not be sent together with client_id');
  if (!isJsonObject(client)) return rejected('must be an object');

  const { data = {}, error } = clientOfDeal.safeParse(client);
  const found = findMatchingClient(services, caller, client);
  const nameless = found === null && isBlank(client['name']);
  return {
    errors: { ...errorsByField(error), ...(nameless && { 'client.name': ["can't be blank"] }) },
    findOrCreate: () => found ?? insertClient(services.store, caller, data, services.now()),
  };
}

function findMatchingClient({ store }: SandboxServices, caller: Caller, client: JsonObject): number | null {
  const ids = fieldSchemas.external_ids.safeParse(client['external_ids']).data;
  const address = fieldSchemas.email.safeParse(client['email']).data;
  const byId = ids ? findClientIdByExternalIds(store, caller, ids) : null;
  return byId ?? (address ? findClientIdByEmail(store, caller, address) : null);
}

function errorsByField(error: z.ZodError | undefined): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of error?.issues ?? []) (errors[`client.${String(path[0])}`] ??= []).push(message);
  return errors;
}
