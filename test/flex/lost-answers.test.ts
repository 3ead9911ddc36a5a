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

describe.each([
  ['cut', cut],
  ['cut in its body', cutInBody],
])('an answer that is %s', (_name, lost) => {
  test('to a new token: one with its code may be an older one', async () => {
    const tokens = [{ id: 5, code: 'cc', name: 'N' }];
    const { execute } = await gatewayWhere(lost, { '/account/api_tokens.json': tokens });
    const result = await execute(
      'mutation { createApiToken(input: { code: "cc", name: "N" }) { ... on CreatedApiToken { apiToken { id } token } } }',
    );
    expect(result.data).toEqual({ createApiToken: null });
    expect(outcome(result)).toEqual([['UNKNOWN', expect.stringContaining(`${OLDER} ${UNKNOWN}`)]]);
    expect(outcome(result).join()).not.toMatch(/delete/i);
  });

  test('to a new database: one with its code may be an older one', async () => {
    const { execute } = await gatewayWhere(lost, { '/flex/dbs/shop.json': { id: 5, code: 'shop', name: 'Shop' } });
    const result = await execute(
      'mutation { createFlexDb(input: { code: "shop", name: "Shop" }) { ... on FlexDb { id } } }',
    );
    expect(result.data).toEqual({ createFlexDb: null });
    expect(outcome(result)).toEqual([['UNKNOWN', expect.stringContaining(`${OLDER} ${UNKNOWN}`)]]);
  });

  test('to the deletion of a record: a list that is hidden proves nothing', async () => {
    const { execute } = await gatewayWhere(lost, {});
    const result = await execute(
      'mutation { deleteFlexRecord(id: "FlexRecord:7:500") { ... on DeletedNode { deletedId } } }',
    );
    expect(result.data).toEqual({ deleteFlexRecord: null });
    expect(outcome(result)).toEqual([['UNKNOWN', expect.stringContaining(UNKNOWN)]]);
  });

  test.each([
    ['of 20 rows', 20],
    ['of one row', 1],
    ['without a row', 0],
  ])('to the deletion of a record: its absence from a list %s proves nothing', async (_size, count) => {
    const rows = Array.from({ length: count }, (_none, index) => ({ id: index + 1, data: {} }));
    const { execute } = await gatewayWhere(lost, { '/flex/dbs/1/records.json': rows });
    const result = await execute('mutation { deleteFlexRecord(id: "FlexRecord:1:500") { __typename } }');
    const notice = 'The record is not in the list that was read once, which may have more pages.';
    expect(outcome(result)).toEqual([['UNKNOWN', expect.stringContaining(`${notice} ${UNKNOWN}`)]]);
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
  const rows = (count: number) => Array.from({ length: count }, (_none, index) => ({ id: index + 1, data: {} }));

  test.each([10, 15, 20, 25, 40, 50, 75, 100, 300])(
    'may be on another page of one with %i rows: an error says so',
    async (count) => {
      const { execute } = await gatewayWhere(cut, { '/flex/dbs/1/records.json': rows(count) });
      const { data, errors } = await execute(read);
      expect(data).toEqual({ node: null, flexDb: { record: null } });
      const message = expect.stringContaining(`${count} rows, and no such record: it may be on another page`);
      expect(errors).toMatchObject([{ message }, { message }]);
    },
  );

  test.each([0, 1, 19, 21, 26])('does not exist where it has %i rows', async (count) => {
    const { execute } = await gatewayWhere(cut, { '/flex/dbs/1/records.json': rows(count) });
    expect(await execute(read)).toMatchObject({ data: { node: null, flexDb: { record: null } }, errors: [] });
  });
});

describe('a change of a database that is named by its code', () => {
  const change = async (input: string, answer: unknown) => {
    const reads = { '/flex/dbs/shop.json': { id: 9, code: 'shop', name: 'N' } };
    const { execute } = await gatewayWhere(says(JSON.stringify(answer)), reads);
    return execute(`mutation { updateFlexDb(id: "shop", input: ${input}) { ... on FlexDb { id } } }`);
  };

  test('answered with a database of another code is read by its own', async () => {
    const { data, errors } = await change('{ name: "N" }', { id: 99, code: 'other', name: 'N' });
    expect({ data, errors }).toEqual({ data: { updateFlexDb: { id: 'FlexDb:9' } }, errors: [] });
  });

  test.each([
    ['its code', '{ name: "N" }', { id: 8, code: 'shop', name: 'N' }],
    ['no code', '{ name: "N" }', { id: 8, name: 'N' }],
  ])('answered with %s has the id of the answer', async (_name, input, answer) => {
    expect((await change(input, answer)).data).toEqual({ updateFlexDb: { id: 'FlexDb:8' } });
  });
});
