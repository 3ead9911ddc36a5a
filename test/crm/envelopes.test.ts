import { describe, expect, test } from 'vitest';
import { crmOver, Reply } from './support.ts';

// The shape that a record and a list must have, and the lazy reads of keys that a record lacks.

describe('the id of a record', () => {
  test.each([
    ['7', '7'],
    ['"7"', '7'],
    ['"a-7"', 'a-7'],
    ['9007199254740993', '9007199254740993'],
    ['"9007199254740993"', '9007199254740993'],
    ['-12345678901234567890123', '-12345678901234567890123'],
  ])('may be %s', async (json, id) => {
    const { ask } = await crmOver({ [`GET /app/deals/${id}.json`]: new Reply(`{"id":${json}}`) });
    const data = await ask(`{ deal(id: "${id}") { id upstreamId } }`);
    expect(data).toEqual({ deal: { id: `Deal:${id}`, upstreamId: id } });
  });

  test.each(['{"name":"x"}', '{"id":null}', '{"id":""}', '{"id":1e21}', '[]', '"x"'])(
    'a response such as %s is rejected as a record, and left out of a list',
    async (json) => {
      const { execute } = await crmOver({
        'GET /app/deals/7.json': new Reply(json),
        'GET /app/deals.json': new Reply(`[{"id":1},${json}]`),
      });
      const { data, errors } = await execute('{ deal(id: 7) { id } deals { nodes { id } } }');
      expect(data).toEqual({ deal: null, deals: { nodes: [{ id: 'Deal:1' }] } });
      const extensions = expect.objectContaining({ code: 'UPSTREAM_BAD_RESPONSE' });
      expect(errors).toContainEqual(expect.objectContaining({ path: ['deal'], extensions }));
    },
  );

  test.each(['clients', 'posts', 'deals'])('%s: an object in place of a list is a bad response', async (field) => {
    const list = { users: [{ id: 1 }] };
    const { execute } = await crmOver({
      ...{ 'GET /app/clients.json': list, 'GET /app/deals.json': list, 'GET /app.json': list },
    });
    const { data, errors } = await execute(`{ ${field} { totalCount } }`);
    expect(data).toEqual({ [field]: null });
    expect(errors).toMatchObject([{ path: [field], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test('a number and a text are one record: a deal finds its client either way', async () => {
    const { execute } = await crmOver({
      'GET /app/deals.json': [
        { id: 1, client_id: '7' },
        { id: '2', client_id: 7 },
      ],
      'GET /app/clients/7.json': { id: '7', name: 'Ada' },
    });
    const { data } = await execute('{ deals { nodes { client { id name } } } client(id: 7) { deals { totalCount } } }');
    const client = { id: 'Client:7', name: 'Ada' };
    expect(data).toEqual({ deals: { nodes: [{ client }, { client }] }, client: { deals: { totalCount: 2 } } });
  });

  test('a foreign id that could lead elsewhere is refused in its field, and never sent', async () => {
    const { execute, calls } = await crmOver({
      'GET /app/deals.json': [
        { id: 1, client_id: '../deals/1' },
        { id: 2, client_id: null },
      ],
    });
    const { data, errors } = await execute('{ deals { nodes { clientId client { id } } } }');
    expect(data).toEqual({
      deals: {
        nodes: [
          { clientId: '../deals/1', client: null },
          { clientId: null, client: null },
        ],
      },
    });
    expect(errors).toMatchObject([{ path: ['deals', 'nodes', 0, 'client'] }]);
    expect(calls()).toEqual(['GET /app/deals.json']);
  });
});

describe.each([
  ['clients', 'client', 'GET /app/clients.json', (id: number) => `GET /app/clients/${id}.json`, 'note'],
  ['posts', 'post', 'GET /app.json', (id: number) => `GET /app/posts/${id}.json`, 'content'],
  ['deals', 'deal', 'GET /app/deals.json', (id: number) => `GET /app/deals/${id}.json`, 'description'],
] as const)('of %s, a key that the list lacks', (connection, single, list, one, key) => {
  const listed = [{ id: 1 }, { id: 2 }];
  const answers = { [list]: listed, [one(1)]: { id: 1, [key]: 'first' }, [one(2)]: { id: 2, [key]: 'second' } };

  test('is not read until it is selected', async () => {
    const { execute, calls } = await crmOver(answers);
    await execute(`{ ${connection} { totalCount nodes { id upstreamId } } }`);
    expect(calls()).toEqual([list]);
  });

  test('is read by id when it is selected, once for each record', async () => {
    const { ask, calls } = await crmOver(answers);
    const data = await ask(`{ ${connection} { nodes { a: ${key} b: ${key} } } }`);
    const nodes = ['first', 'second'].map((text) => ({ a: text, b: text }));
    expect(data).toEqual({ [connection]: { nodes } });
    expect(calls().toSorted()).toEqual([list, one(1), one(2)].toSorted());
  });

  test('is null without a call where another record of the list has it', async () => {
    const { execute, calls } = await crmOver({ ...answers, [list]: [{ id: 1 }, { id: 2, [key]: 'listed' }] });
    const { data } = await execute(`{ ${connection} { nodes { ${key} } } }`);
    expect(data).toEqual({ [connection]: { nodes: [{ [key]: null }, { [key]: 'listed' }] } });
    expect(calls()).toEqual([list]);
  });

  test('is null for a record that was read by id, without a second read', async () => {
    const { ask, calls } = await crmOver({ [one(1)]: { id: 1 } });
    expect(await ask(`{ ${single}(id: 1) { ${key} } }`)).toEqual({ [single]: { [key]: null } });
    expect(calls()).toEqual([one(1)]);
  });

  test('is an error of its own field for a record that no longer exists', async () => {
    const { execute } = await crmOver({ [list]: [{ id: 9 }] });
    const { data, errors } = await execute(`{ ${connection} { nodes { ${key} } } }`);
    expect(data).toEqual({ [connection]: { nodes: [{ [key]: null }] } });
    expect(errors).toMatchObject([
      {
        message: 'The record cannot be read any more: there is none with this id.',
        path: [connection, 'nodes', 0, key],
        extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
      },
    ]);
  });

  test('is null, after three records, for all records that lack it', async () => {
    const ids = [1, 2, 3, 4, 5];
    const { ask, calls } = await crmOver({
      [list]: ids.map((id) => ({ id })),
      ...Object.fromEntries(ids.map((id) => [one(id), { id }])),
    });
    const data = await ask(`{ ${connection} { nodes { ${key} } } }`);
    expect(data).toEqual({ [connection]: { nodes: ids.map(() => ({ [key]: null })) } });
    expect(calls().toSorted()).toEqual([list, one(1), one(2), one(3)].toSorted());
  });

  test('is an error of its own field when it cannot be read', async () => {
    const { execute } = await crmOver({ ...answers, [one(1)]: new Reply('{}', 503) });
    const { data, errors } = await execute(`{ ${connection} { nodes { id ${key} } } }`);
    expect(data).toMatchObject({ [connection]: { nodes: [{ [key]: null }, { [key]: 'second' }] } });
    expect(errors).toMatchObject([
      { path: [connection, 'nodes', 0, key], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
  });

  test('is null for a record that was read by id, even when the list fails', async () => {
    const { execute } = await crmOver({ [one(1)]: { id: 1 }, [list]: new Reply('{}', 503) });
    const { data, errors } = await execute(`{ ${single}(id: 1) { ${key} } ${connection} { totalCount } }`);
    expect(data).toEqual({ [single]: { [key]: null }, [connection]: null });
    expect(errors).toMatchObject([{ path: [connection] }]);
  });
});

test('a key that clients lack is null, without an error, when their list is too large and they are read by id', async () => {
  const ids = [1, 2, 3, 4, 5, 6];
  const { ask } = await crmOver(
    {
      'GET /app/deals.json': ids.map((id) => ({ id, client_id: id })),
      'GET /app/clients.json': ids.map((id) => ({ id, note: 'x'.repeat(100) })),
      ...Object.fromEntries(ids.map((id) => [`GET /app/clients/${id}.json`, { id }])),
    },
    { MAX_JOINED_LIST_BYTES: 200, BATCH_READS: 'list' },
  );
  const data = await ask('{ deals { nodes { client { id note } } } }');
  expect(data).toEqual({ deals: { nodes: ids.map((id) => ({ client: { id: `Client:${id}`, note: null } })) } });
});
