import { z } from 'zod';
import { bool, integerId, text, validateWrapped } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { empty, invalid, json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { isExpiry } from './expiry.ts';
import {
  deleteToken,
  findToken,
  issueToken,
  listAccountTokens,
  listUserTokens,
  saveToken,
  type StoredToken,
  takenCodes,
  type TokenFields,
} from './stored-tokens.ts';
import { authenticate, type Caller, demand } from './users.ts';

/** Not documented (A18, A20): an empty text is no value, and reads back as null. */
const emptyIsNull = (value: string | null) => value || null;

/**
 * The writable fields of a token. An absent field stays unchanged.
 * Not documented (A21, A24, A25): null is the field's default; unknown fields are ignored; `name` has no limit.
 */
export const tokenFields = z.object({
  name: text.nullable().exactOptional(),
  code: text.nullable().transform(emptyIsNull).exactOptional(),
  active: bool
    .nullable()
    .transform((active) => active ?? true)
    .exactOptional(),
  expires_at: text
    .refine((value) => value === '' || isExpiry(value), 'must be a date or a datetime')
    .nullable()
    .transform(emptyIsNull)
    .exactOptional(),
  // Not documented (A19): `api_token`, by which clients call an ordinary token too.
  kind: z
    .enum(['', 'api_token', 'web_token'], 'must be empty, api_token or web_token')
    .nullable()
    .transform(emptyIsNull)
    .exactOptional(),
  integration_app_code: text.nullable().transform(emptyIsNull).exactOptional(),
  for_account: bool
    .nullable()
    .transform((forAccount) => forAccount ?? false)
    .exactOptional(),
  privileges: z
    .array(text, 'must be a list of strings')
    .nullable()
    .transform((privileges) => privileges ?? [])
    .exactOptional(),
});

/** Adds the routes of account API tokens. */
export function apiTokens(router: Router, services: SandboxServices): void {
  const { store } = services;
  router
    .on('GET /account/api_tokens.json', (request) => {
      const caller = authenticate(services, request);
      return json(listUserTokens(store, caller).map(shown));
    })
    .on('GET /account/api_tokens.json?for_account=yes', (request) => {
      const caller = authenticate(services, request);
      demand(caller, 'account_settings'); // Not documented (A27): who may list the tokens of the whole account
      return json(listAccountTokens(store, caller).map(shown));
    })
    .on('GET /account/api_tokens/:id.json', (request) => {
      const caller = authenticate(services, request);
      return json(shown(visible(store, caller, request.params.id)));
    })
    .on('POST /account/api_tokens.json', (request) => {
      const caller = authenticate(services, request);
      const given = validateWrapped('api_token', tokenFields, request.body);
      if (given.for_account) demand(caller, 'account_settings'); // Not documented (A27): who may make such a token
      assertCodesAreUnique(store, caller, given);
      return json(createdTokenBody(issueToken(store, caller, given)), 201);
    })
    .on('PATCH /account/api_tokens/:id.json', (request) => {
      const caller = authenticate(services, request);
      const token = visible(store, caller, request.params.id);
      const given = validateWrapped('api_token', tokenFields, request.body);
      if (token.for_account || given.for_account) demand(caller, 'account_settings'); // Not documented (A27): who may
      assertCodesAreUnique(store, caller, given, token.id);
      const changed = { ...token, ...given };
      saveToken(store, changed);
      return json(shown(changed)); // Not documented (A9, A10): the status and the body
    })
    .on('DELETE /account/api_tokens/:id.json', (request) => {
      const token = visible(store, authenticate(services, request), request.params.id);
      // A token of the whole account is kept, so that a working integration is not broken.
      if (!token.for_account) deleteToken(store, token.id);
      return empty(); // Not documented (A22): the status, the same for a token that is kept
    });
}

/**
 * Not documented (A27, A29): another user's token is 404; one of the whole account needs the account-settings
 * permission.
 */
function visible(store: Store, caller: Caller, segment: string): StoredToken {
  const token = findToken(store, caller, integerId(segment));
  if (!token) throw notFound();
  const allowed = token.user_id === caller.userId || (token.for_account && caller.permissions.has('account_settings'));
  if (!allowed) throw notFound();
  return token;
}

function assertCodesAreUnique(store: Store, caller: Caller, given: Partial<TokenFields>, except?: number): void {
  const taken = takenCodes(store, caller, given, except);
  if (taken.length > 0) throw invalid(Object.fromEntries(taken.map((field) => [field, ['has already been taken']])));
}

/** The body of the response to POST, the only one with the raw token. */
function createdTokenBody({ id, token, ...rest }: StoredToken & { readonly token: string }) {
  const { kind, name, for_account, integration_app_code, expires_at, active } = rest;
  return { id, token, kind, name, for_account, integration_app_code, expires_at, active };
}

/** Not documented (A30): the fields of a read beyond `token_info`. They are all that can be written. */
function shown({ id, kind, name, for_account, integration_app_code, expires_at, active, ...rest }: StoredToken) {
  const { code, privileges, token_info } = rest;
  return { id, kind, name, for_account, integration_app_code, expires_at, active, code, privileges, token_info };
}
