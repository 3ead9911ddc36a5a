import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// What can be found of a write whose answer was lost, or has no record, proves less than it seems to.

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const cut: Listener = (request) => request.socket.destroy();
const cutInBody: Listener = (_request, response) => {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};

/** A gateway over an upstream that answers writes so, and reads with the body of their path. */
async function gatewayWhere(write: Listener, reads: Readonly<Record<string, unknown>>) {
  const upstream = await stubUpstream((request, response) => {
    const body = reads[request.url ?? ''];
    if (request.method === 'GET') saysJson(body ?? {}, body === undefined ? 404 : 200)(request, response);
    else write(request, response);
  });
  return gatewayOver(upstream.url, { FLEX_URL: new URL(upstream.url) }, 'token');
}

const outcome = ({ errors }: Result) => errors.map(({ message, extensions }) => [extensions['outcome'], message]);
const UNKNOWN = 'Whether the change was made is not known: read before you try again.';
const OLDER = 'A record with this code exists. It may be the new one, or an older one.';

const ABSENT = 'The record is not in the list that was read once, which may have more pages. ';
const rowsUpTo = (count: number) => Array.from({ length: count }, (_none, index) => ({ id: index + 1, data: {} }));

describe.each([
  ['cut', cut],
  ['cut in its body', cutInBody],
])('an answer that is %s', (_name, lost) => {
  test.each([
    [
      'token',
      '/account/api_tokens.json',
      [{ id: 5, code: 'cc', name: 'N' }],
      'createApiToken(input: { code: "cc", name: "N" }) { ... on CreatedApiToken { apiToken { id } token } }',
    ],
    [
      'database',
      '/flex/dbs/shop.json',
      { id: 5, code: 'shop', name: 'Shop' },
      'createFlexDb(input: { code: "shop", name: "Shop" }) { ... on FlexDb { id } }',
    ],
  ])('to a new %s: one with its code may be an older one', async (_what, path, found, creation) => {
    const { execute } = await gatewayWhere(lost, { [path]: found });
    const result = await execute(`mutation { result: ${creation} }`);
    expect(result.data).toEqual({ result: null });
    expect(outcome(result)).toEqual([['UNKNOWN', expect.stringContaining(`${OLDER} ${UNKNOWN}`)]]);
    expect(outcome(result).join()).not.toMatch(/delete/i);
  });

  test.each([
    ['its absence from a list of 20 rows', rowsUpTo(20), ABSENT],
    ['its absence from a list of one row', rowsUpTo(1), ABSENT],
    ['its absence from a list without a row', [], ABSENT],
    ['a list that is hidden', undefined, ''],
  ])('to the deletion of a record: %s proves nothing', async (_what, rows, notice) => {
    const { execute } = await gatewayWhere(lost, { '/flex/dbs/1/records.json': rows });
    const result = await execute('mutation { deleteFlexRecord(id: "FlexRecord:1:500") { __typename } }');
    expect(result.data).toEqual({ deleteFlexRecord: null });
    expect(outcome(result)).toEqual([['UNKNOWN', expect.stringContaining(`${notice}${UNKNOWN}`)]]);
  });

  test('to the deletion of a database: it is APPLIED where a read by id finds none', async () => {
    const { ask } = await gatewayWhere(lost, {});
    const data = await ask('mutation { deleteFlexDb(id: "FlexDb:1") { ... on DeletedNode { deletedId } } }');
    expect(data).toEqual({ deleteFlexDb: { deletedId: 'FlexDb:1' } });
  });
});

describe('a success without a record', () => {
  test('of a new database is shown by the one with its code, unless that one has another name', async () => {
    const create = 'mutation { createFlexDb(input: { code: "shop", name: "Shop" }) { ... on FlexDb { id name } } }';
    const own = await gatewayWhere(says('"ok"', { status: 201 }), {
      '/flex/dbs/shop.json': { id: 5, code: 'shop', name: 'Shop' },
    });
    expect(await own.execute(create)).toMatchObject({ data: { createFlexDb: { id: 'FlexDb:5' } }, errors: [] });

    const another = await gatewayWhere(says('"ok"', { status: 201 }), {
      '/flex/dbs/shop.json': { id: 5, code: 'shop', name: 'Older' },
    });
    const result = await another.execute(create);
    expect(result.data).toEqual({ createFlexDb: null });
    expect(outcome(result)).toEqual([['APPLIED', expect.stringContaining('does not tell the id')]]);
  });

  test('of a changed flexible record: its data is an error where it cannot be read back, for it may be merged', async () => {
    const { execute } = await gatewayWhere(says('', { status: 204 }), { '/flex/dbs/1/records.json': [] });
    const result = await execute(`mutation {
      updateFlexRecord(id: "FlexRecord:1:7", input: { table: "boxes", data: { a: 1 } }) {
        ... on FlexRecord { id table data }
      }
    }`);
    expect(result.data).toEqual({ updateFlexRecord: { id: 'FlexRecord:1:7', table: 'boxes', data: null } });
    expect(outcome(result)).toEqual([['APPLIED', expect.stringContaining('the record cannot be read')]]);
  });
});

describe('a record that a list lacks', () => {
  const read = `{ node(id: "FlexRecord:1:500") { id } flexDb(id: "FlexDb:1") { record(id: "500") { id } } }`;

  test.each([10, 15, 20, 25, 40, 50, 75, 100, 300])(
    'may be on another page of one with %i rows: an error says so',
    async (count) => {
      const { execute } = await gatewayWhere(cut, { '/flex/dbs/1/records.json': rowsUpTo(count) });
      const { data, errors } = await execute(read);
      expect(data).toEqual({ node: null, flexDb: { record: null } });
      const message = expect.stringContaining(`${count} rows, and no such record: it may be on another page`);
      expect(errors).toMatchObject([{ message }, { message }]);
    },
  );

  test.each([0, 1, 19, 21, 26])('does not exist where it has %i rows', async (count) => {
    const { execute } = await gatewayWhere(cut, { '/flex/dbs/1/records.json': rowsUpTo(count) });
    expect(await execute(read)).toMatchObject({ data: { node: null, flexDb: { record: null } }, errors: [] });
  });
});

test.each([
  ['a database of another code is read by its own', { id: 99, code: 'other', name: 'N' }, 'FlexDb:9'],
  ['its code has the id of the answer', { id: 8, code: 'shop', name: 'N' }, 'FlexDb:8'],
  ['no code has the id of the answer', { id: 8, name: 'N' }, 'FlexDb:8'],
])('a change of a database that is named by its code, answered with %s', async (_name, answer, id) => {
  const reads = { '/flex/dbs/shop.json': { id: 9, code: 'shop', name: 'N' } };
  const { ask } = await gatewayWhere(says(JSON.stringify(answer)), reads);
  const data = await ask('mutation { updateFlexDb(id: "shop", input: { name: "N" }) { ... on FlexDb { id } } }');
  expect(data).toEqual({ updateFlexDb: { id } });
});
