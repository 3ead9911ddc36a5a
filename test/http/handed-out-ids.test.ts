import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Each id that is handed out can be sent back.

/** A list of a type, its endpoint, and the field that reads one record. */
const TYPES: readonly [type: string, list: string, path: string, one: string][] = [
  ['Client', 'clients(first: 9) { nodes', '/app/clients.json', 'client'],
  ['Post', 'posts(first: 9) { nodes', '/app.json', 'post'],
  ['Deal', 'deals(first: 9) { nodes', '/app/deals.json', 'deal'],
  ['ApiToken', 'list: apiTokens', '/account/api_tokens.json', 'apiToken'],
  ['Dashboard', 'list: dashboards', '/toolkit/dashboards.json', 'dashboard'],
  ['FlexDb', 'list: flexDbs', '/flex/dbs.json', 'flexDb'],
];

/**
 * A gateway over an upstream whose list holds these ids, and others in rows with another name, and that answers each other read
 * with the record of its path.
 */
async function handingOut(list: string, ids: readonly unknown[], others: readonly unknown[] = []) {
  const upstream = await stubUpstream((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const id = decodeURIComponent(/([^/]+)\.json$/.exec(path)?.[1] ?? '');
    const named = (name: string) => (each: unknown) => ({ id: each, name, title: name });
    const body = path === list ? [...ids.map(named('N')), ...others.map(named('M'))] : named('N')(id);
    saysJson(body)(request, response);
  });
  return gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
}

/** The rows of the answer to one list. */
function rowsOf(data: unknown): unknown[] {
  const [list] = Object.values(Object(data));
  return Array.isArray(list) ? list : Object(list).nodes;
}

const selecting = (list: string, selection: string) => `{ ${list} { ${selection} } ${list.includes('{') ? '}' : ''} }`;

describe.each(TYPES)('%s', (type, list, path, one) => {
  test('has no white space around its id, and is read by the id that it shows', async () => {
    const { execute } = await handingOut(path, ['1 ', '\t2\n', ' 3', 4]);
    const { data, errors } = await execute(selecting(list, 'id upstreamId'));
    expect(errors).toEqual([]);
    const ids = ['1', '2', '3', '4'];
    expect(rowsOf(data)).toEqual(ids.map((id) => ({ id: `${type}:${id}`, upstreamId: id })));
    for (const id of ids) {
      const read = await execute(`{ ${one}(id: "${type}:${id}") { upstreamId } node(id: "${type}:${id}") { id } }`);
      expect(read).toMatchObject({ errors: [], data: { [one]: { upstreamId: id }, node: { id: `${type}:${id}` } } });
    }
  });

  test('with an id that no path can hold is left out, and counted', async () => {
    const { execute } = await handingOut(path, ['a/b', 5, '..', 'a?b', '%2f', 'a\\b', '..;x']);
    const { data, errors } = await execute(selecting(list, 'id upstreamId'));
    expect(rowsOf(data)).toEqual([{ id: `${type}:5`, upstreamId: '5' }]);
    const message = expect.stringMatching(
      /6 of 7 rows were left out: A record has an id that cannot be a part of a path\.$/,
    );
    expect(errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test('with the id of another one is left out, and counted where its values differ', async () => {
    const { execute } = await handingOut(path, [5, '5', 6, 5]);
    const { data, errors } = await execute(selecting(list, 'upstreamId'));
    expect({ rows: rowsOf(data), errors }).toEqual({ rows: [{ upstreamId: '5' }, { upstreamId: '6' }], errors: [] });
    const differing = await handingOut(path, [5, 6], [5]);
    const told = await differing.execute(selecting(list, 'upstreamId'));
    expect(rowsOf(told.data)).toEqual([{ upstreamId: '5' }, { upstreamId: '6' }]);
    const message = expect.stringMatching(/1 of 3 rows was left out: Another row has its id\.$/);
    expect(told.errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test('with white space alone for an id is left out', async () => {
    const { execute } = await handingOut(path, [' ', 5]);
    const { data, errors } = await execute(selecting(list, 'upstreamId'));
    expect(rowsOf(data)).toEqual([{ upstreamId: '5' }]);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/1 of 2 rows was left out: A record has no id\.$/) },
    ]);
  });
});

test.each(['a.b', 'ä', 'a b', 'x'.repeat(65)])(
  'the id %j, which the CRM refuses, is an error of its record only',
  async (id) => {
    const { execute } = await handingOut('/app/clients.json', [id, 5]);
    expect(await execute('{ clients { nodes { name } } }')).toMatchObject({ errors: [] });
    for (const field of ['id', 'upstreamId']) {
      const { data, errors } = await execute(`{ clients { nodes { ${field} } } }`);
      expect(rowsOf(data)).toEqual([null, { [field]: field === 'id' ? 'Client:5' : '5' }]);
      const message = expect.stringMatching(/A record has an id that cannot be a part of a path\.$/);
      expect(errors).toMatchObject([{ message, path: ['clients', 'nodes', 0, field] }]);
    }
  },
);

test('one record with an id that no path can hold is an error', async () => {
  const upstream = await stubUpstream(saysJson({ id: 'a/b', name: 'N' }));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  for (const field of ['client', 'flexDb', 'dashboard']) {
    const { data, errors } = await execute(`{ ${field}(id: 7) { name } }`);
    expect(data).toEqual({ [field]: null });
    const message = expect.stringMatching(/A record has an id that cannot be a part of a path\.$/);
    expect(errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  }
});

test('a reference with white space around it finds its record in a list and by id', async () => {
  const upstream = await stubUpstream((request, response) => {
    const isDeals = request.url?.startsWith('/app/deals.json');
    saysJson(isDeals ? [{ id: 7, client_id: ' 1 ' }] : { id: '1 ', name: 'Ada' })(request, response);
  });
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const deal = { clientId: '1', client: { id: 'Client:1', deals: { totalCount: 1 } } };
  expect(await execute('{ deals { nodes { clientId client { id deals { totalCount } } } } }')).toMatchObject({
    errors: [],
    data: { deals: { nodes: [deal] } },
  });
});

const BAD_ID = {
  message: expect.stringMatching(/A record has an id that cannot be a part of a path\.$/),
  extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
};

test.each<[list: string, query: string, key: string, field: string]>([
  ['/app/deals.json', 'deals', 'client_id', 'client'],
  ['/app/clients.json', 'clients', 'contact_id', 'contact'],
  ['/app.json', 'posts', 'client_id', 'client'],
  ['/app.json', 'posts', 'post_id', 'parent'],
  ['/app.json', 'posts', 'duplicate_from_id', 'duplicateOf'],
])('in %s, %s with a %s that no path can hold have an error of upstream at %s, and blanks are none', async (...row) => {
  const [list, query, key, field] = row;
  const ids = ['a/b', 'a.b', 'x'.repeat(65), '  ', ''];
  const upstream = await stubUpstream(saysJson(ids.map((id, at) => ({ id: at + 1, [key]: id }))));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const { data, errors } = await execute(`{ ${query} { nodes { ${field} { id } ${field}Id } } }`);
  const shown = ids.map((id) => ({ [field]: null, [`${field}Id`]: id.trim() || null }));
  expect(data).toEqual({ [query]: { nodes: shown } });
  expect(errors).toMatchObject([0, 1, 2].map((at) => ({ ...BAD_ID, path: [query, 'nodes', at, field] })));
  expect(upstream.received).toEqual([`GET ${list}?api_token=token`]);
});

test('what a list lacks of a record whose id no path takes is an error of upstream', async () => {
  const upstream = await stubUpstream(saysJson([{ id: 'a.b', name: 'N' }]));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const { data, errors } = await execute('{ clients { nodes { name note } } }');
  expect(data).toEqual({ clients: { nodes: [{ name: 'N', note: null }] } });
  expect(errors).toMatchObject([{ ...BAD_ID, path: ['clients', 'nodes', 0, 'note'] }]);
});

test('an id of the caller that no path takes stays an error of the input', async () => {
  const { execute } = await handingOut('/app/clients.json', []);
  const { errors } = await execute('{ client(id: "a.b") { name } }');
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'id' }] } }]);
});

test('an external id keeps its white space: it belongs to another system', async () => {
  const upstream = await stubUpstream(saysJson([{ id: 1, external_id: ' 7 ' }]));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const { data } = await execute('{ clients { nodes { externalId } } }');
  expect(data).toEqual({ clients: { nodes: [{ externalId: ' 7 ' }] } });
});
