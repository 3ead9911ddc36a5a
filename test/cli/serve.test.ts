import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stubUpstream } from '../support/stub-upstream.ts';
import { callAt } from '../support/sandbox.ts';
import { running, serving, temporaryFolder, status } from './trivium.ts';

test('over its sandbox the banner is short, its curl line works as it stands, and no token is logged', async () => {
  const { banner, endpoint, ask, end } = await serving({ LOG_LEVEL: 'debug' }, []);
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
  const origin = 'http://localhost:5173';
  const preflight = { origin, 'access-control-request-method': 'POST', connection: 'close' };
  const { headers } = await fetch(endpoint, { method: 'OPTIONS', headers: preflight });
  expect(headers.get('access-control-allow-origin')).toBe(origin);

  // It serves the flex databases of the demo data, too.
  expect(banner).toContain('flex');
  const query = '{ flexDbs { code publicMethods { operation } } }';
  const databases = JSON.stringify(await ask(query, { authorization: 'Bearer demo-admin' }));
  const [, code] = /"code":"([^"]+)","publicMethods":\[\{/.exec(databases) ?? [];
  expect(code).toBeDefined();
  const taken = expect.stringMatching(/^(PublicFlexRecord|ValidationError)$/);
  expect(await ask(`mutation { createPublicFlexRecord(code: "${code}", data: {}) { __typename } }`, {})).toEqual({
    data: { createPublicFlexRecord: { __typename: taken } },
  });

  const canary = { authorization: 'Bearer canary-3f9c' };
  for (const text of ['{ apiTokens { name } }', '{ nothing }', '{', 'mutation { enableDashboards { __typename } }']) {
    await ask(text, canary);
  }
  const { code: exitCode, stdout: printed, stderr } = await end();
  expect(exitCode).toBe(0);
  expect(printed + stderr).not.toContain('canary');
  expect(stderr.match(/"level":/g)?.length).toBeGreaterThanOrEqual(6);
});

test('over a seed file with users the banner has their credentials, which work', async () => {
  const seed = join(await temporaryFolder(), 'seed.json');
  const users = [{ name: 'Ada', token: 'ada-token', login: 'ada', password: 'engine' }];
  await writeFile(seed, JSON.stringify({ users }));
  const { banner, end } = await serving({}, ['serve', '--seed', seed]);

  expect(banner).not.toMatch(/demo-admin|ZGVtbzpkZW1v/);
  expect(banner.match(/Receipts of writes are in memory: .* after a restart is a new one/g)).toHaveLength(1);
  expect(banner).toContain(`X-Forum-Authorization: Basic ${btoa('ada:engine')}`);
  const curl = banner.split('\n').find((line) => line.trim().startsWith('curl ')) ?? '';
  expect(curl).toContain('Bearer ada-token');
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  expect(JSON.parse(stdout)).toMatchObject({ data: { apiTokens: expect.any(Array) } });

  expect(await end()).toMatchObject({ code: 0 });
});

test('SUBGRAPH=true serves a subgraph, and the banner says so', async () => {
  const { banner, ask, end } = await serving({ SUBGRAPH: 'true' }, []);
  expect(banner).toMatch(/subgraph/);
  expect(await ask('{ _service { sdl } }')).toEqual({ data: { _service: { sdl: expect.stringContaining('@key') } } });
  expect(await end()).toMatchObject({ code: 0 });
});

test('with the address of the flex API alone it starts no sandbox, and lists the other APIs as not set', async () => {
  const upstream = await stubUpstream((_request, response) => response.end('[]'));
  const env = {
    FLEX_URL: `${upstream.url}/base/`,
    CORS_ORIGIN: 'https://canary.example',
    CRM_URI: 'canary',
  };
  const { at, banner, logged, end } = await serving(env);
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
  const warnings = await logged(/is no setting/, 2);
  expect(warnings.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 40, variable: 'CORS_ORIGIN', msg: 'CORS_ORIGIN is no setting and has no effect: CORS_ORIGINS is one' },
    { level: 40, variable: 'CRM_URI', setting: 'CRM_URL' },
  ]);
  expect(warnings.join('')).not.toContain('canary');
  expect(await status(at('/ready'))).toBe(200);
  expect(await end()).toMatchObject({ code: 0 });
});

test('the sandbox alone says how to reset it, how to keep its data, and which tokens it knows', async () => {
  const { banner } = await running(['sandbox', '--port', '0', '--host', '0.0.0.0'], /calls\n$/);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(banner) ?? [];
  for (const text of ['--data FILE', 'demo-admin', 'demo-editor', 'demo-member', 'demo / demo'])
    expect(banner).toContain(text);
  const [, method = '', reset = ''] = /curl -X (\w+) (\S+)/.exec(banner) ?? [];
  expect(reset).toBe(`${url}/sandbox/reset`);
  expect((await fetch(reset, { method })).status).toBe(204);

  // With --host 0.0.0.0 it listens on all addresses, and is controlled by the names of the loopback only.
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
