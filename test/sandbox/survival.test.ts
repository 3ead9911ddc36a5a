import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { passwordHash } from '../../src/sandbox/account/secrets.ts';
import { migrations } from '../../src/sandbox/migrations.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { Store } from '../../src/sandbox/store.ts';
import { type Call, callAt } from '../support/sandbox.ts';

const entry = fileURLToPath(new URL('sandbox-process.ts', import.meta.url));

async function dataFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'data.db');
}

/** A sandbox over this file in a process of its own. */
async function sandboxProcess(file: string): Promise<{ call: Call; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', entry, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  const [url] = await once(createInterface(child.stdout), 'line');
  return { call: callAt(String(url)), kill };
}

test('what was answered with 201 survives SIGKILL', async () => {
  const file = await dataFile();
  const token = 'demo-admin';
  const first = await sandboxProcess(file);
  const made = await first.call('POST', '/account/api_tokens.json', { token, body: { api_token: { code: 'last' } } });
  expect(made.status).toBe(201);
  await first.kill();

  const second = await sandboxProcess(file);
  const { id, token: secret } = made.body as { id: number; token: string };
  expect(await second.call('GET', `/account/api_tokens/${id}.json`, { token: secret })).toMatchObject({
    status: 200,
    body: { id, code: 'last' },
  });
});

test('a file is opened again as it was left: nothing is seeded or migrated twice', async () => {
  const data = await dataFile();
  const listed = async () => {
    const sandbox = await startSandbox({ port: 0, data });
    const { body } = await callAt(sandbox.urls.account)('GET', '/account/api_tokens.json', { token: 'demo-admin' });
    await sandbox.close();
    return body;
  };
  const before = await listed();
  expect(before).toContainEqual(expect.objectContaining({ token_info: 'd…n' }));
  expect(await listed()).toEqual(before);
});

test('a file of a newer version is refused', async () => {
  const file = await dataFile();
  const store = new Store(file);
  store.migrate(Array.from({ length: 99 }, () => 'SELECT 1'));
  store.close();
  await expect(startSandbox({ port: 0, data: file })).rejects.toThrow('newer version');
});

test('a file from before the forum gets its columns, and the users in it their stamps', async () => {
  const file = await dataFile();
  const store = new Store(file);
  store.migrate(migrations.slice(0, 3));
  store.run("INSERT INTO accounts (name, modules) VALUES ('A', '[]')");
  const password = passwordHash('lovelace');
  store.run(
    "INSERT INTO users (account_id, name, permissions, login, password) VALUES (1, 'Ada', '[]', 'ada', :password)",
    { password },
  );
  store.close();

  const sandbox = await startSandbox({ port: 0, data: file });
  onTestFinished(() => sandbox.close());
  const headers = { Authorization: `Basic ${btoa('ada:lovelace')}` };
  const answer = await fetch(`${sandbox.urls.forum}/app/users/me.xml`, { headers });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/<created-at type="datetime">20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ</);
});
