import { expect, test } from 'vitest';
import { longSteps } from '../support/clock.ts';
import { HELD } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A list of thousands of records is filtered and ordered in the gateway, in many steps each time.

const clients = JSON.stringify(
  Array.from({ length: 1_000 }, (_none, index) => ({
    id: index + 1,
    name: `Client ${(index * 7919) % 1_000}`,
    created_at: new Date(1_700_000_000_000 + index * 86_000).toISOString(),
  })),
);

async function crmWithClients() {
  const upstream = await stubUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(clients);
  });
  return gatewayOver(upstream.url, { ...HELD, CRM_URL: new URL(upstream.url) }, 'token');
}

const list = (alias: string, text: string) =>
  `${alias}: clients(first: 1, filter: { text: "${text}", createdAt: { from: "2023-01-01T00:00:00Z" } },
    orderBy: { field: NAME, direction: DESC }) { nodes { upstreamId } }`;

const aliased = (count: number, text: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_none, index) => list(`a${index}`, text(index))).join(' ')} }`;

test('the same filter and order of one list are computed once an operation, whatever it is called', async () => {
  const { execute } = await crmWithClients();
  const turns = longSteps();
  await execute(aliased(1, () => 'client'));
  const alone = turns();
  const { data, errors } = await execute(aliased(50, () => 'client'));
  expect(turns() - alone).toBeLessThanOrEqual(alone + 50 * 2); // the inputs of each are hashed
  expect(errors).toEqual([]);
  expect(new Set(Object.values(Object(data)).map((page) => JSON.stringify(page))).size).toBe(1);
});

test('other queries are answered while an operation filters and orders a list in ten ways', async () => {
  const { execute } = await crmWithClients();
  longSteps();
  const ten = execute(aliased(10, (index) => `client ${index}`)).then(() => 'done' as const);

  let answered = 0;
  while ((await Promise.race([ten, execute('{ __typename }')])) !== 'done') answered += 1;

  expect(answered).toBeGreaterThan(15);
});

test('an order that cannot be made is told in each place that asks for it', async () => {
  const { execute } = await crmWithClients();
  const { errors } = await execute(`{
    a: clients(orderBy: { field: LAST_ACTIVITY }) { totalCount }
    b: clients(orderBy: { field: LAST_ACTIVITY }) { totalCount }
    c: clients(orderBy: { field: UPDATED_AT }) { totalCount }
    d: clients(orderBy: { field: NAME }) { totalCount }
  }`);
  expect(errors).toMatchObject(
    ['a', 'b', 'c'].map((path) => ({ path: [path], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } })),
  );
});
