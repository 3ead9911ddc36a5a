import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stubUpstream } from '../support/stub-upstream.ts';
import { callAt } from '../support/sandbox.ts';
import { running, temporaryFolder } from './trivium.ts';

/** Free ports, and a short grace period: these tests keep connections open until the end. */
const FREE = { PORT: '0', SANDBOX_PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000' };
const UP = /http\S+\/graphql[^]*\n$/;

const endpointIn = (banner: string) => /http\S+\/graphql/.exec(banner)?.[0] ?? '';

test('the banner is short, and its curl line works as it stands', async () => {
  const { banner, signal, ended } = await running([], /npm start/, { env: FREE });
  expect(banner.split('\n').length).toBeLessThan(20);

  const curl = banner.split('\n').find((line) => line.trim().startsWith('curl ')) ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  expect(JSON.parse(stdout)).toMatchObject({
    data: { apiTokens: expect.arrayContaining([{ name: 'Demo', tokenInfo: 'd…n' }]) },
  });

  const sandbox = /http:\S+(?= +stands in)/.exec(banner)?.[0] ?? '';
  for (const [, token = ''] of banner.matchAll(/^ +(demo-\w+) /gm)) {
    expect((await callAt(sandbox)('GET', '/toolkit/dashboards.json', { token })).status).toBe(200);
  }
  const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' };
  const { headers } = await fetch(endpointIn(banner), { method: 'OPTIONS', headers: preflight });
  expect(headers.get('access-control-allow-origin')).toBe(preflight.origin);
  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('over a seed file with users the banner has their credentials, which work', async () => {
  const seed = join(await temporaryFolder(), 'seed.json');
  const users = [{ name: 'Ada', token: 'ada-token', login: 'ada', password: 'engine' }];
  await writeFile(seed, JSON.stringify({ users }));
  const { banner, signal, ended } = await running(['serve', '--seed', seed], /npm start/, { env: FREE });

  expect(banner).not.toMatch(/demo-admin|ZGVtbzpkZW1v/);
  expect(banner).toContain(`X-Forum-Authorization: Basic ${btoa('ada:engine')}`);
  const curl = banner.split('\n').find((line) => line.trim().startsWith('curl ')) ?? '';
  expect(curl).toContain('Bearer ada-token');
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  expect(JSON.parse(stdout)).toMatchObject({ data: { apiTokens: expect.any(Array) } });

  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('over its sandbox it serves the flex databases of the demo data, too', async () => {
  const { banner, signal, ended } = await running(['serve'], UP, { env: FREE });
  const ask = async (query: string, headers: Readonly<Record<string, string>>) => {
    const body = JSON.stringify({ query });
    const response = await fetch(endpointIn(banner), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { answer: await response.json() };
  };
  expect(banner).toContain('flex');

  const { answer } = await ask('{ flexDbs { code publicMethods { operation } } }', {
    authorization: 'Bearer demo-admin',
  });
  const [, code] = /"code":"([^"]+)","publicMethods":\[\{/.exec(JSON.stringify(answer)) ?? [];
  expect(code).toBeDefined();
  const visitor = await ask(`mutation { createPublicFlexRecord(code: "${code}", data: {}) { __typename } }`, {});
  const taken = expect.stringMatching(/^(PublicFlexRecord|ValidationError)$/);
  expect(visitor.answer).toEqual({ data: { createPublicFlexRecord: { __typename: taken } } });

  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test.each<[string, string[], Record<string, string>]>([
  ['--subgraph', ['--subgraph'], {}],
  ['SUBGRAPH=true', [], { SUBGRAPH: 'true' }],
])('%s serves a subgraph, and the banner says so', async (_name, args, settings) => {
  const { banner, signal, ended } = await running(args, UP, { env: { ...FREE, ...settings } });
  expect(banner).toMatch(/subgraph/);
  const response = await fetch(endpointIn(banner), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  expect(await response.json()).toEqual({ data: { _service: { sdl: expect.stringContaining('@key') } } });
  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('with the address of the flex API alone it starts no sandbox, and lists the other APIs as not set', async () => {
  const upstream = await stubUpstream((_request, response) => response.end('[]'));
  const env = {
    ...FREE,
    FLEX_URL: `${upstream.url}/base/`,
    CORS_ORIGIN: 'https://canary.example',
    CRM_URI: 'canary',
    MAX_LAG_MS: '25',
  };
  const { banner, logged, signal, ended } = await running(['serve'], UP, { env });
  expect(banner).not.toContain('sandbox');
  const lines = banner.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(lines).toEqual(
    expect.arrayContaining([
      ['account', 'not set: set ACCOUNT_URL'],
      ['flex', `${upstream.url}/base`],
      ['crm', 'not set: set CRM_URL'],
      ['forum', 'not set: set FORUM_URL'],
    ]),
  );
  await logged(/MAX_LAG_MS has no effect: MAX_WAIT_MS takes its place/, 1);
  const warnings = await logged(/is no setting/, 2);
  expect(warnings.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 40, variable: 'CORS_ORIGIN', msg: 'CORS_ORIGIN is no setting and has no effect: CORS_ORIGINS is one' },
    { level: 40, variable: 'CRM_URI', setting: 'CRM_URL' },
  ]);
  expect(warnings.join('')).not.toContain('canary');
  expect((await fetch(endpointIn(banner).replace('/graphql', '/ready'))).status).toBe(200);
  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('what is logged and printed never holds the token', async () => {
  const { banner, signal, ended } = await running(['serve'], UP, { env: { ...FREE, LOG_LEVEL: 'debug' } });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer canary-3f9c' };
  for (const query of ['{ apiTokens { name } }', '{ nothing }', '{', 'mutation { enableDashboards { __typename } }']) {
    await (await fetch(endpointIn(banner), { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
  }
  signal('SIGTERM');
  const { stdout, stderr } = await ended;
  expect(stdout + stderr).not.toContain('canary');
  expect(stderr.trim().split('\n').length).toBeGreaterThanOrEqual(4);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the request in flight is answered, nothing new is taken, and the exit code is 0',
  async (signal) => {
    let arrived: (response: ServerResponse) => void = () => {};
    const held = new Promise<ServerResponse>((resolve) => (arrived = resolve));
    const upstream = await stubUpstream((_request, response) => arrived(response));
    const gateway = await running(['serve'], UP, { env: { PORT: '0', ACCOUNT_URL: upstream.url } });
    const endpoint = endpointIn(gateway.banner);

    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
    const body = JSON.stringify({ query: '{ apiTokens { upstreamId } }' });
    const inFlight = fetch(endpoint, { method: 'POST', headers, body });
    const response = await held;
    gateway.signal(signal);
    await refused(endpoint.replace('/graphql', '/ready'));
    response.end('[{"id":1}]');

    const answered = await inFlight;
    expect(await answered.json()).toEqual({ data: { apiTokens: [{ upstreamId: '1' }] } });
    expect(await gateway.ended).toMatchObject({ code: 0 });
  },
);

test('an upstream that never answers does not hold up the end for longer than it may', async () => {
  const upstream = await stubUpstream(() => {});
  const env = { PORT: '0', ACCOUNT_URL: upstream.url, SHUTDOWN_TIMEOUT_MS: '50', UPSTREAM_TIMEOUT_MS: '60000' };
  const gateway = await running(['serve'], UP, { env });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
  const body = JSON.stringify({ query: '{ apiTokens { name } }' });
  const inFlight = fetch(endpointIn(gateway.banner), { method: 'POST', headers, body });
  while (upstream.received.length === 0) await fetch(endpointIn(gateway.banner).replace('/graphql', '/health'));
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
  expect((await inFlight).status).toBe(503);
});

test('the sandbox alone says how to reset it, how to keep its data, and which tokens it knows', async () => {
  const { banner } = await running(['sandbox', '--port', '0'], /calls\n$/);
  const [url = ''] = /http\S+/.exec(banner) ?? [];
  for (const text of ['--data FILE', 'demo-admin', 'demo-editor', 'demo-member', 'demo / demo'])
    expect(banner).toContain(text);
  const [, method = '', reset = ''] = /curl -X (\w+) (\S+)/.exec(banner) ?? [];
  expect(reset).toBe(`${url}/sandbox/reset`);
  expect((await fetch(reset, { method })).status).toBe(204);
});

test('the sandbox alone listens on all addresses with --host 0.0.0.0, and is controlled by the names of the loopback only', async () => {
  const { banner } = await running(['sandbox', '--port', '0', '--host', '0.0.0.0'], /calls\n$/);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(banner) ?? [];
  const elsewhere = url.replace('127.0.0.1', '127.0.0.2'); // another address of this machine
  expect((await callAt(elsewhere)('GET', '/toolkit/dashboards.json', { token: 'demo-admin' })).status).toBe(200);
  expect((await fetch(`${url}/sandbox/calls`)).status).toBe(200);
  const { port } = new URL(url);
  const asked = request({ port, path: '/sandbox/calls', headers: { host: `sandbox:${port}` } }).end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  expect(answer?.resume().statusCode).toBe(403);
});

test('the sandbox alone keeps its data in the file that it is given', async () => {
  const file = join(await temporaryFolder(), 'data.db');
  const started = async () => {
    const sandbox = await running(['sandbox', '--data', file, '--port', '0'], /calls\n$/);
    const url = /http\S+/.exec(sandbox.banner)?.[0] ?? '';
    return { ...sandbox, call: callAt(url) };
  };
  const token = 'demo-admin';

  const first = await started();
  const dashboard = { name: 'Kept' };
  expect((await first.call('POST', '/toolkit/dashboards.json', { token, body: { dashboard } })).status).toBe(201);
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });

  const second = await started();
  const { body } = await second.call('GET', '/toolkit/dashboards.json', { token });
  expect(body).toContainEqual(expect.objectContaining({ name: 'Kept' }));
  second.signal('SIGINT');
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
});

/** Asks again until nobody listens any more, or it is said that the end is near. */
async function refused(url: string): Promise<void> {
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 0 || status === 503) return;
    expect(status).toBe(200);
  }
}
