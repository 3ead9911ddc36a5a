import { rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { textFile } from '../typed-flex/snapshot-files.ts';
import { snapshotOf } from '../typed-flex/snapshots.ts';
import { runningWorkers } from './support.ts';

const fileWith = (fields: object) => snapshotText(snapshotOf([{ id: '7', code: 'shop', schema: { fields } }]));
const upstreamDefinition = {
  id: 7,
  name: 'Shop',
  code: 'shop',
  schema: { fields: { other: 'string' } },
  public_methods: {},
};

const typed = (...fields: string[]) => {
  const own = ['id', 'upstreamId', 'createdAt', 'updatedAt', 'extra', ...fields];
  return {
    data: { __type: { fields: expect.toSatisfy((all) => sorted(all) === sorted(own.map((name) => ({ name })))) } },
  };
};
const sorted = (fields: readonly { name: string }[]) =>
  fields
    .map(({ name }) => name)
    .sort()
    .join();

test('workers have the types that FLEX_SCHEMA had at the last restart, and tell a changed definition once together', async () => {
  const FLEX_SCHEMA = await textFile(fileWith({ title: 'string' }));
  const upstream = await stubUpstream(says(JSON.stringify([upstreamDefinition])));
  const gateway = await runningWorkers({ ACCOUNT_URL: upstream.url, FLEX_SCHEMA });
  const [, victim] = await gateway.processes(2);
  /** The workers take turns. */
  const askAll = async (query: string) => Promise.all([1, 2, 3, 4].map(() => gateway.ask(query)));
  const TYPE = '{ __type(name: "ShopRow") { fields { name } } }';
  const READ = '{ flexDbs { code } }';
  const drift = /"databases":\["shop"\],"msg":"a database has another definition/;

  await askAll(READ);
  await gateway.logged(drift);

  await writeFile(FLEX_SCHEMA, fileWith({ title: 'string', price: 'number' }));
  process.kill(victim?.process ?? 0, 'SIGKILL');
  await gateway.processes(3);
  expect(new Set((await askAll(TYPE)).map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await gateway.ask(TYPE)).toEqual(typed('title'));
  await askAll(READ); // the new worker sees the difference, too

  await rm(FLEX_SCHEMA);
  gateway.signal('SIGHUP');
  await gateway.logged(/"reason":"FLEX_SCHEMA: [^\n]+ cannot be read: ENOENT\.","msg":"a new worker cannot start/);
  expect(await askAll(TYPE)).toEqual(Array.from({ length: 4 }, () => typed('title')));

  await writeFile(FLEX_SCHEMA, fileWith({ title: 'string', price: 'number' }));
  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"all workers were restarted"/);
  expect(await askAll(TYPE)).toEqual(Array.from({ length: 4 }, () => typed('title', 'price')));
  await askAll(READ);

  const { code, stderr } = await gateway.end();
  expect(code).toBe(0);
  const told = stderr.split('\n').filter((line) => drift.test(line));
  expect(told).toHaveLength(2); // once before the restart, and once after it
  for (const line of told) expect(line).not.toContain('"worker"');
});
