import { scryptSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../src/sandbox/migrations.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { Store } from '../../src/sandbox/store.ts';
import { running, temporaryFolder } from '../cli/trivium.ts';
import { callAt, freshSandbox } from '../support/sandbox.ts';

async function dataFile(): Promise<string> {
  return join(await temporaryFolder(), 'data.db');
}

/** A seed of the demo's users alone. */
async function seedFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'seed.json');
  await writeFile(file, '{}');
  return file;
}

const token = 'demo-admin';

test('a record answered with 201 survives SIGKILL', async () => {
  const data = await dataFile();
  const args = ['sandbox', '--data', data, '--seed', await seedFile(), '--port', '0'];
  const { banner, signal, ended } = await running(args, /calls\n$/);
  const call = callAt(/http\S+/.exec(banner)?.[0] ?? '');
  const made = await call('POST', '/account/api_tokens.json', { token, body: { api_token: { code: 'last' } } });
  expect(made.status).toBe(201);
  signal('SIGKILL');
  await ended;

  const { call: again } = await freshSandbox({ data });
  const { id, token: secret } = made.body as { id: number; token: string };
  expect(await again('GET', `/account/api_tokens/${id}.json`, { token: secret })).toMatchObject({
    status: 200,
    body: { id, code: 'last' },
  });
});

test('a data file is neither seeded nor migrated twice', async () => {
  const options = { port: 0, data: await dataFile(), seed: await seedFile() };
  const listed = async () => {
    const sandbox = await startSandbox(options);
    const { body } = await callAt(sandbox.urls.account)('GET', '/account/api_tokens.json', { token });
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

test('a data file from before the forum gets its columns, and timestamps for its users, whose passwords still work', async () => {
  const file = await dataFile();
  const store = new Store(file);
  store.migrate(migrations.slice(0, 3));
  store.run("INSERT INTO accounts (name, modules) VALUES ('A', '[]')");
  const salt = 'abcd';
  const password = `${salt}:${scryptSync('lovelace', salt, 32).toString('hex')}`; // it names no cost
  store.run(
    "INSERT INTO users (account_id, name, permissions, login, password) VALUES (1, 'Ada', '[]', 'ada', :password)",
    { password },
  );
  store.close();

  const { sandbox } = await freshSandbox({ data: file });
  const me = (user: string) =>
    fetch(`${sandbox.urls.forum}/app/users/me.xml`, { headers: { Authorization: `Basic ${btoa(user)}` } });
  expect((await me('ada:other')).status).toBe(401);
  const answer = await me('ada:lovelace');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/<created-at type="datetime">20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ</);
});
