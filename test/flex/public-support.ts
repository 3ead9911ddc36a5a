import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { flexShop } from './support.ts';

export const LIST = 'POST /flex/db/:db_code/list';
export const GET = 'POST /flex/db/:db_code/get';
export const CREATE = 'POST /flex/db/:db_code/create';
export const UPDATE = 'POST /flex/db/:db_code/update';
export const DELETE = 'POST /flex/db/:db_code/delete';
export const SEARCH = 'POST /flex/db/:db_code/search';

/** A cookie key in upstream's form: 32 hexadecimal digits. */
export const KEY = '0123456789abcdef0123456789abcdef';

export const LISTED = '{ publicFlexDb(code: "book") { list { nodes { upstreamId data } } } }';
export const MAKE =
  'mutation ($data: JSONObject = {}) { createPublicFlexRecord(code: "book", data: $data) { ... on PublicFlexRecord { upstreamId data } } }';

/** An operation for each public method. */
export const EVERY = [
  LISTED,
  '{ publicFlexDb(code: "book") { get(id: 1) { id } } }',
  '{ publicFlexDb(code: "book") { search { nodes { id } } } }',
  'mutation { createPublicFlexRecord(code: "book", data: {}) { __typename } }',
  'mutation { updatePublicFlexRecord(code: "book", id: 1, data: {}) { __typename } }',
  'mutation { deletePublicFlexRecord(code: "book", id: 1) { __typename } }',
];

/** Every method, without restrictions. */
export const all = { list: true, get: true, create: true, update: true, delete: true, search: true };
/** Options of a request without a credential. */
export const NOBODY = { token: null };

/** A database called `book` with these public methods. */
export async function book(public_methods: Readonly<Record<string, unknown>> = all, schema?: object) {
  return flexShop([], { code: 'book', public_methods, ...(schema && { schema }) });
}

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly setCookie?: readonly string[];
}

/** A gateway over an upstream that sends these replies in order, and the request headers that it received. */
export async function gatewayOverReplies(replies: readonly Reply[], settings: Partial<Config> = {}) {
  const headers: IncomingHttpHeaders[] = [];
  const upstream = await stubUpstream((request, response) => {
    const { status = 200, body = [], setCookie = [] } = replies[headers.length] ?? {};
    headers.push(request.headers);
    response
      .writeHead(status, { 'content-type': 'application/json', 'set-cookie': [...setCookie] })
      .end(JSON.stringify(body));
  });
  const over = await gatewayOver(upstream.url, { FLEX_COOKIES: ['flex_key'], ...settings });
  return { ...over, headers, received: upstream.received };
}
