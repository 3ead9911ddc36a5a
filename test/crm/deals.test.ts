import { expect, test } from 'vitest';
import { CLIENTS, crmGateway, DEALS } from './support.ts';

test('deals load their clients in one list call, each its own', async () => {
  const { ask, sandbox, makeClient, makeDeal } = await crmGateway({ READS_AT_ONCE: 4 });
  const names = ['Ada', 'Bob', 'Cy', 'Dot', 'Eve'];
  for (const name of names) await makeDeal({ name: `of ${name}`, client_id: await makeClient({ name }) });
  await makeDeal({ name: 'of nobody' });

  const data = await ask('{ deals { nodes { name client { name } } } }');

  const nodes = [
    ...names.map((name) => ({ name: `of ${name}`, client: { name } })),
    { name: 'of nobody', client: null },
  ];
  expect(data).toEqual({ deals: { nodes } });
  expect(sandbox.calls()).toEqual([DEALS, CLIENTS]);
});
