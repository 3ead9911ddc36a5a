import { z } from 'zod';
import { createAccount, isModule, isPrefixTaken } from '../account/accounts.ts';
import { passwordHash } from '../account/secrets.ts';
import { issueToken } from '../account/stored-tokens.ts';
import { createUser, isLoginTaken, normalizeLogin, permissionNames } from '../account/users.ts';
import { text, unwrap, validate } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { json } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticateByBody } from './authentication.ts';
import { isBlank } from './field-types.ts';

/** The endpoint that makes an account. Not documented (A162): who may. It is whoever has a token. */
export function accounts(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router.on('POST /app/account.json', (request) => {
    authenticateByBody(services, request);
    const { prefix, initial_module, from_partner } = unwrap('account', request.body);
    const { login, email, password } = unwrap('user', request.body);
    const given = validate(accountInput(store), { prefix, initial_module, from_partner, login, email, password });
    return json(opened(store, given, now()), 201); // Not documented (A125): the status
  });
}

type NewAccount = z.infer<ReturnType<typeof accountInput>>;

/**
 * Not documented (A163, A165, A168): what is wrong with them. The fields of both objects are named without their
 * object.
 */
function accountInput(store: Store) {
  return z.object({
    prefix: text
      .transform((prefix) => prefix.toLowerCase().replaceAll(/[^a-z0-9-]/g, ''))
      .refine((prefix) => /^[a-z]/.test(prefix), 'must begin with a letter')
      .refine((prefix) => prefix.length <= 63, 'must not be longer than 63 characters') // it is the part of a host name
      .refine((prefix) => !isPrefixTaken(store, prefix), 'has already been taken'),
    initial_module: text.nullish(),
    from_partner: text.nullish(),
    login: text
      .transform(normalizeLogin)
      .refine((login) => !isBlank(login), "can't be blank")
      .refine((login) => !isLoginTaken(store, login), 'has already been taken'), // Not documented (A164): by users of any account
    email: text.refine((email) => z.email().safeParse(email).success, 'must be an email address'),
    password: text.refine((password) => password.length >= 8, 'must have at least 8 characters'),
  });
}

/**
 * A new account with its first user, who may do everything in it.
 * Not documented (A167): the values of `initial_module`. One that is the name of a module enables it. Nothing comes of
 * `from_partner`.
 */
function opened(store: Store, { prefix, initial_module, login, email, password }: NewAccount, time: Date) {
  const modules = initial_module && isModule(initial_module) ? [initial_module] : [];
  const account = createAccount(store, { name: prefix, modules, prefix });
  const userId = createUser(
    store,
    { account, name: login, permissions: permissionNames, login, email, passwordHash: passwordHash(password) },
    time,
  );
  const { token: api_token } = issueToken(store, { accountId: account, userId }, {});
  return { prefix, api_token, url: `https://${prefix}.crm.example`, login, email };
}
