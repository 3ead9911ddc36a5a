// The sandbox of kits/testing, over the compiled gateway.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../kits/src/testing.ts';

const main = join(import.meta.dirname, '../../dist/main.js');
const clientsEndpoint = 'GET /app/clients.json';

async function started(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ main, ...options });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** Runs `{ clients { nodes { name } } }` at a gateway. */
async function clients(endpoint: string): Promise<unknown> {
  const headers = { authorization: 'Bearer demo-admin', 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ clients { nodes { name } } }' });
  return (await fetch(endpoint, { method: 'POST', headers, body })).json();
}

const withClients = (...names: string[]) => ({ data: { clients: { nodes: names.map((name) => ({ name })) } } });

async function temporaryFile(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-kits-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

afterEach(() => {
  vi.useRealTimers();
});

test('a sandbox has its seed, gets another one, and goes back to it; the forum has an address of its own', async () => {
  // The gateway is that of the package where no path is given.
  const { endpoint, url, forumUrl, seed, reset } = await started({
    main: undefined,
    seed: { clients: [{ name: 'Ada' }] },
  });
  expect(await clients(endpoint)).toEqual(withClients('Ada'));
  const login = { authorization: `Basic ${btoa('demo:demo')}` };
  expect((await fetch(`${forumUrl}/`, { headers: login })).status).toBe(200);
  await seed({ clients: [{ name: 'Bob' }] });
  expect(await clients(endpoint)).toEqual(withClients('Bob'));

  const body = JSON.stringify({ api_token: 'demo-admin', client: { name: 'Eve' } });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/app/clients.json`, { method: 'POST', headers, body });
  expect(await clients(endpoint)).toEqual(withClients('Bob', 'Eve'));
  await reset();
  expect(await clients(endpoint)).toEqual(withClients('Bob'));
  await expect(seed({ clients: [{}] })).rejects.toThrow('clients[0]');
});

test('a sandbox fails as it is told, recovers, and tells its calls', async () => {
  const seed = await temporaryFile('seed.json', '{"clients":[{"name":"Ada"}]}');
  const { endpoint, fault, recover, calls, reset } = await started({ seed });
  await fault({ endpoint: clientsEndpoint, status: 404 });
  expect(await clients(endpoint)).toHaveProperty('errors');
  await recover();
  expect(await clients(endpoint)).toEqual(withClients('Ada'));
  expect(await calls()).toMatchObject([
    { endpoint: clientsEndpoint, status: 404, fault: true },
    { endpoint: clientsEndpoint, status: 200, fault: false },
  ]);
  await reset();
  expect(await calls()).toEqual([]);
});

describe('a start that fails is told', () => {
  test('with the exit code and the reason', async () => {
    await expect(startSandbox({ main, seed: 'missing.json' })).rejects.toThrow(/exit code 2: [^]*missing\.json/);
  });

  test('with the place in the seed', async () => {
    await expect(startSandbox({ main, seed: { clients: [{ name: 7 }] } })).rejects.toThrow('clients[0].name');
  });

  test('for a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(startSandbox({ main, port })).rejects.toThrow(/exit code 2[^]*SANDBOX_PORT/);
  });

  test('after thirty seconds at the latest', async () => {
    const never = await temporaryFile('never.js', 'console.log("Not yet."); setInterval(() => {}, 1000);');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const start = startSandbox({ main: never });
    vi.advanceTimersByTime(30_000);
    await expect(start).rejects.toThrow('30 seconds have passed');
  });
});

test('it ends with its process, after SIGKILL too', async () => {
  const kit = new URL('../../kits/src/testing.ts', import.meta.url).href;
  const script = `import { startSandbox } from '${kit}';
    console.log((await startSandbox({ main: '${main}' })).endpoint); setInterval(() => {}, 1000);`;
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: [...stdio],
  });
  const [endpoint] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(await clients(String(endpoint).trim())).toHaveProperty('data');
  child.kill('SIGKILL');
  await expect.poll(() => clients(String(endpoint).trim()).catch(() => 'gone')).toBe('gone');
});
