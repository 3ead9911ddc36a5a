import { buildSchema } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { isObject } from '../../src/formats/decode.ts';
import { builder } from '../../src/graph/builder.ts';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { forum } from '../answers/forum.ts';
import { links } from '../answers/links.ts';
import { scenarios } from '../answers/scenarios.ts';
import type { Scenario } from '../answers/support.ts';
import { Names } from '../answers/values.ts';
import { gateway, testConfig } from '../support/gateway.ts';
import { type Findings, findNulls, semanticPositions, withTypeNames } from '../support/semantic-nulls.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';

// A field with @semanticNonNull is null beside an error only. The scenarios of test/answers reach all of them.

const schema = buildSchema((await servedSchema(testConfig())).printed());

const noFindings = (): Findings => ({ filled: new Set(), failed: new Set(), unexplained: [] });

/** An answer of the sandbox. */
interface Sent {
  readonly status: number;
  readonly text: string;
}

/** What comes in place of the answers of the sandbox: one that it does not see the request of, or another form of its own. */
type Fault = Sent | ((sent: Sent) => Sent);

const unchanged = (sent: Sent) => sent;

/** A gateway over a fresh sandbox: after the first `calls` that a test leaves alone, a fault changes each answer. */
async function interrupted() {
  const target: { urls?: Sandbox['urls'] } = {};
  let left = Infinity;
  let fault: Fault = unchanged;
  const relayTo = async (api: keyof Sandbox['urls']) => {
    const { url } = await stubUpstream((request, response) => {
      const change = left > 0 ? unchanged : fault;
      left -= 1;
      if (target.urls) void relay(request, response, target.urls[api], change);
    });
    return new URL(url);
  };
  const [ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL] = await Promise.all([
    relayTo('account'),
    relayTo('flex'),
    relayTo('crm'),
    relayTo('forum'),
  ]);
  const house = await gateway({ ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL, ANSWER_CACHE_BYTES: 0 });
  target.urls = house.sandbox.urls;
  const leave = (calls: number, then: Fault = fault) => {
    left = calls;
    fault = then;
  };
  return { house, leave };
}

async function relay(request: IncomingMessage, response: ServerResponse, base: string, change: Fault) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (typeof change === 'object')
    return response.writeHead(change.status, { 'content-type': 'application/json' }).end(change.text);
  const {
    host: _host,
    connection: _hop,
    'accept-encoding': _gzip,
    'content-length': _length,
    ...headers
  } = request.headers;
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
  const { method = 'GET' } = request;
  const answer = await fetch(base + request.url, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    body,
  });
  const { status, text } = change({ status: answer.status, text: await answer.text() });
  return response.writeHead(status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
}

/**
 * Runs each operation of a scenario. Before it is answered, it fails by each fault: at its first upstream call, then at its
 * second, and so on.
 */
async function run(scenario: Scenario, findings: Findings, faults: readonly Fault[] = []) {
  const { house, leave } = await interrupted();
  await scenario.seed?.(house);
  const names = new Names();
  names.add((await scenario.uuids?.(house)) ?? []);
  for (const step of Object.values(scenario.steps)) {
    const { query, variables, token = scenario.token, headers } = names.real(step);
    const document = withTypeNames(query);
    const execute = async () => {
      const answer = await house.execute(document, {
        ...(variables && { variables }),
        ...(token !== undefined && { token }),
        headers: { ...scenario.headers, ...headers },
      });
      findNulls(schema, document, answer, findings);
    };
    for (const fault of faults) {
      for (let calls = 0; calls < step.calls; calls += 1) {
        leave(calls, fault);
        await execute();
      }
    }
    leave(Infinity);
    await execute();
    if (query.includes('create')) names.add((await scenario.uuids?.(house)) ?? []);
  }
}

/** Pages by their edges, which the scenarios of the other tests select in part. */
const edges: Scenario = {
  ...links,
  steps: {
    'edges of each connection': {
      query: `{
        clients { edges { node { customFields { entries { key value } } posts { edges { node { id } } } } } }
        deals { edges { node { id } } }
        flexDbs { records { edges { node { id } } } search { edges { node { id } } } }
      }`,
      calls: 4,
    },
  },
};
const forumEdges: Scenario = {
  ...forum,
  steps: { 'edges of the forum': { query: '{ forumPosts { edges { node { id } } } }', calls: 1 } },
};
const credentials: Scenario = {
  ...links,
  steps: { 'each credential': { query: '{ credentials { account flex crm forum } }', calls: 4 } },
};
/** Records as upstream sends them: the scenarios of the other tests compare ways of answering, and these differ by them. */
const raw = (scenario: Scenario, query: string, calls = 1): Scenario => ({
  ...scenario,
  steps: { raw: { query, calls } },
});
const raws = [
  raw(scenarios.clients, '{ client(id: 1) { raw } }'),
  raw(scenarios.posts, '{ post(id: 1) { raw } }'),
  raw(scenarios.deals, '{ deal(id: 1) { raw } }'),
  raw(scenarios.contacts, '{ contact(id: 1) { raw } contactList(id: 1) { raw } }', 2),
  raw(forum, '{ forumPosts { nodes { raw } } }', 3),
];
const all = [...Object.values({ ...scenarios, edges, forumEdges, credentials }), ...raws];

test('each of them has a value where all can be reached, and there is no null without an error', async () => {
  const findings = noFindings();
  for (const scenario of all) await run(scenario, findings);

  expect(findings.unexplained).toEqual([]);
  expect([...findings.filled].toSorted()).toEqual([...semanticPositions(schema)].toSorted());
});

/** Values of another type than they have, in records of another kind than that: ids and keys stay. */
const odd = (value: unknown, key = ''): unknown => {
  if (key === 'id' || key === 'key') return value;
  if (Array.isArray(value)) return value.map((item) => odd(item));
  if (!isObject(value) || key === 'config') return isObject(value) || key === '' ? 'odd' : ['odd'];
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, odd(member, name)]));
};

/** The last one lets requests through: no operation has written anything before it, unless one of its own calls did. */
const faults: readonly Fault[] = [
  { status: 503, text: '{}' },
  { status: 404, text: '{}' },
  { status: 200, text: 'null' },
  ({ status, text }) => ({ status, text: /^[[{]/.test(text) ? JSON.stringify(odd(JSON.parse(text))) : text }),
];

test('a field that cannot be null cannot have it', () => {
  const declare = () =>
    builder.objectRef<object>('NeverNull').implement({
      fields: (t) => ({ id: t.id({ nullable: false, semanticNonNull: true, resolve: () => '1' }) }),
    });
  expect(() => {
    declare();
    builder.toSchema();
  }).toThrow('NeverNull.id cannot be null anyway.');
});

test('a null has an error, wherever in an operation an API fails', async () => {
  const findings = noFindings();
  for (const scenario of all) await run(scenario, findings, faults);

  expect(findings.unexplained).toEqual([]);
  // Pages and bulk results that are there have their rows. The others made no call here, or had a value at each fault.
  const rows = /Connection\.(edges|nodes)@|Edge\.node@|^Mutation\.\w+s@0$/;
  const others = [...semanticPositions(schema)].filter((found) => !rows.test(found));
  expect(others.filter((position) => !findings.failed.has(position))).toEqual([
    'ApiTokenDeletion.deleted@0',
    'Client.raw@0',
    'ClientCustomFields.entries@0',
    'Contact.raw@0',
    'ContactList.raw@0',
    'Deal.raw@0',
    'FlexTable.fields@0',
    'Post.raw@0',
    'Query.dashboardWidgets@0',
    'Query.displayedDashboard@0',
    'Query.search@0',
    'TileConfig.raw@0',
    'WidgetSetting.raw@0',
  ]);
});
