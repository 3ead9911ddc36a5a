import { expect, test } from 'vitest';
import { z } from 'zod';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A list is read page by page while the rows that it is read from are changed, and the order is that of the changes.

const COUNT = 20;
const SIZE = 3;

/** A CRM whose clients were changed one after the other; a change makes one of them the latest. */
async function changingCrm() {
  let now = 0;
  const stamp = () => new Date(Date.UTC(2026, 0, 1) + (now += 1) * 60_000).toISOString();
  const clients = Array.from({ length: COUNT }, (_none, index) => ({
    ...{ id: index + 1, name: `C${index + 1}` },
    updated_at: stamp(),
  }));
  const { url } = await stubUpstream((request, response) => {
    const [, id] = /clients\/(\d+)\.json/.exec(request.url ?? '') ?? [];
    const client = clients.find((row) => `${row.id}` === id);
    if (client && request.method === 'PUT') client.updated_at = stamp();
    saysJson(client ?? clients)(request, response);
  });
  const { ask } = await gatewayOver(url, { CRM_URL: new URL(url) }, 'token');
  return ask;
}

const PAGE = z.object({
  clients: z.object({
    nodes: z.array(z.object({ upstreamId: z.string() })),
    pageInfo: z.looseObject({ startCursor: z.string().nullable(), endCursor: z.string().nullable() }),
  }),
});

const WAYS = {
  forward: { size: 'first', from: 'after', cursor: 'endCursor', more: 'hasNextPage', last: -1 },
  backward: { size: 'last', from: 'before', cursor: 'startCursor', more: 'hasPreviousPage', last: 0 },
} as const;

/** Reads all pages one way, and changes the row at the end of each before it reads the next one. */
async function readWhileChanging(way: keyof typeof WAYS, direction: 'ASC' | 'DESC') {
  const { size, from, cursor, more, last } = WAYS[way];
  const ask = await changingCrm();
  const shown: string[] = [];
  const changed = new Set<string>();
  let position: string | null = null;
  for (let page = 0; page < COUNT; page += 1) {
    const { clients } = PAGE.parse(
      await ask(
        `query ($at: String) { clients(${size}: ${SIZE}, ${from}: $at, orderBy: { field: UPDATED_AT, direction: ${direction} }) {
          nodes { upstreamId } pageInfo { startCursor endCursor ${more} } } }`,
        { variables: { at: position } },
      ),
    );
    const ids = clients.nodes.map(({ upstreamId }) => upstreamId);
    shown.push(...ids);
    if (clients.pageInfo[more] === false) return { shown, changed };
    const id = ids.at(last) ?? 'none';
    changed.add(id);
    await ask('mutation ($id: ID!) { updateClient(id: $id, input: { name: "new" }) { __typename } }', {
      variables: { id },
    });
    position = clients.pageInfo[cursor];
  }
  throw new Error('The reading does not end.');
}

const ALL = Array.from({ length: COUNT }, (_none, index) => `${index + 1}`);
const sorted = (ids: Iterable<string>) => [...ids].sort((one, other) => Number(one) - Number(other));
const twice = (shown: readonly string[]) => shown.filter((id, index) => shown.indexOf(id) !== index);

test.each([
  ['forward', 'DESC'],
  ['backward', 'ASC'],
] as const)('rows that their change moves to what was read are shown once: %s, %s', async (way, direction) => {
  const { shown } = await readWhileChanging(way, direction);
  expect(sorted(shown)).toEqual(ALL);
});

test.each([
  ['forward', 'ASC'],
  ['backward', 'DESC'],
] as const)(
  'rows that their change moves to what follows are shown again, and no others: %s, %s',
  async (way, direction) => {
    const { shown, changed } = await readWhileChanging(way, direction);
    expect(sorted(new Set(shown))).toEqual(ALL);
    expect([...changed]).toEqual(expect.arrayContaining(twice(shown)));
  },
);

test('a cursor without a digest, of an older version, follows its row', async () => {
  const ask = await changingCrm();
  const list = 'clients(first: 2, after: "offset:1:5", orderBy: { field: UPDATED_AT }) { nodes { upstreamId } }';
  expect(await ask(`{ ${list} }`)).toEqual({ clients: { nodes: [{ upstreamId: '6' }, { upstreamId: '7' }] } });
});
