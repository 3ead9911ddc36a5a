import type { RequestListener } from 'node:http';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from './gateway.ts';
import { says, stubUpstream } from './stub-upstream.ts';

export interface StubCrm {
  /** How many posts there are; each is about a client of its own. */
  readonly posts?: number;
  /** The answer to `GET /app/clients.json`; else all clients. */
  readonly list?: RequestListener;
  /** The answer to `GET /app/clients/:id.json`; else the client. */
  readonly one?: RequestListener;
}

export const saysJson = (body: unknown, status = 200) => says(JSON.stringify(body), { status });

export const clientOf = (id: number) => ({ id, name: `Client ${id}` });

/** Clients 1 to `count`. */
export const clientsUpTo = (count: number) => Array.from({ length: count }, (_none, index) => clientOf(index + 1));

/** Reads many clients by id: those of the posts. */
export const JOINED = '{ posts(first: 1000) { nodes { client { name } } } }';
export const POSTS = 'GET /app.json';
export const LIST = 'GET /app/clients.json';
export const ONE = 'GET /app/clients/:id.json';

/** The data of `JOINED` for so many posts. */
export const names = (count: number) => ({
  posts: { nodes: clientsUpTo(count).map(({ name }) => ({ client: { name } })) },
});

/** Answers a read by id with that client, and more of its fields. */
export const answersClient =
  (more: object = {}): RequestListener =>
  (request, response) =>
    saysJson({ ...clientOf(Number(/\d+/.exec(request.url ?? '')?.[0])), ...more })(request, response);

/** A CRM of posts, clients and contacts, and a gateway over it. */
export async function gatewayOverCrm({ posts = 10, list, one }: StubCrm = {}, settings: Partial<Config> = {}) {
  const postList = Array.from({ length: posts }, (_none, index) => ({ id: index + 1, client_id: index + 1 }));
  const upstream = await stubUpstream((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = () => {
      if (path === '/app.json') return saysJson(postList);
      if (path === '/app/clients.json') return list ?? saysJson(clientsUpTo(posts));
      if (/^\/app\/(clients|contacts)\/\d+\.json$/.test(path)) return one ?? answersClient();
      return saysJson({ error: 'not_found' }, 404);
    };
    answer()(request, response);
  });
  const over = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings }, 'token');
  let seen = 0;
  return {
    ...over,
    upstream,
    /** The calls since the last time, by endpoint. */
    calls: () => {
      const received = upstream.received.slice(seen);
      seen = upstream.received.length;
      return tally(received);
    },
  };
}

/** Calls by endpoint: `{ 'GET /app/clients/:id.json': 3 }`. */
export function tally(received: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of received) {
    const endpoint = call
      .replace(/\?.*/, '')
      .replace(/\/[\w-]+\.json$/, (segment) => (/^\/\d+\.json$/.test(segment) ? '/:id.json' : segment));
    counts[endpoint] = (counts[endpoint] ?? 0) + 1;
  }
  return counts;
}
