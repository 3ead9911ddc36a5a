import { z } from 'zod';
import { passwordHash } from '../account/secrets.ts';
import { createUser, isLoginTaken, normalizeLogin } from '../account/users.ts';
import { isBlank } from '../crm/field-types.ts';
import type { SandboxServices } from '../services.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticate } from './authentication.ts';
import { validateFields } from './bodies.ts';
import { xml, xmlList } from './responses.ts';
import { type ForumUser, listUsers, userById } from './stored-users.ts';
import { datetimeElement, type Element, textElement } from './xml.ts';

/** The endpoints that read users. Not documented (A190): the team is all users of the account. */
export function users(router: Router, services: SandboxServices): void {
  const { store } = services;
  router
    .on('GET /app/users/me.xml', (request) => xml(shown(userById(store, authenticate(services, request).userId))))
    .on('GET /app/users/team.xml', (request) =>
      xmlList('users', listUsers(store, authenticate(services, request)).map(shown)),
    );
}

/** The endpoint that adds a user. Not documented (A195): who may. It is any user, for the own account. */
export function userCreation(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router.on('POST /app/users.xml', (request) => {
    const { accountId } = authenticate(services, request);
    const { password, ...given } = validateFields('user', newUserInput(store), request);
    const owned = { account: accountId, name: given.login, permissions: [] };
    const user = { ...given, ...owned, passwordHash: passwordHash(password) };
    return xml(shown(userById(store, createUser(store, user, now()))), 201); // Not documented (A194): the answer
  });
}

/** Not documented (A196): what is wrong with them. */
function newUserInput(store: Store) {
  return z.object({
    login: z
      .string("can't be blank")
      .transform(normalizeLogin)
      .refine((login) => !isBlank(login), "can't be blank")
      .refine((login) => !login.includes(':'), "can't contain a colon") // basic authentication could not send it
      .refine((login) => !isLoginTaken(store, login), 'has already been taken'), // by users of any account
    email: z.string("can't be blank").refine((email) => z.email().safeParse(email).success, 'must be an email address'),
    password: z.string("can't be blank").refine((password) => password.length >= 8, 'must have at least 8 characters'),
  });
}

/** Not documented (A191): any `notification` but `all`. */
function shown({ name, login, email, description, www, created_at, updated_at }: ForumUser): Element {
  return {
    name: 'user',
    content: [
      datetimeElement('created-at', created_at),
      textElement('description', description),
      textElement('email', email),
      textElement('login', login),
      textElement('name', name),
      textElement('notification', 'all'),
      datetimeElement('updated-at', updated_at),
      textElement('www', www),
    ],
  };
}
