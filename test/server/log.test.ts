import { expect, test } from 'vitest';
import { createLog } from '../../src/observe/log.ts';
import { wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

async function logging(answer = wellBehaved) {
  const upstream = await stubUpstream(answer);
  const over = await gatewayOver(upstream.url, { MAX_DEPTH: 3, MAX_TOKENS: 100 }, 'token');
  return { ...over, lines: () => over.logs.map((line): unknown => JSON.parse(line)) };
}

test('an operation is one line: its name, its time, its calls, its errors', async () => {
  const { execute, lines } = await logging();
  await execute('query Tokens { apiTokens { upstreamId } more: apiTokens(scope: ACCOUNT) { upstreamId } }');
  expect(lines()).toEqual([
    expect.objectContaining({
      level: 30,
      operation: 'Tokens',
      type: 'query',
      ms: expect.any(Number),
      upstreamCalls: 2,
      errors: {},
    }),
  ]);
});

test('all errors are counted, those too that the response does not list', async () => {
  const { execute, lines } = await logging(
    says(JSON.stringify(Array.from({ length: 250 }, (_, id) => ({ id, name: [] })))),
  );
  const { errors } = await execute('query Names { apiTokens { name } }');
  expect(errors).toHaveLength(101);
  expect(lines()).toEqual([expect.objectContaining({ operation: 'Names', errors: { UPSTREAM_BAD_RESPONSE: 250 } })]);
});

test.each([
  [
    'errors are counted by their codes',
    'query Home { apiTokens { name } dashboards { name } node(id: "x") { id } }',
    { operation: 'Home', upstreamCalls: 2, errors: { UPSTREAM_UNAVAILABLE: 2, BAD_USER_INPUT: 1 } },
  ],
  [
    'a mutation says that it is one, and what has no name is anonymous',
    'mutation { enableDashboards { __typename } }',
    { operation: 'anonymous', type: 'mutation', upstreamCalls: 1 },
  ],
  ['a query says that it is one', '{ __typename }', { operation: 'anonymous', type: 'query', upstreamCalls: 0 }],
])('%s', async (_rule, query, line) => {
  const { execute, lines } = await logging(says('', { status: 503 }));
  await execute(query);
  expect(lines()).toEqual([expect.objectContaining(line)]);
});

test('a missing credential is in the line of its operation', async () => {
  const { execute, lines } = await logging();
  await execute('query Tokens { apiTokens { name } }', { token: null });
  expect(lines()).toEqual([
    expect.objectContaining({ operation: 'Tokens', upstreamCalls: 0, errors: { UNAUTHENTICATED: 1 } }),
  ]);
});

test.each([
  ['a syntax error', '{ apiTokens {', 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ['too deep a query', '{ dashboards { layout { config { limit } } } }', 'QUERY_LIMIT_EXCEEDED'],
  ['too many tokens', `{ ${'__typename '.repeat(200)} }`, 'QUERY_LIMIT_EXCEEDED'],
])('a refused document is one line each time: %s', async (_name, query, code) => {
  const { execute, lines } = await logging();
  for (const _time of [1, 2]) {
    expect((await execute(query)).errors).toMatchObject([{ extensions: { code } }]);
  }
  const line = expect.objectContaining({ level: 30, msg: 'refused', errors: { [code]: 1 } });
  expect(lines()).toEqual([line, line]);
});

test.each([
  ['variables that do not fit', '{"query":"query Q($id: ID!) { apiToken(id: $id) { name } }","variables":{}}'],
  ['an operation that is not in the document', '{"query":"query A { __typename }","operationName":"B"}'],
])('so are %s', async (_name, body) => {
  const { url, lines } = await logging();
  await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(lines()).toEqual([expect.objectContaining({ level: 30, upstreamCalls: 0, errors: expect.anything() })]);
  expect(JSON.stringify(lines())).toMatch(/"errors":\{"[A-Z_]+":1\}/);
});

test('the log is of JSON lines, one each, whatever the operation is called or refused for', async () => {
  const { execute, logs } = await logging();
  await execute(`query ${'N'.repeat(10_000)} { __typename }`);
  await execute('{ a\n"\u2028\\" }');
  for (const line of logs) {
    expect(line).toMatch(/^\{.*\}\n$/);
    expect(line.length).toBeLessThan(1_000);
  }
});

test('a secret that gets into a line is struck out', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });

  log.info({ authorization: 'canary', request: { headers: { authorization: 'canary', cookie: 'canary' } } }, 'x');

  expect(lines.join('')).not.toContain('canary');
  expect(lines.join('')).toContain('[redacted]');
});
