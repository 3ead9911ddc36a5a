import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { expectFailure, expectHealthy, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream, says, stubUpstream, wholeAnswer } from '../support/stub-upstream.ts';

const endpoint = 'GET /account/api_tokens.json';
const heldTimeout = { code: 'UPSTREAM_TIMEOUT', message: /did not answer within 599 s/, endpoint };

describe('the deadline holds', () => {
  const headers = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  test.each([
    ['without any answer', '', ''],
    ['while headers never end', headers, 'x-more: y\r\n'],
    ['while a body trickles', `${headers}content-length: 100000\r\n\r\n`, ' '],
    ['while chunks trickle', `${headers}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['while interim answers come', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('%s', async (_name, start, drip) => {
    let well = false;
    let drips = 0;
    const upstream = await rawUpstream((socket) => {
      if (well) {
        socket.write(wholeAnswer('[{"id":1}]'));
        return;
      }
      socket.write(start);
      const dripping = setInterval(() => {
        socket.write(drip);
        drips += 1;
      }, 5);
      socket.once('close', () => clearInterval(dripping));
    });
    const deadlines = heldDeadlines();
    const { execute } = await gatewayOver(upstream.url, HELD, 'token');

    const result = execute(TOKENS);
    await deadlines.comeWhen(1, () => drips > 3, true);

    expectFailure(await result, heldTimeout);
    expect(deadlines.begun()).toBe(1); // and not anew with each part of an answer
    expect(upstream.received).toEqual([endpoint]);
    well = true;
    await expectHealthy(execute);
  });

  test('the deadline of a call includes its wait for a connection', async () => {
    const upstream = await stubUpstream(() => {});
    const deadlines = heldDeadlines();
    const { execute } = await gatewayOver(
      upstream.url,
      { ...HELD, UPSTREAM_CONNECTIONS: 1, SHARE_READS: 'false' },
      'token',
    );

    const results = [1, 2, 3].map(() => execute(TOKENS));
    await deadlines.comeWhen(3, () => upstream.received.length, 1);

    const given = await Promise.all(results);
    for (const result of given)
      expectFailure(result, { ...heldTimeout, message: /did not answer|was not called: its only/ });
    expect(given.filter(({ errors }) => errors[0]?.message.includes('was not called'))).toHaveLength(2);
  });

  test('a call that exceeds its deadline releases its connection', async () => {
    let hanging = true;
    const upstream = await stubUpstream((request, response) => hanging || wellBehaved(request, response));
    const deadlines = heldDeadlines();
    const { execute } = await gatewayOver(
      upstream.url,
      { ...HELD, UPSTREAM_CONNECTIONS: 2, SHARE_READS: 'false' },
      'token',
    );
    const given = [1, 2, 3, 4].map(() => execute(TOKENS));
    await deadlines.comeWhen(4, () => upstream.received.length, 2);
    for (const result of await Promise.all(given))
      expectFailure(result, { ...heldTimeout, message: /did not answer|was not called: all 2 connections were busy/ });
    hanging = false;
    await expectHealthy(execute);
  });

  test('a read that is repeated has one deadline', async () => {
    let connections = 0;
    const upstream = await rawUpstream((socket) => {
      connections += 1;
      if (connections === 1) socket.destroy();
    });
    const deadlines = heldDeadlines();
    const { execute } = await gatewayOver(upstream.url, HELD, 'token');
    const result = execute(TOKENS);
    await deadlines.comeWhen(1, () => upstream.received, [endpoint, endpoint]);
    expectFailure(await result, heldTimeout);
    expect(deadlines.begun()).toBe(1);
  });

  test('a request whose body upstream does not read has a deadline', async () => {
    const upstream = await rawUpstream((socket) => socket.pause());
    const deadlines = heldDeadlines();
    const { execute } = await gatewayOver(upstream.url, HELD, 'token');
    const name = 'x'.repeat(1_000_000);
    const create = 'mutation ($name: String!) { createApiToken(input: { name: $name }) { __typename } }';
    const answer = execute(create, { variables: { name } });
    await deadlines.comeWhen(1, () => upstream.received.length, 1);
    const { errors } = await answer;
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
  });
});

test.each([
  ['POST', 'createApiToken(input: { name: "x" })', 'POST /account/api_tokens.json', []],
  [
    'PATCH',
    'updateApiToken(id: 1, input: { name: "x" })',
    'PATCH /account/api_tokens/1.json',
    ['GET /account/api_tokens/1.json'],
  ],
  ['DELETE', 'deleteDashboard(id: 1)', 'DELETE /toolkit/dashboards/1.json', ['GET /toolkit/dashboards/1.json']],
] as const)('a %s beyond the deadline is sent once, and its outcome is said to be unknown', async (...row) => {
  const [, field, sent, looks] = row;
  const upstream = await stubUpstream((request, response) => {
    if (request.method === 'GET') says('{"id":1,"name":"y"}')(request, response); // the record before the change
  });
  const deadlines = heldDeadlines();
  const { execute } = await gatewayOver(upstream.url, HELD, 'token');

  const answer = execute(`mutation { ${field} { __typename } }`);
  await deadlines.comeWhen(1, () => upstream.received.length, 1);
  const { errors } = await answer;

  expect(errors).toMatchObject([
    {
      message: expect.stringMatching(/did not answer within 599 s\..*change was made is not known: read before/),
      extensions: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN', upstream: { api: 'account' } },
    },
  ]);
  expect(upstream.received).toEqual([sent, ...looks]);
});

test('one slow call costs its own field only', async () => {
  const upstream = await stubUpstream((request, response) => {
    if (request.url === '/account/api_tokens.json') wellBehaved(request, response);
  });
  const deadlines = heldDeadlines();
  const { execute } = await gatewayOver(upstream.url, HELD, 'token');
  const answer = execute('{ apiTokens { upstreamId } dashboards { name } }');
  await deadlines.comeWhen(1, () => upstream.received.length, 2);
  const { data, errors } = await answer;
  expect(data).toEqual({ apiTokens: [{ upstreamId: '1' }], dashboards: null });
  expect(errors).toMatchObject([{ path: ['dashboards'], extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
});

test('slow callers do not hold up the others', async () => {
  const held: ServerResponse[] = [];
  const upstream = await stubUpstream((request, response) => {
    if (request.headers.authorization === 'Bearer slow') held.push(response);
    else wellBehaved(request, response);
  });
  onTestFinished(() => held.forEach((response) => response.destroy()));
  const { execute } = await gatewayOver(upstream.url, { SHARE_READS: 'false' }, 'token');
  const slow = Array.from({ length: 20 }, () => execute(TOKENS, { token: 'slow' }));
  await expectHealthy(execute);
  while (held.length < 20) await expectHealthy(execute);
  for (const response of held) response.end('[]');
  for (const { data } of await Promise.all(slow)) expect(data).toEqual({ apiTokens: [] });
});
