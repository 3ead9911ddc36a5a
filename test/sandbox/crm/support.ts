import { expect } from 'vitest';
import { z } from 'zod';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { type Call, callAt, freshSandbox } from '../../support/sandbox.ts';

const record = z.looseObject({ id: z.int() });

/** 422 with messages for each of these fields, and no other. */
export function refusal(...fields: string[]) {
  return { status: 422, body: { errors: Object.fromEntries(fields.map((field) => [field, expect.any(Array)])) } };
}

/** An object with this value in each of these fields. */
export const all = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));

/** The requests of one user: the token goes where each method wants it. */
function requestsOf(call: Call, api_token: string) {
  const query = `api_token=${encodeURIComponent(api_token)}`;
  return {
    get: (path: string) => call('GET', `${path}?${query}`),
    del: (path: string) => call('DELETE', `${path}?${query}`),
    post: (path: string, body: object) => call('POST', path, { body: { api_token, ...body } }),
    put: (path: string, body: object) => call('PUT', path, { body: { api_token, ...body } }),
  };
}

/** An account with one user, Ada, who has no permission. */
export async function crmSandbox(options: SandboxOptions = {}) {
  const { sandbox } = await freshSandbox(options);
  const call = callAt(sandbox.urls.crm);
  const account = sandbox.store.createAccount().id;
  const { id: user, token } = sandbox.store.createUser({ account, name: 'Ada' });
  const requests = requestsOf(call, token);
  const { get, post, put } = requests;
  const made = async (path: string, body: object) => record.parse((await post(path, body)).body);

  return {
    sandbox,
    call,
    account,
    user,
    token,
    ...requests,
    /** Another user of the account. */
    colleague: () => {
      const { id, token } = sandbox.store.createUser({ account, name: 'Bo' });
      return { id, ...requestsOf(call, token) };
    },
    /** A user of another account. */
    stranger: () =>
      requestsOf(call, sandbox.store.createUser({ account: sandbox.store.createAccount().id, name: 'Eve' }).token),
    postClient: (client: object) => post('/app/clients.json', { client: { name: 'Shop', ...client } }),
    makeClient: (client: object = {}) => made('/app/clients.json', { client: { name: 'Shop', ...client } }),
    putClient: (id: number, client: object) => put(`/app/clients/${id}.json`, { client }),
    client: async (id: unknown) => record.parse((await get(`/app/clients/${String(id)}.json`)).body),
    clients: async () => z.array(record).parse((await get('/app/clients.json')).body),
    postPost: (fields: object) => post('/app/posts.json', { post: { title: 'Call', ...fields } }),
    makePost: (fields: object = {}) => made('/app/posts.json', { post: { title: 'Call', ...fields } }),
    comment: (post_id: unknown, fields: object = {}) =>
      post('/app/posts.json', { post: { task_kind: 'comment', post_id, content: 'Done', ...fields } }),
    readPost: async (id: number) => record.parse((await get(`/app/posts/${id}.json`)).body),
    tasks: async () => z.array(record).parse((await get('/app.json')).body),
    postDeal: (deal: object) => post('/app/deals.json', { deal: { name: 'Chairs', ...deal } }),
    makeDeal: (deal: object = {}) => made('/app/deals.json', { deal: { name: 'Chairs', ...deal } }),
    putDeal: (id: number, deal: object) => put(`/app/deals/${id}.json`, { deal }),
    deal: async (id: number) => record.parse((await get(`/app/deals/${id}.json`)).body),
    makeContact: (contact: object = {}) => made('/app/contacts.json', { contact: { name: 'Cy', ...contact } }),
    makeList: (name = 'News') => made('/app/contact_lists.json', { contact_list: { name } }),
  };
}
