import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Lists that upstream sends page by page, and names the next one of.

/** A gateway over an upstream with these rows, two on a page; `rowsAt` is asked for them each time. */
async function paged(rowsAt: () => readonly object[], settings: Partial<Config> = {}) {
  const upstream = await stubUpstream((request, response) => {
    if (request.method !== 'GET') return says('{"id":3}')(request, response);
    const page = Number(new URL(request.url ?? '', 'http://any').searchParams.get('page') ?? 1);
    const rows = rowsAt().slice((page - 1) * 2, page * 2);
    const next = rowsAt().length > page * 2 ? { link: `<?page=${page + 1}>; rel="next"` } : {};
    says(JSON.stringify(rows), { headers: next })(request, response);
  });
  const over = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings }, 'token');
  return { ...over, received: upstream.received };
}

const clients = (...ids: readonly number[]) => ids.map((id) => ({ id, name: `Client ${id}` }));

test('a page of a connection that goes on has all pages of one time: no row is lost', async () => {
  let ids = [1, 2, 3, 4];
  const { ask } = await paged(() => clients(...ids));
  const first = await ask('{ clients(first: 2) { pageInfo { endCursor } } }');
  ids = [2, 3, 4]; // past the gateway
  const { endCursor } = Object(first).clients.pageInfo;
  const next = await ask(`{ clients(after: "${endCursor}") { totalCount nodes { upstreamId } } }`);
  expect(next).toEqual({ clients: { totalCount: 3, nodes: [{ upstreamId: '3' }, { upstreamId: '4' }] } });
});

test('a record of a further page is changed where it is unchanged', async () => {
  const updated_at = '2026-03-01T08:00:00Z';
  const rows = [1, 2, 3].map((id) => ({ id, table_name: 'tasks', data: {}, updated_at }));
  const { ask, received } = await paged(() => rows);
  const data = await ask(`mutation {
    updateFlexRecord(id: "FlexRecord:7:3", input: { table: "tasks", data: {} }, ifUpdatedAt: "${updated_at}") { __typename }
  }`);
  expect(data).toEqual({ updateFlexRecord: { __typename: 'FlexRecord' } });
  expect(received).toEqual([
    'GET /flex/dbs/7/records.json',
    'GET /flex/dbs/7/records.json?page=2',
    'PATCH /flex/dbs/7/records/3.json',
  ]);
});

test.each([
  ['is refused', says('{"error":"not_found"}', { status: 404 })],
  ['is empty', says('[]')],
  ['repeats the first', undefined],
])('tokens that say that more follow are incomplete when the second page %s', async (_how, second) => {
  const tokens = says(
    JSON.stringify({ api_tokens: clients(...Array.from({ length: 25 }, (_, at) => at + 1)), has_more: true }),
  );
  const { url } = await stubUpstream((request, response) =>
    (request.url?.includes('page=2') && second ? second : tokens)(request, response),
  );
  const { execute } = await gatewayOver(url, {}, 'token');
  const { data, errors } = await execute('{ apiTokens { id } }');
  expect(data).toMatchObject({ apiTokens: { length: 25 } });
  expect(errors.map(({ message }) => message)).toContain(
    'The account API: The list has 25 rows, and upstream says that more follow.',
  );
});
