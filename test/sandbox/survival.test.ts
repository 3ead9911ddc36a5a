import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { passwordHash } from '../../src/sandbox/account/secrets.ts';
import { migrations } from '../../src/sandbox/migrations.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { Store } from '../../src/sandbox/store.ts';
import { running, temporaryFolder } from '../cli/trivium.ts';
import { callAt } from '../support/sandbox.ts';

async function dataFile(): Promise<string> {
  return join(await temporaryFolder(), 'data.db');
}

test('a record answered with 201 survives SIGKILL', async () => {
  const file = await dataFile();
  const token = 'demo-admin';
  const started = async () => {
    const { banner, ...process } = await running(['sandbox', '--data', file, '--port', '0'], /calls\n$/);
    return { ...process, call: callAt(/http\S+/.exec(banner)?.[0] ?? '') };
  };
  const first = await started();
  const made = await first.call('POST', '/account/api_tokens.json', { token, body: { api_token: { code: 'last' } } });
  expect(made.status).toBe(201);
  first.signal('SIGKILL');
  await first.ended;

  const second = await started();
  const { id, token: secret } = made.body as { id: number; token: string };
  expect(await second.call('GET', `/account/api_tokens/${id}.json`, { token: secret })).toMatchObject({
    status: 200,
    body: { id, code: 'last' },
  });
});

test('a data file is neither seeded nor migrated twice', async () => {
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

test('a data file of a newer version is refused', async () => {
  const file = await dataFile();
  const store = new Store(file);
  store.migrate(Array.from({ length: 99 }, () => 'SELECT 1'));
  store.close();
  await expect(startSandbox({ port: 0, data: file })).rejects.toThrow('newer version');
});

test('a data file from before the forum gets its columns, and timestamps for its users', async () => {
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
