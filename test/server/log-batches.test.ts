import { expect, test } from 'vitest';
import { running } from '../cli/trivium.ts';

const env = { PORT: '0', ACCOUNT_URL: 'http://127.0.0.1:1', SHUTDOWN_TIMEOUT_MS: '1000' };

async function gatewayProcess() {
  const process = await running(['serve'], /http\S+\/graphql/, { env });
  const [endpoint = ''] = /http\S+\/graphql/.exec(process.banner) ?? [];
  const execute = async (name: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: `query ${name} { __typename }` });
    await (await fetch(endpoint, { method: 'POST', headers, body })).text();
  };
  return { ...process, execute };
}

const operations = (log: string): unknown[] =>
  log
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line).operation);

test('lines that wait when the process ends are written', async () => {
  const { execute, signal, ended } = await gatewayProcess();
  await execute('Last');
  signal('SIGTERM');
  const { code, stderr } = await ended;
  expect({ code, operations: operations(stderr) }).toEqual({ code: 0, operations: ['Last'] });
});

test('a single line does not wait for others', async () => {
  const { execute, logged } = await gatewayProcess();
  await execute('Alone');
  expect(await logged(/"operation":"Alone"/)).toHaveLength(1);
});

test('each of three hundred operations has its line, whole and in order', async () => {
  const { execute, signal, ended } = await gatewayProcess();
  const names = Array.from({ length: 300 }, (_none, index) => `Operation${index}`);
  for (const name of names) await execute(name);
  signal('SIGTERM');
  expect(operations((await ended).stderr)).toEqual(names);
});
