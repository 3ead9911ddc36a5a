import { describe, expect, test } from 'vitest';
import type { TracedCall, TraceSummary } from '../../src/calls/transport/call-trace.ts';
import type { Config } from '../../src/config.ts';
import { fences, read } from '../docs/pages.ts';
import { sharedDemo } from '../support/demo.ts';
import { longSteps } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask as askInParts, left, type Part, partsOf } from '../support/parts.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import { everything } from '../../src/cli/graphiql-tabs.ts';

// `extensions.trace`, by X-Trivium-Trace: 1, where TRACE allows it: the upstream calls of an operation, and the response
// paths that they served.

interface Trace extends TraceSummary {
  readonly operation: string | null;
}

interface Answer extends Part {
  readonly extensions?: { readonly trace?: Trace };
}

const TRACED = { 'x-trivium-trace': '1' };

async function post(url: string, query: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

function traceOf({ extensions, errors }: Answer): Trace {
  if (!extensions?.trace) throw new Error(`There is no trace: ${JSON.stringify(errors)}`);
  return extensions.trace;
}

const demoGateway = sharedDemo();

/** A gateway over the demo data, and the traces of operations there. */
async function demo(settings: Partial<Config> = {}) {
  const { url, sandbox } = await demoGateway({ TRACE: 'true', ...settings });
  const headers = { authorization: 'Bearer demo-admin', 'x-forum-authorization': demoForumAuthorization };
  const answer = async (query: string) => post(`${url}/graphql`, query, { ...headers, ...TRACED });
  return { url, sandbox, headers, answer, trace: async (query: string) => traceOf(await answer(query)) };
}

describe('who gets a trace', () => {
  const QUERY = '{ clients { nodes { name } } }';
  const CLIENTS = says('[{"id":1,"name":"Ada"}]');
  const over = async (settings: Partial<Config>, headers: Readonly<Record<string, string>>, path = '/graphql') => {
    const upstream = await stubUpstream(CLIENTS);
    const { url } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings });
    return post(`${url}${path}`, QUERY, { 'x-crm-token': 'token', ...headers });
  };

  test.each(['/graphql', '/graphql?through=yoga'])(
    'a caller that asks for it, with TRACE=true, at %s',
    async (path) => {
      const { data, extensions } = await over({ TRACE: 'true' }, TRACED, path);

      expect(data).toEqual({ clients: { nodes: [{ name: 'Ada' }] } });
      expect(extensions?.trace?.calls).toEqual([
        {
          api: 'crm',
          endpoint: 'GET /app/clients.json',
          startMs: expect.any(Number),
          durationMs: expect.any(Number),
          bytes: 23,
          status: 200,
          shared: false,
          paths: ['clients'],
        },
      ]);
    },
  );

  test.each([
    ['one that does not ask', { TRACE: 'true' }, {}],
    ['one that asks with another value', { TRACE: 'true' }, { 'x-trivium-trace': 'true' }],
    ['one that asks where TRACE is auto, without the sandbox', {}, TRACED],
    ['one that asks where TRACE is false', { TRACE: 'false' }, TRACED],
  ] as const)('none: %s', async (_who, settings, headers) => {
    expect(await over(settings, headers)).toEqual({ data: { clients: { nodes: [{ name: 'Ada' }] } } });
  });
});

test('each upstream call is in the trace, once', async () => {
  const { trace, sandbox } = await demo();

  const { operation, calls } = await trace(
    'query Both { clients { nodes { name } } deals { nodes { client { name } } } }',
  );

  expect(operation).toBe('Both');
  expect(calls.map(({ endpoint }) => endpoint).sort()).toEqual(sandbox.calls().sort());
});

test('an operation without a name, and without a call, has a trace, too', async () => {
  const { trace } = await demo();
  expect(await trace('{ __typename }')).toMatchObject({ operation: null, calls: [] });
});

test('the times fit together', async () => {
  const { trace } = await demo();
  longSteps(); // each reading of the clock is 20 ms after the one before

  const { totalMs, ownMs, calls } = await trace('{ clients { totalCount } deals { totalCount } apiTokens { name } }');

  expect(calls).toHaveLength(3);
  const ends = calls.map(({ startMs, durationMs }) => startMs + durationMs);
  expect(Math.max(...ends)).toBeLessThanOrEqual(totalMs);
  const longest = Math.max(...calls.map(({ durationMs }) => durationMs));
  expect(ownMs).toBeGreaterThan(0);
  expect(ownMs).toBeLessThanOrEqual(totalMs - longest); // calls side by side do not count twice
});

test('a call has the paths of all fields that waited for it, with aliases and without indexes', async () => {
  const { trace } = await demo();

  const { calls } = await trace(`{
    all: clients { totalCount }
    named: clients(first: 1) { nodes { posts { totalCount } } }
    deals(first: 2) { nodes { contact: client { address { city } } customer: client { name } } }
  }`);

  expect(calls).toMatchObject([
    {
      endpoint: 'GET /app/clients.json',
      paths: expect.arrayContaining(['all', 'named', 'deals.nodes.contact', 'deals.nodes.customer']),
    },
    { endpoint: 'GET /app/deals.json', paths: ['deals'] },
    { endpoint: 'GET /app.json', paths: ['named.nodes.posts'] },
  ]);
});

test('a list in place of reads by id says how many they were, and why', async () => {
  const { trace } = await demo({ BATCH_READS: 'list' });

  const { calls } = await trace('{ deals(first: 10) { nodes { client { name } } } }');

  expect(calls.map(({ endpoint, insteadOf }) => ({ endpoint, insteadOf }))).toEqual([
    { endpoint: 'GET /app/deals.json', insteadOf: undefined },
    { endpoint: 'GET /app/clients.json', insteadOf: { reads: expect.any(Number), reason: 'BATCH_READS is list' } },
  ]);
});

test('reads by id are one call each, and show no id', async () => {
  const { trace, sandbox } = await demo({ BATCH_READS: 'by-id' });

  const { calls } = await trace('{ deals(first: 3) { nodes { client { name } } } }');

  const [deals, ...reads] = calls;
  expect(deals?.paths).toEqual(['deals']);
  expect(reads).toHaveLength(sandbox.calls().length - 1);
  for (const read of reads) {
    expect(read).toMatchObject({ endpoint: 'GET /app/clients/:id.json', paths: ['deals.nodes.client'] });
  }
});

test('a call that another operation began is shared', async () => {
  const answers: (() => void)[] = [];
  const upstream = await stubUpstream((_request, response) => void answers.push(() => response.end('[]')));
  const { url } = await gatewayOver(upstream.url, { TRACE: 'true', CRM_URL: new URL(upstream.url) });
  const ask = async () =>
    traceOf(await post(`${url}/graphql`, '{ clients { totalCount } }', { 'x-crm-token': 't', ...TRACED }));

  const both = Promise.all([ask(), ask()]);
  await expect.poll(() => answers.length).toBe(1);
  await expect.poll(() => fetch(`${url}/health`).then(({ ok }) => ok)).toBe(true); // both were received by now
  for (const answer of answers) answer();

  const shared = (await both).flatMap(({ calls }) => calls.map((call) => call.shared));
  expect(shared.sort()).toEqual([false, true]);
});

test('writes, and the reads after each of them, have their own paths', async () => {
  const { trace } = await demo();

  const { calls } = await trace(`mutation {
    one: createClient(input: { name: "Ada" }) { ... on Client { deals { totalCount } } }
    two: createClient(input: { name: "Bo" }) { ... on Client { deals { totalCount } } }
  }`);

  expect(calls.map(({ endpoint, paths }) => [endpoint, paths])).toEqual([
    ['POST /app/clients.json', ['one']],
    ['GET /app/deals.json', ['one.deals']],
    ['POST /app/clients.json', ['two']],
    ['GET /app/deals.json', ['two.deals']],
  ]);
});

test('a call that fails has its status, or the code of its error', async () => {
  const upstream = await stubUpstream((request, response) => {
    if (request.url?.startsWith('/app/deals')) request.socket.destroy();
    else response.writeHead(500).end('no');
  });
  const { url } = await gatewayOver(upstream.url, { TRACE: 'true', CRM_URL: new URL(upstream.url) });

  const query = '{ clients { totalCount } deals { totalCount } }';
  const { calls } = traceOf(await post(`${url}/graphql`, query, { 'x-crm-token': 't', ...TRACED }));

  expect(calls).toMatchObject([
    { endpoint: 'GET /app/clients.json', status: 500, bytes: 2 },
    { endpoint: 'GET /app/deals.json', status: null, bytes: null, error: 'UPSTREAM_UNAVAILABLE' },
  ]);
  expect(calls[0]).not.toHaveProperty('error');
});

test('of an answer in parts the last one has the trace of all', async () => {
  const { url, headers } = await demo();
  const query = '{ clients(first: 1) { nodes { name ... @defer { posts { totalCount } } } } }';

  const parts: Answer[] = await left(partsOf(await askInParts(url, query, { headers: { ...headers, ...TRACED } })));

  const last = parts.pop();
  expect(parts.length).toBeGreaterThan(0);
  for (const part of parts) expect(part.extensions?.trace).toBeUndefined();
  expect(last?.extensions?.trace?.calls).toMatchObject([
    { endpoint: 'GET /app/clients.json', paths: ['clients'] },
    { endpoint: 'GET /app.json', paths: ['clients.nodes.posts'] },
  ]);
});

test('a trace changes nothing else of an answer', async () => {
  const { url, answer, headers } = await demo();
  const untraced = await post(`${url}/graphql`, everything, headers);

  const { extensions, ...rest } = await answer(everything);

  expect(extensions?.trace?.calls.length).toBeGreaterThan(4);
  expect(untraced.errors).toBeUndefined();
  expect(rest).toEqual(untraced);
});

test('docs/queries.md shows a trace as it is', async () => {
  const shown = fences(read('docs/queries.md'), 'json').find((json) => json.includes('"trace"')) ?? '';
  const documented = JSON.parse(shown).trace;
  const { trace } = await demo({ BATCH_READS: 'list' });

  const real = await trace('query Sales { deals(first: 10) { nodes { client { name } } } }');

  const withType = (value: unknown) =>
    JSON.stringify(value, (_key, inner: unknown) => (inner && typeof inner === 'object' ? inner : typeof inner));
  expect(withType(real)).toBe(withType(documented));
  expect(real.calls.map(({ api, endpoint, paths }) => ({ api, endpoint, paths }))).toMatchObject(
    documented.calls.map(({ api, endpoint, paths }: TracedCall) => ({ api, endpoint, paths })),
  );
});

describe('no trace', () => {
  const CANARY = 'canary3f9c51d2';

  test('holds a credential, an id, a value or an address', async () => {
    const upstream = await stubUpstream(says(JSON.stringify([{ id: CANARY, name: CANARY }])));
    const address = new URL(`${upstream.url}/${CANARY}`);
    const { url } = await gatewayOver(upstream.url, {
      TRACE: 'true',
      CRM_URL: address,
      FLEX_URL: address,
      FLEX_COOKIES: ['key'],
    });
    const headers = { authorization: `Bearer ${CANARY}`, 'x-crm-token': CANARY, cookie: `key=${CANARY}` };
    const queries = [
      `{ clients { nodes { name } } client(id: "${CANARY}") { name } }`,
      `{ flexDb(id: "${CANARY}") { name search(query: "${CANARY}") { nodes { id } } } }`,
      `{ publicFlexDb(code: "${CANARY}") { list { nodes { data } } } }`,
      `mutation { updateClient(id: "${CANARY}", input: { name: "${CANARY}" }) { __typename } }`,
    ];

    for (const query of queries) {
      const trace = traceOf(await post(`${url}/graphql`, query, { ...headers, ...TRACED }));
      expect(trace.calls.length, query).toBeGreaterThan(0);
      expect(JSON.stringify(trace)).not.toContain(CANARY);
    }
    expect(upstream.received.join()).toContain(CANARY); // it went to the upstream
  });

  test('grows without a bound: a call names 20 paths, and counts the others', async () => {
    const { trace } = await demo();
    const aliases = Array.from({ length: 30 }, (_, number) => `a${number}: clients { totalCount }`);

    const { calls } = await trace(`{ ${aliases.join(' ')} }`);

    expect(calls).toMatchObject([{ paths: expect.objectContaining({ length: 20 }), pathsOmitted: 10 }]);
  });
});
