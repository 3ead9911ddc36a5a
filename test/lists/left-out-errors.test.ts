import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A list that lacks rows has its error at each field that shows it.

const CLIENTS = 130;

/** A CRM with this many clients, each with two deals, and one deal that has no id. */
async function incompleteCrm(clients: number) {
  const deals = Array.from({ length: 2 * clients }, (_none, index) => ({
    ...{ id: index + 1, name: `D${index}` },
    client_id: Math.floor(index / 2) + 1,
  }));
  const { url, received } = await stubUpstream((request, response) => {
    const list = request.url?.startsWith('/app/deals')
      ? [...deals, { name: 'none' }]
      : deals.slice(0, clients).map(({ id }) => ({ id, name: `C${id}` }));
    saysJson(list)(request, response);
  });
  return { ...(await gatewayOver(url, { CRM_URL: new URL(url) }, 'token')), received };
}

test('each of several lists from one read has its own error', async () => {
  const { execute, received } = await incompleteCrm(1);
  const { data, errors } = await execute(`{
    a: deals(first: 5) { totalCount }
    b: deals(first: 5, orderBy: [{ field: NAME }]) { totalCount }
    clients(first: 1) { nodes { c: deals(first: 5) { totalCount } d: deals(first: 1) { nodes { id } } } }
  }`);
  expect(data).toMatchObject({ a: { totalCount: 2 }, b: { totalCount: 2 } });
  expect(errors.map(({ path = [] }) => path.join('.')).sort()).toEqual([
    'a',
    'b',
    'clients.nodes.0.c',
    'clients.nodes.0.d',
  ]);
  expect(new Set(errors.map(({ message }) => message))).toEqual(
    new Set(['The crm API: 1 of 3 rows was left out: A record has no id.']),
  );
  expect(received).toHaveLength(2);
});

test('100 errors of lists are listed, and one more counts the rest', async () => {
  const { execute } = await incompleteCrm(CLIENTS);
  const { errors } = await execute(`{ clients(first: ${CLIENTS}) { nodes { deals(first: 5) { totalCount } } } }`);
  expect(errors.map(({ path = [] }) => path.join('.'))).toEqual([
    ...Array.from({ length: 100 }, (_none, index) => `clients.nodes.${index}.deals`),
    '',
  ]);
  expect(errors.at(-1)).toEqual({
    message: `${CLIENTS - 100} more errors are not listed.`,
    extensions: { code: 'UPSTREAM_BAD_RESPONSE', omitted: CLIENTS - 100 },
  });
});
