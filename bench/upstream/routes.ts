// Every response of the canned upstream, prepared as bytes before the first request.
import { apiToken, client, contact, dashboard, deal, flexDatabase, flexHit, forumPosts, post } from './records.ts';

/** Responses by request line: `GET /app/clients.json`, without the query. */
export type Routes = ReadonlyMap<string, Buffer>;

const sequence = <T>(count: number, make: (id: number) => T) => Array.from({ length: count }, (_, id) => make(id + 1));

/** A complete HTTP response on a connection that is kept open. */
export function response(body: string, { status = '200 OK', type = 'application/json' } = {}): Buffer {
  const head = [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: keep-alive',
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

interface Body {
  readonly text: string;
  readonly status?: string;
  readonly type?: string;
}

/** The four APIs with so many clients, at one address. */
export function routesWith(size: { clients: number }): Routes {
  return new Map([...bodiesWith(size)].map(([route, { text, ...head }]) => [route, response(text, head)]));
}

/** The bodies of those responses, by the same request lines. */
export function bodiesWith({ clients }: { clients: number }): ReadonlyMap<string, Body> {
  const bodies = new Map<string, Body>();
  const json = (route: string, value: unknown, status?: string) =>
    bodies.set(route, { text: JSON.stringify(value), ...(status === undefined ? {} : { status }) });
  const listed = (path: string, records: readonly { id: number }[]) => {
    for (const record of records) json(`GET ${path}/${record.id}.json`, record);
    return records;
  };

  json('GET /app/clients.json', listed('/app/clients', sequence(clients, client)));
  json('POST /app/clients.json', { ...client(clients + 1), name: 'Created' }, '201 Created');
  const posts = sequence(500, (id) => post(id, clients));
  json('GET /app.json', listed('/app/posts', posts));
  const deals = sequence(300, (id) => deal(id, clients));
  json('GET /app/deals.json', listed('/app/deals', deals));
  listed('/app/contacts', sequence(100, contact));
  json('GET /account/api_tokens.json', sequence(20, apiToken));
  json('GET /toolkit/dashboards.json', sequence(8, dashboard));
  json('GET /flex/dbs.json', listed('/flex/dbs', sequence(10, flexDatabase)));
  for (const { id, code } of sequence(10, flexDatabase)) {
    for (const name of [id, code]) json(`GET /flex/dbs/${name}/search.json`, sequence(20, flexHit));
  }
  bodies.set('GET /', { text: forumPosts(100), type: 'application/xml' });
  return bodies;
}
