import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../../src/config.ts';
import { isObject } from '../../src/formats/decode.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

/** What upstream does with the next write that it receives. */
export type Manner =
  /** Carries it out and answers. */
  | 'answers'
  /** Carries it out, and answers 204 without a body. */
  | 'answers nothing'
  /** Carries it out, and cuts the connection in the place of an answer. */
  | 'cuts'
  /** Cuts the connection, and carries nothing out. */
  | 'drops'
  /** Refuses it. */
  | 'refuses'
  /** Carries it out, and answers when it is told to. */
  | 'holds';

export interface Row {
  id: number;
  [key: string]: unknown;
}

const COLLECTIONS: ReadonlyMap<string, string> = new Map([
  ['clients', 'client'],
  ['deals', 'deal'],
  ['posts', 'post'],
  ['dashboards', 'dashboard'],
  ['contacts', 'contact'],
  ['api_tokens', 'api_token'],
  ['dbs', 'db'],
  ['records', 'record'],
]);

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** An upstream of all JSON APIs that keeps records, and whose manners a test sets for one write after the other. */
export async function keepingUpstream() {
  const tables = new Map<string, Row[]>();
  const manners: Manner[] = [];
  const writes: string[] = [];
  /** All that it was sent: headers, targets and bodies. */
  const requests: string[] = [];
  const arrivals = new EventEmitter();
  const held: (() => void)[] = [];
  let ids = 0;
  let readsFail = false;
  let tellsTime = true;

  const table = (name: string) => {
    const rows = tables.get(name) ?? [];
    tables.set(name, rows);
    return rows;
  };

  /** Adds a record, as somebody does who calls upstream past the gateway. */
  const add = (name: string, fields: object): Row => {
    const row: Row = {
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
      ...fields,
      id: (ids += 1),
    };
    table(name).push(row);
    return row;
  };

  const carryOut = (method: string, name: string, id: string | undefined, body: unknown): unknown => {
    const key = COLLECTIONS.get(name) ?? '';
    const given = isObject(body) ? body[key] : undefined;
    const fields = isObject(given) ? given : {};
    if (id === 'select') return {};
    const rows = table(name);
    if (id === undefined) {
      const { created_at: _at, updated_at: _too, ...row } = add(name, fields);
      return name === 'api_tokens' ? { ...row, token: `raw-${row.id}` } : row;
    }
    const at = rows.findIndex((row) => String(row.id) === id);
    const found = rows[at];
    if (!found) return undefined;
    if (method === 'DELETE') rows.splice(at, 1);
    else Object.assign(found, fields);
    return found;
  };

  const answerRead = (name: string, id: string | undefined, response: ServerResponse) => {
    if (readsFail) return answer(response, 500, {});
    const rows = table(name);
    if (id === undefined) return answer(response, 200, rows);
    const found = rows.find((row) => String(row.id) === id || row['code'] === id);
    return answer(response, found ? 200 : 404, found ?? {});
  };

  const answerWrite = (write: () => unknown, response: ServerResponse) => {
    const manner = manners.shift() ?? 'answers';
    if (manner === 'refuses') return answer(response, 422, { errors: { name: ['is bad'] } });
    const body = manner === 'drops' ? undefined : write();
    if (manner === 'drops' || manner === 'cuts') return void response.destroy();
    if (manner === 'answers nothing') return void response.writeHead(204).end();
    const finish = () => answer(response, body === undefined ? 404 : 200, body ?? {});
    if (manner === 'holds') held.push(finish);
    else finish();
  };

  const { url, received } = await stubUpstream((request, response) => {
    void text(request).then((sent) => {
      const { method = '', url: target = '' } = request;
      const [path = ''] = target.split('?', 1);
      const segments = path.replace(/\.json$/, '').split('/');
      const at = segments.findLastIndex((segment) => COLLECTIONS.has(segment));
      const name = segments[at] ?? 'posts'; // GET /app.json
      const id = at === -1 ? undefined : segments[at + 1];
      response.sendDate = tellsTime;
      requests.push(JSON.stringify([request.headers, target, sent]));
      if (method === 'GET') return answerRead(name, id, response);
      writes.push(`${method} ${path}`);
      arrivals.emit('write');
      answerWrite(() => carryOut(method, name, id, sent === '' ? undefined : JSON.parse(sent)), response);
    });
  });

  return {
    url,
    received,
    /** The writes that it has received, as `POST /app/clients.json`. */
    writes,
    requests,
    /** Resolves with the next write. */
    arrival: () => once(arrivals, 'write'),
    manners,
    table,
    add,
    /** Answers the writes that are held. */
    release: () => held.splice(0).forEach((finish) => finish()),
    failReads: (fail: boolean) => (readsFail = fail),
    /** Whether its answers have a `Date`. */
    tellTime: (tells: boolean) => (tellsTime = tells),
  };
}

export type Keeping = Awaited<ReturnType<typeof keepingUpstream>>;

/** A gateway over such an upstream, which has seen its clock. */
export async function keyedGateway(settings: Partial<Config> = {}, upstream?: Keeping) {
  const keeping = upstream ?? (await keepingUpstream());
  const url = new URL(keeping.url);
  const apis = { FLEX_URL: url, CRM_URL: url, CRM_SHARES_TOKEN: 'true' } as const;
  const gateway = await gatewayOver(keeping.url, { ...apis, ...settings }, 'token');
  await gateway.execute('{ apiTokens { id } clients(first: 1) { nodes { id } } flexDbs { id } }');
  return { ...gateway, upstream: keeping, under: keyed(gateway.url) };
}

export interface KeyedAnswer {
  readonly status: number;
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Record<string, unknown>;
  }[];
  readonly extensions: Record<string, unknown> | undefined;
}

/** Sends operations under keys: `under('k')(query, variables, headers)`. */
export function keyed(url: string, token = 'token') {
  return (key: string, more: Readonly<Record<string, string>> = {}) =>
    async (query: string, variables?: object): Promise<KeyedAnswer> => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          ...more,
        },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors = [], extensions } = await response.json();
      return { status: response.status, data, errors, extensions };
    };
}
