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
  const crm = callAt(sandbox.urls.crm);
  return {
    sandbox,
    account,
    user,
    /** A request to the account or flex API. */
    as: (method: string, path: string, body?: unknown) =>
      call(method, path, { token, ...(body !== undefined && { body }) }),
    /** A request of the CRM, with the token where its method wants it. */
    crm: (method: string, path: string, body?: object) =>
      body === undefined
        ? crm(method, `${path}?api_token=${token}`)
        : crm(method, path, { body: { api_token: token, ...body } }),
    /** A request without a credential. */
    anonymous: call,
    forum: requestsOf(sandbox.urls.forum, basic('ada', 'lovelace')),
  };
}
