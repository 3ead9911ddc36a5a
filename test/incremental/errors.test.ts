import { createSchema, createYoga } from 'graphql-yoga';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { useIncrementalDelivery } from '../../src/operation/incremental/incremental-delivery.ts';
import { Notices } from '../../src/graph/notices.ts';
import { useOperations } from '../../src/operation/run-operation.ts';
import { createLog } from '../../src/observe/log.ts';
import { basic, saysXml } from '../forum/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { ask, next, partsOf, rest } from '../support/parts.ts';
import { ada, DEFERRED, FIRST, ME, slowForum } from './support.ts';

test('an error of a later part says what an error of the whole answer would', async () => {
  const { ask, forum } = await slowForum();
  const parts = partsOf(await ask(DEFERRED));
  expect(await next(parts)).toEqual(FIRST);
  await forum.answer(ME, saysXml('', { status: 503 }));

  const { incremental, errors } = await next(parts);
  const upstream = { api: 'forum', endpoint: `GET ${ME}`, status: 503 };
  const error = {
    message: expect.any(String),
    path: ['forumMe'],
    extensions: { code: 'UPSTREAM_UNAVAILABLE', upstream },
  };
  expect(errors).toBeUndefined();
  expect(incremental).toEqual([
    { data: { forumMe: null }, path: [], label: 'forum', errors: [{ ...error, locations: [expect.anything()] }] },
  ]);
});

describe('an upstream that repeats a secret is not repeated', () => {
  const PASSWORD = 'canary-zyx9';
  const HEADER = basic('ada', PASSWORD);
  const TOKEN = 'canary-qwv5';
  const text = [PASSWORD, HEADER, HEADER.slice('Basic '.length), TOKEN].join(' and ');
  const answers: readonly (readonly [name: string, RequestListener])[] = [
    ...[400, 401, 403, 404, 422, 500].map(
      (status) => [`${status}`, saysXml(`<errors><error>${text}</error></errors>`, { status })] as const,
    ),
    ['errors under 200', saysXml(`<errors><error>${text}</error></errors>`)],
    ['HTML', saysXml(`<html>${text}`, { headers: { 'content-type': 'text/html' } })],
    ['broken XML', saysXml(`<hash>${text}`)],
    ['JSON', says(JSON.stringify({ error: text }), { status: 422 })],
  ];

  test.each(answers)('%s', async (_name, answer) => {
    const upstream = await stubUpstream((request, response) => {
      if (request.url === '/') saysXml('<posts type="array"><post><id>1</id></post></posts>')(request, response);
      else answer(request, response);
    });
    const address = new URL(upstream.url);
    const { url, logs } = await gatewayOver(upstream.url, { FORUM_URL: address, CRM_URL: address });
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-crm-token': TOKEN, 'x-forum-authorization': HEADER };
    const query = `{
      __typename
      ... @defer { forumMe { login } apiTokens { name } flexDbs { name } clients { nodes { name } } }
      forumPosts(first: 1) { nodes @stream { kind ... @defer { comments { text } } } }
    }`;

    const response = await ask(url, query, { headers });
    const said = [...response.headers, await response.text(), ...logs].join('\n');

    expect(said.match(/"UPSTREAM_|"UNAUTHENTICATED|"BAD_USER_INPUT|"FORBIDDEN/g)?.length).toBeGreaterThan(4);
    expect(said).not.toMatch(/canary|zyx9|qwv5/);
    expect(said).not.toContain(HEADER.slice('Basic '.length, 20));
  });
});

test('what nobody foresaw is masked in every part, and logged', async () => {
  const logged: string[] = [];
  const fail = () => {
    throw Object.assign(new Error('SELECT hunter2'), { extensions: { sql: 'hunter2' } });
  };
  const typeDefs = `directive @defer on INLINE_FRAGMENT directive @stream on FIELD
    type Query { now: Int later: Int rows: [Row] } type Row { cell: Int }`;
  const resolvers = { Query: { now: fail, later: fail, rows: () => [{}, {}] }, Row: { cell: fail } };
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    context: {
      operation: {
        limits: { pageSize: 2 },
        shared: new Map(),
        notices: new Notices(false),
        budget: { spent: 0 },
      },
    },
    plugins: [
      useIncrementalDelivery(),
      useOperations({
        maxBytes: 1024 ** 2,
        log: createLog('error', { write: (line) => void logged.push(line) }),
        costs: new OperationCosts(readConfig({})),
        observer: undefined,
        trusted: undefined,
      }),
    ],
    maskedErrors: false,
    logging: false,
  });
  const body = JSON.stringify({ query: '{ now ... @defer { later } rows @stream { cell } }' });
  const headers = { accept: 'multipart/mixed', 'content-type': 'application/json' };
  const answered = await (await yoga.fetch('http://x/graphql', { method: 'POST', headers, body })).text();

  expect(answered.match(/"Something went wrong in the gateway\."/g)).toHaveLength(4);
  expect(answered.match(/"INTERNAL_SERVER_ERROR"/g)).toHaveLength(4);
  expect(answered).not.toMatch(/hunter2|sql/i);
  expect(logged).toHaveLength(4);
});

test('of all parts 100 errors are listed, and what is left out is counted where it happened', async () => {
  const spoiled = Array.from({ length: 120 }, (_, index) => ({ id: index + 1, expires_at: {} }));
  const upstream = await stubUpstream(says(JSON.stringify(spoiled)));
  const { url } = await gatewayOver(upstream.url);
  const parts = partsOf(await ask(url, '{ apiTokens @stream(initialCount: 50) { expiresAt } }'));
  const { errors = [] } = await next(parts);
  const later = (await rest(parts)).flatMap((increment) => increment.errors ?? []);
  const all = [...errors, ...later];

  expect(errors).toHaveLength(50);
  expect(all.filter(({ path }) => path)).toHaveLength(100);
  expect(all.filter(({ path }) => !path).map(({ extensions }) => extensions)).toEqual(
    Array.from({ length: 20 }, () => ({ code: 'UPSTREAM_BAD_RESPONSE', omitted: 1 })),
  );
});

describe('the log', () => {
  test('has one line an operation, written when the last part is out, with the calls and errors of all', async () => {
    const { ask, forum, logs } = await slowForum({}, '/app/users/team.xml');
    const parts = partsOf(
      await ask(
        'query Page { apiTokens { name } forumPosts(first: -1) { nodes { id } } ... @defer { forumMe { login } } ... @defer { forumTeam { login } } }',
      ),
    );
    await next(parts);
    await forum.answer(ME, saysXml('', { status: 503 }));
    await next(parts);
    expect(logs).toEqual([]);
    await forum.answer('/app/users/team.xml', saysXml('', { status: 503 }));
    expect(await rest(parts)).toHaveLength(1);

    const line = {
      operation: 'Page',
      type: 'query',
      upstreamCalls: 3,
      errors: { BAD_USER_INPUT: 1, UPSTREAM_UNAVAILABLE: 2 },
    };
    expect(logs.map((text): unknown => JSON.parse(text))).toEqual([expect.objectContaining(line)]);
  });

  test('has the same line for a caller that gets the whole answer', async () => {
    const { ask, forum, logs } = await slowForum();
    const answered = ask(DEFERRED, { headers: { accept: 'application/json' } });
    await forum.answer(ME, ada);
    await (await answered).text();
    expect(logs.map((text): unknown => JSON.parse(text))).toEqual([
      expect.objectContaining({ operation: 'Page', upstreamCalls: 2, errors: {} }),
    ]);
  });
});
