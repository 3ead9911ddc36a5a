import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { callAt } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

export const CLIENTS = 'GET /app/clients.json';
export const CLIENT = 'GET /app/clients/:id.json';
export const POSTS = 'GET /app.json';
export const POST = 'GET /app/posts/:id.json';
export const DEALS = 'GET /app/deals.json';
export const DEAL = 'GET /app/deals/:id.json';
export const CONTACT = 'GET /app/contacts/:id.json';

/** The parts of a refusal that a caller reads. */
export const REFUSAL = `__typename ... on MutationError { message } ... on ValidationError { fields { field messages } }`;

/** A result that refuses these fields, and no other. */
export function refusing(...fields: readonly string[]) {
  const messages = expect.arrayContaining([expect.any(String)]);
  return { __typename: 'ValidationError', fields: fields.map((field) => ({ field, messages })) };
}

const refusedMutation = z.record(z.string(), z.object({ fields: z.array(z.object({ field: z.string() })) }));

/** The paths that the one mutation of an operation has refused. */
export function fieldsOf(data: unknown): string[] {
  return Object.values(refusedMutation.parse(data)).flatMap(({ fields }) => fields.map(({ field }) => field));
}

const record = z.looseObject({ id: z.int() });

/** A gateway over a fresh sandbox, with functions that create records without it. Their calls are not counted. */
export async function crmGateway(settings: Partial<Config> = {}, options: SandboxOptions = {}) {
  const over = await gateway(settings, options);
  const { sandbox, admin } = over;
  const call = callAt(sandbox.urls.crm);

  const make = async (path: string, body: object, api_token = admin.token): Promise<string> => {
    const answer = await call('POST', path, { body: { api_token, ...body } });
    if (answer.status !== 201) throw new Error(`The sandbox answered ${JSON.stringify(answer)}.`);
    sandbox.forgetCalls();
    return String(record.parse(answer.body).id);
  };
  return {
    ...over,
    /** Each makes a record, and answers its id. */
    makeClient: async (client: object = {}, token?: string) =>
      make('/app/clients.json', { client: { name: 'Shop', ...client } }, token),
    makePost: async (post: object = {}, token?: string) =>
      make('/app/posts.json', { post: { title: 'Call', ...post } }, token),
    makeDeal: async (deal: object = {}, token?: string) =>
      make('/app/deals.json', { deal: { name: 'Chairs', ...deal } }, token),
    makeContact: async (contact: object = {}, token?: string) =>
      make('/app/contacts.json', { contact: { name: 'Cy', ...contact } }, token),
    makeList: async (name = 'News', token?: string) =>
      make('/app/contact_lists.json', { contact_list: { name } }, token),
    /** A record as the sandbox itself shows it. */
    read: async (path: string) => {
      const { body } = await call('GET', `${path}?api_token=${encodeURIComponent(admin.token)}`);
      sandbox.forgetCalls();
      return record.parse(body);
    },
    /** The bodies that upstream received, in order of arrival. Tokens and passwords are `…` in them. */
    bodies: () => sandbox.requests.map(({ body }) => body),
    /** The token of a user of another account. */
    stranger: () => sandbox.store.createUser({ account: sandbox.store.createAccount().id }).token,
  };
}

/** Expects each input of a mutation to arrive as this record, under the key of its type. */
export async function expectSent(
  mutation: string,
  key: string,
  records: readonly (readonly [input: object, record: object])[],
) {
  const { execute, bodies } = await crmGateway();
  for (const [input] of records) await execute(mutation, { variables: { input } });
  expect(bodies()).toEqual(records.map(([, record]) => ({ api_token: '…', [key]: record })));
}

/** A response with the given text, status and content type. */
export class Reply {
  readonly text: string;
  readonly status: number;
  readonly type: string;

  constructor(text: string, status = 200, type = 'application/json') {
    this.text = text;
    this.status = status;
    this.type = type;
  }
}

/** A refusal with this body. */
export function refused(status: number, body: unknown): Reply {
  return new Reply(JSON.stringify(body), status);
}

/**
 * A gateway over an upstream that knows these answers by `METHOD /path`, and says 404 to all else. `calls` are what
 * it received, without the token; `sent` are the bodies.
 */
export async function crmOver(answers: Readonly<Record<string, unknown>>, settings: Partial<Config> = {}) {
  const sent: string[] = [];
  const stub = await stubUpstream((request, response) => {
    const answer = answers[`${request.method} ${pathOf(request.url)}`] ?? refused(404, { error: 'not_found' });
    const reply = answer instanceof Reply ? answer : new Reply(JSON.stringify(answer));
    const answering = says(reply.text, { status: reply.status, headers: { 'content-type': reply.type } });
    text(request).then(
      (body) => {
        sent.push(body);
        answering(request, response);
      },
      () => response.destroy(),
    );
  });
  const over = await gatewayOver(stub.url, { CRM_URL: new URL(stub.url), ...settings }, 'secret');
  return { ...over, received: stub.received, calls: () => stub.received.map(pathOf), sent };
}

function pathOf(target = ''): string {
  return target.replace(/\?api_token=secret$/, '');
}

const LISTS = { clients: 'GET /app/clients.json', posts: 'GET /app.json', deals: 'GET /app/deals.json' };
export type List = keyof typeof LISTS;

/** Records with these values under a key. */
export const of = (key: string, ...values: readonly unknown[]) => values.map((value) => ({ [key]: value }));

/** Reads a list with arguments. The records are numbered from 1, unless they have ids. */
export async function listed(list: List, args: string, records: readonly object[]) {
  const { execute, calls } = await crmOver({
    [LISTS[list]]: records.map((record, index) => ({ id: index + 1, ...record })),
  });
  const { data, errors } = await execute(`{ ${list}(first: 50, ${args}) { totalCount nodes { upstreamId } } }`);
  const ids = [...JSON.stringify(data).matchAll(/"upstreamId":"([^"]+)"/g)].map(([, id]) => id);
  return { ids: ids.join(' '), data, errors, calls: calls() };
}

/** The conditions of a filter, records, and the numbers of those that it keeps. */
export type Kept = readonly [filter: string, records: readonly object[], kept: string];

export async function expectKept(list: List, ...[filter, records, ids]: Kept) {
  expect(await listed(list, `filter: { ${filter} }`, records)).toEqual({
    ids,
    data: { [list]: expect.objectContaining({ totalCount: ids === '' ? 0 : ids.split(' ').length }) },
    ...{ errors: [], calls: [LISTS[list]] },
  });
}
