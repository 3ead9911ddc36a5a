import { expect } from 'vitest';
import type { AnswerMode } from '../../src/sandbox/answers.ts';
import { callAt, freshSandbox } from '../support/sandbox.ts';
import { basic, requestsOf } from './forum/support.ts';

/** A database with every public method. */
export const publicDatabase = {
  name: 'D',
  code: 'd',
  public_methods: Object.fromEntries(
    ['list', 'get', 'create', 'update', 'delete', 'search'].map((method) => [method, true]),
  ),
};

/** A request that writes. */
interface Write {
  readonly name: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  /** The key that its record may be inside of. */
  readonly wrapper: string;
}

const newUser = { login: 'cy', email: 'cy@example.com', password: 'longenough' };
const edit = { field: 'public_methods', old_string: 'true', new_string: '{}', replace_all: true };
const record = { data: { a: 1 } };

/** Each kind of record that is written. The first seven paths are of the account and flex APIs, over a database `d`. */
const writes: readonly Write[] = (
  [
    ['an API token', 'POST', '/account/api_tokens.json', { api_token: { name: 'N' } }, 'api_token'],
    ['a dashboard', 'POST', '/toolkit/dashboards.json', { dashboard: { name: 'N' } }, 'dashboard'],
    ['a database', 'POST', '/flex/dbs.json', { db: { name: 'N' } }, 'db'],
    ['a change of a database', 'PATCH', '/flex/dbs/d.json', { db: { name: 'M' } }, 'db'],
    ['a record', 'POST', '/flex/dbs/d/records.json', { record }, 'record'],
    ['a public record', 'POST', '/flex/db/d/create', record, 'record'],
    ['an edit of a database', 'PATCH', '/flex/dbs/d/replace.json', edit, 'db'],
    ['a client', 'POST', '/app/clients.json', { client: { name: 'N' } }, 'client'],
    ['a post', 'POST', '/app/posts.json', { post: { title: 'T' } }, 'post'],
    ['a deal', 'POST', '/app/deals.json', { deal: { name: 'D' } }, 'deal'],
    ['a contact', 'POST', '/app/contacts.json', { contact: { name: 'C' } }, 'contact'],
    ['a contact list', 'POST', '/app/contact_lists.json', { contact_list: { name: 'L' } }, 'contact_list'],
    ['an account', 'POST', '/app/account.json', { account: { prefix: 'shop' }, user: newUser }, 'account'],
  ] as const
).map(([name, method, path, body, wrapper]) => ({ name, method, path, body, wrapper }));

/** An account with an admin in a sandbox that answers in a mode, and requests to each of its APIs. */
export async function answering(answers: AnswerMode) {
  const { sandbox, call } = await freshSandbox({ answers });
  const account = sandbox.store.createAccount({ modules: ['crm'] }).id;
  const { id: user, token } = sandbox.store.createUser({
    account,
    permissions: ['account_settings', 'dashboard_advanced'],
    login: 'ada',
    password: 'lovelace',
    email: 'ada@example.com',
  });
  const crmCall = callAt(sandbox.urls.crm);
  /** A request to the account or flex API. */
  const as = (method: string, path: string, body?: unknown) =>
    call(method, path, { token, ...(body !== undefined && { body }) });
  /** A request of the CRM, with the token where its method wants it. */
  const crm = (method: string, path: string, body?: object) =>
    body === undefined
      ? crmCall(method, `${path}?api_token=${token}`)
      : crmCall(method, path, { body: { api_token: token, ...body } });
  return {
    sandbox,
    account,
    user,
    as,
    crm,
    /** Makes the database `d`, and sends each write. @returns each with its answer, and what it is inside of its key */
    answersToWrites: async () => {
      sandbox.store.createFlexDatabase(account, publicDatabase);
      const answers = [];
      for (const { name, method, path, body, wrapper } of writes) {
        const { status, body: answered } = await (path.startsWith('/app/') ? crm : as)(method, path, body);
        const part = path === '/app/account.json' ? { login: newUser.login } : { id: expect.anything() };
        answers.push({ name, method, status, body: answered, wrapped: { [wrapper]: expect.objectContaining(part) } });
      }
      return answers;
    },
    /** A request without a credential. */
    anonymous: call,
    forum: requestsOf(sandbox.urls.forum, basic('ada', 'lovelace')),
  };
}
