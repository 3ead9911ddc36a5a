import { builder } from '../../graph/builder.ts';
import { mapFieldPaths, UnreadResultError } from '../../errors.ts';
import { text } from '../../formats/leaves.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import type { CreatedAccountResponse } from './wire.ts';

const key = fieldResolver<CreatedAccountResponse>();

const CreatedAccount = builder.objectRef<CreatedAccountResponse>('CreatedAccount').implement({
  description:
    'A new account and its first user. Upstream may change the requested prefix and login. The password is never returned.',
  fields: (t) => ({
    prefix: t.string({
      description: 'The part of the account address that names the account.',
      resolve: (created) => toldValue(created, 'prefix'),
    }),
    login: t.string({
      description: 'Login of the first user.',
      resolve: (created) => toldValue(created, 'login'),
    }),
    email: t.string({ description: 'Email address of the first user.', resolve: ({ email }) => text(email) }),
    url: t.string({
      description: 'Address of the account. No document names it: null when upstream sends none.',
      resolve: key('url', text),
    }),
    apiToken: t.string({
      description:
        'An API token of the account; null when upstream sends none. It cannot be read again. The response is marked `no-store`.',
      resolve: key('api_token', text),
    }),
  }),
});

/**
 * The prefix and the login lead into the account. What was sent is no proof of them: upstream may have changed it.
 *
 * @throws UnreadResultError for a key that the response lacks
 */
function toldValue(created: CreatedAccountResponse, key: 'prefix' | 'login'): string | null {
  if (Object.hasOwn(created, key)) return text(created[key]);
  throw new UnreadResultError(`the response does not tell the ${key} of the new account.`);
}

const NewAccountUser = builder.inputType('NewAccountUser', {
  description: 'The first user of a new account.',
  fields: (t) => ({
    login: t.string({ required: true, description: 'Name to log in with.' }),
    email: t.string({ required: true, description: 'Email address.' }),
    password: t.field({ type: 'Password', required: true, description: 'Password to log in with.' }),
  }),
});

const CreateAccountInput = builder.inputType('CreateAccountInput', {
  description: 'A new account.',
  fields: (t) => ({
    prefix: t.string({ required: true, description: 'The part of the account address that names the account.' }),
    initialModule: t.string({ description: 'The first module of the account. Its values are not documented.' }),
    fromPartner: t.string({ description: 'The partner that the account comes from. Its values are not documented.' }),
    user: t.field({ type: NewAccountUser, required: true, description: 'The first user.' }),
  }),
});

/** The path in the input of a field that upstream refused. Upstream names fields of the account and of the user alike. */
function accountInputPath(field: string): string | undefined {
  return ['login', 'email', 'password'].includes(field) ? `user.${field}` : undefined;
}

builder.mutationField('createAccount', (t) =>
  t.field({
    type: CreatedAccount,
    description: 'Creates an account with its first user. Calls `POST /app/account.json`.',
    errors: {},
    args: { input: t.arg({ type: CreateAccountInput, required: true, description: 'The account.' }) },
    resolve: async (_root, { input }, { crm }) => {
      const { prefix, initialModule: initial_module, fromPartner: from_partner, user } = input;
      const account = { prefix, initial_module, from_partner };
      const created = await crm.createAccount({ account, user }).catch(mapFieldPaths(accountInputPath));
      return { email: user.email, ...created };
    },
  }),
);
