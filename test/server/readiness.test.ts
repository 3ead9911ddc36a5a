import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';
import { TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { DEAD_ADDRESS, rawUpstream, says, stubUpstream } from '../support/stub-upstream.ts';

const ready = async ({ url }: { readonly url: string }) => {
  const response = await fetch(`${url}/ready`);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
};

const log = createLog('silent', { write: () => {} });

/** A time of today, as ISO 8601 writes it. */
const recently = expect.toSatisfy(
  (at: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && Math.abs(Date.now() - Date.parse(at)) < 86_400_000,
);

test.each(['/health', '/ready', '/nothing'])('%s is answered with the length of its body', async (path) => {
  const upstream = await stubUpstream(says('[]'));
  const { url } = await gatewayOver(upstream.url);
  const response = await fetch(`${url}${path}`);
  expect(response.headers.get('content-length')).toBe(String((await response.text()).length));
});

test.each([
  ['answers', 200, '2xx', 'ok'],
  ['refuses', 403, '4xx', 'ok'],
  ['is broken', 500, '5xx', 'failing'],
])('/ready tells when an API answered last, and the class of the status: one that %s', async (...row) => {
  const [, status, shown, state] = row;
  const upstream = await stubUpstream(says('[{"id":1}]', { status }));
  const gateway = await gatewayOver(upstream.url, {}, 'token');
  await gateway.execute(TOKENS);
  expect(await ready(gateway)).toMatchObject({
    status: 200,
    body: {
      status: 'ok',
      upstreams: {
        account: { state, last: { answered: { at: recently, status: shown, ms: expect.any(Number) } } },
        flex: { state: 'ok', last: {} },
      },
    },
  });
});

test('/ready tells when a call failed last, and when one was answered before', async () => {
  let answer: RequestListener = wellBehaved;
  const upstream = await stubUpstream((request, response) => answer(request, response));
  const gateway = await gatewayOver(upstream.url, {}, 'token');
  await gateway.execute(TOKENS);
  answer = (_request, response) => void response.destroy();
  await gateway.execute(TOKENS);
  const { body } = await ready(gateway);
  const { answered, failed } = body.upstreams.account.last;
  expect({ answered, failed }).toEqual({
    answered: { at: recently, status: '2xx', ms: expect.any(Number) },
    failed: { at: recently },
  });
  expect(Date.parse(failed.at)).toBeGreaterThanOrEqual(Date.parse(answered.at));
});

test('/ready stays 200 with every API down', async () => {
  const gateway = await gatewayOver(DEAD_ADDRESS, {}, 'token');
  for (let calls = 0; calls < 10; calls += 1) await gateway.execute('{ apiTokens { id } flexDbs { id } }');
  const down = { state: 'open', last: { failed: { at: recently } } };
  expect(await ready(gateway)).toMatchObject({
    status: 200,
    body: { status: 'ok', upstreams: { account: down, flex: down } },
  });
});

test('/ready fails for the process itself, and tells the APIs then, too', async () => {
  const config = testConfig({ ACCOUNT_URL: new URL(DEAD_ADDRESS) });
  const gateway = await createGateway(config, { log });
  onTestFinished(() => gateway.close());
  const upstreams = { account: { state: 'ok', last: {} }, flex: { state: 'ok', last: {} } };
  expect(await ready(gateway)).toMatchObject({ status: 200, body: { status: 'ok', upstreams } });
  const ending = gateway.beginShutdown();
  const { status, body } = await ready(gateway);
  await ending;
  expect({ status, body }).toEqual({ status: 503, body: { status: 'shutting down', upstreams } });
});

test('/ready names no address, no credential and no text of upstream', async () => {
  const upstream = await rawUpstream((socket) =>
    socket.end('HTTP/1.1 503 canary-reason\r\nx-canary: 1\r\ncontent-length: 11\r\n\r\ncanary-body'),
  );
  const gateway = await gatewayOver(`${upstream.url}/canary-path`, { CRM_URL: new URL('http://canary-host.invalid') });
  await gateway.execute('{ apiTokens { id } deals(first: 1) { nodes { id } } }', {
    token: 'canary-token',
    headers: { 'x-crm-token': 'canary-crm', 'x-forum-authorization': 'Basic Y2FuYXJ5' },
  });
  const { text, body } = await ready(gateway);
  expect(body.upstreams).toMatchObject({
    account: { last: { answered: { status: '5xx' } } },
    crm: { last: { failed: { at: recently } } },
  });
  expect(text).not.toMatch(/canary|127\.0\.0\.1|http|invalid/i);
});
