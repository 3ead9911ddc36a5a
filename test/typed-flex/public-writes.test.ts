import { describe, expect, test } from 'vitest';
import { CREATE, DELETE, gatewayOverReplies, UPDATE } from '../flex/public-support.ts';
import { publicBook, publicSettings } from './public-gateway.ts';
import { several } from './public-support.ts';

const WRITES = { create: true, update: true, delete: true };

/** A mutation whose result is `result`, with these fields of the row. */
const write = (field: string, fields = 'message') =>
  `mutation { result: ${field} { __typename ... on PublicBookRow { upstreamId ${fields} } ... on ValidationError { fields { field } } } }`;

describe('create', () => {
  const guest = {
    create: {
      allowed_fields: ['message', 'author', 'rank'],
      required_fields: ['message'],
      default_values: { author: 'Anonymous' },
      auto_fields: { rank: '{user_id}', ip: '{ip}' },
    },
  };

  test('sends the values under the keys of the data, in one POST without a credential', async () => {
    const { ask, sandbox, bodies } = await publicBook({ create: { allowed_fields: ['message', 'sent_at'] } });

    const data = await ask(
      write('createPublicBookRow(input: { message: "Hi", sentAt: "2026-03-01T08:00:00Z" })', 'message sentAt extra'),
      { authorization: 'Bearer canary' },
    );
    expect(data).toMatchObject({ result: { __typename: 'PublicBookRow', message: 'Hi', extra: {} } });
    expect(sandbox.calls()).toEqual([CREATE]);
    expect(bodies()).toEqual([{ data: { message: 'Hi', sent_at: '2026-03-01T08:00:00Z' } }]);
    expect(sandbox.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('shows defaults and what upstream sets itself', async () => {
    const { run } = await publicBook(guest, {
      schema: { fields: { message: 'text', author: 'string', rank: 'string' } },
    });

    const { data, errors } = await run(
      write('createPublicBookRow(input: { message: "Hi" })', 'message author rank extra'),
    );

    const row = { message: 'Hi', author: 'Anonymous', rank: '', extra: { ip: '127.0.0.1' } };
    expect({ data, errors }).toMatchObject({ data: { result: row }, errors: [] });
  });

  test.each([
    ['{ author: "A" }', 'Field "CreatePublicBookRowInput.message" of required type "String!" was not provided.'],
    ['{ message: null }', 'Expected value of type "String!".'],
    ['{ message: "Hi", rank: 7 }', 'Field "rank" is not defined by type "CreatePublicBookRowInput".'],
    ['{ message: "Hi", extra: {} }', 'Field "extra" is not defined by type "CreatePublicBookRowInput".'],
  ])('is no valid document with %s', async (input, message) => {
    const { run, sandbox } = await publicBook(guest);

    const { errors } = await run(write(`createPublicBookRow(input: ${input})`));

    expect(errors[0]?.message).toContain(message);
    expect(sandbox.calls()).toEqual([]);
  });

  test('sends other keys where all pass', async () => {
    const { run, bodies } = await publicBook({ create: { auto_fields: { owner: '{ip}' } } });

    const { data } = await run(
      write('createPublicBookRow(input: { message: "Hi", extra: { nick: "B", tags: [1] } })', 'message extra'),
    );

    expect(data).toMatchObject({ result: { message: 'Hi', extra: { nick: 'B', tags: [1], owner: '127.0.0.1' } } });
    expect(bodies()).toEqual([{ data: { nick: 'B', tags: [1], message: 'Hi' } }]);
  });

  test.each([
    ['a key with a field', { create: true }, '{ rank: 1 }', 'extra.rank'],
    ['a key that upstream sets', { create: { auto_fields: { owner: '{ip}' } } }, '{ owner: "me" }', 'extra.owner'],
    ['a key that is not allowed', { create: { allowed_fields: ['nick'] } }, '{ other: 1 }', 'extra.other'],
  ])('refuses %s among the others before any call', async (_what, methods, extra, field) => {
    const { ask, sandbox } = await publicBook(methods, { schema: { fields: { rank: 'integer' } } });

    expect(await ask(write(`createPublicBookRow(input: { extra: ${extra} })`, 'extra'))).toMatchObject({
      result: { __typename: 'ValidationError', fields: [{ field }] },
    });
    expect(sandbox.calls()).toEqual([]);
  });

  test('stores a record of no table where there are several, without their rules', async () => {
    const { run, call, admin, db } = await publicBook({ create: true }, { schema: several });

    const { data } = await run(
      'mutation { createPublicBookRow(input: { name: "Ada" }) { ... on PublicBookRow { name } } }',
    );

    expect(data).toEqual({ createPublicBookRow: { name: 'Ada' } });
    const { body } = await call('GET', `/flex/dbs/${db}/records.json`, { token: admin.token });
    expect(body).toMatchObject([{ table_name: null, data: { name: 'Ada' } }]);
  });

  test('has refusals of upstream at the fields of the input', async () => {
    const errors = {
      message: ['is too long'],
      'data.sent_at': ['is in the future'],
      nick: ['is taken'],
      data: ['is odd'],
    };
    const { execute } = await gatewayOverReplies([{ status: 422, body: { errors } }], await publicSettings(WRITES));

    const { data } = await execute(write('createPublicBookRow(input: { message: "Hi" })'), { token: null });

    const fields = ['message', 'sentAt', 'extra.nick', 'input'].map((field) => ({ field }));
    expect(data).toMatchObject({ result: { __typename: 'ValidationError', fields } });
  });

  test('without an input sends no values', async () => {
    const { ask, bodies } = await publicBook(
      { create: { allowed_fields: [] } },
      { schema: { fields: { n: 'integer' } } },
    );
    expect(await ask('mutation { createPublicBookRow { __typename } }')).toEqual({
      createPublicBookRow: { __typename: 'PublicBookRow' },
    });
    expect(bodies()).toEqual([{ data: {} }]);
  });
});

describe('update', () => {
  test('sends the given values, null too, and no others', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await publicBook(WRITES);
    const [id] = makeRecords(db, [{ message: 'One', author: 'A', rank: 1 }]);

    const data = await ask(
      write(`updatePublicBookRow(id: "PublicBookRow:${id}", input: { author: null, rank: 2 })`, 'message author rank'),
    );
    expect(data).toMatchObject({ result: { upstreamId: id, message: 'One', author: null, rank: 2 } });
    expect(sandbox.calls()).toEqual([UPDATE]);
    expect(bodies()).toEqual([{ id, data: { author: null, rank: 2 } }]);
  });

  test('reads the record when the answer has no data, and they are selected', async () => {
    const replies = [{ body: { id: 1 } }, { body: { id: 1, data: { message: 'New', rank: 3 } } }];
    const over = await gatewayOverReplies(replies, await publicSettings({ ...WRITES, get: true }));

    const { data } = await over.execute(write('updatePublicBookRow(id: 1, input: { rank: 3 })', 'message rank'), {
      token: null,
    });

    expect(data).toMatchObject({ result: { upstreamId: '1', message: 'New', rank: 3 } });
    expect(over.received).toEqual(['POST /flex/db/book/update', 'POST /flex/db/book/get']);
  });

  test('is a NotFoundError for a record of another caller', async () => {
    const own = { auto_fields: { author: '{ip}' }, scope_by: 'author' };
    const { run, makeRecords, db } = await publicBook({ update: own, delete: own });
    const [id] = makeRecords(db, [{ message: 'One', author: '192.0.2.1' }]);

    for (const field of [`updatePublicBookRow(id: "${id}", input: { rank: 2 })`, `deletePublicBookRow(id: "${id}")`]) {
      const { data, errors } = await run(`mutation { result: ${field} { __typename } }`);
      expect({ data, errors }).toEqual({ data: { result: { __typename: 'NotFoundError' } }, errors: [] });
    }
  });
});

describe('delete', () => {
  test('returns the ids of the row', async () => {
    const { ask, sandbox, bodies, makeRecords, db } = await publicBook(WRITES);
    const [id] = makeRecords(db, [{ message: 'One' }]);

    const data = await ask(
      `mutation { result: deletePublicBookRow(id: "${id}") { __typename ... on DeletedNode { deletedId deletedIds } } }`,
    );
    const deletedId = `PublicBookRow:${id}`;
    expect(data).toEqual({ result: { __typename: 'DeletedNode', deletedId, deletedIds: [deletedId] } });
    expect(sandbox.calls()).toEqual([DELETE]);
    expect(bodies()).toEqual([{ id }]);
  });

  test('refuses the id of a row of another database before any call', async () => {
    const { run, sandbox } = await publicBook(WRITES);
    const { data } = await run(
      'mutation { result: deletePublicBookRow(id: "PublicOtherRow:1") { __typename ... on ValidationError { fields { field } } } }',
    );
    expect(data).toMatchObject({ result: { __typename: 'ValidationError', fields: [{ field: 'id' }] } });
    expect(sandbox.calls()).toEqual([]);
  });
});

test('a method that was switched off after the snapshot is a NotFoundError', async () => {
  const { ask, call, admin, db } = await publicBook(WRITES);
  await call('PATCH', `/flex/dbs/${db}.json`, { token: admin.token, body: { db: { public_methods: {} } } });

  for (const field of ['createPublicBookRow(input: { message: "Hi" })', 'deletePublicBookRow(id: 1)']) {
    expect(await ask(`mutation { result: ${field} { __typename } }`)).toEqual({
      result: { __typename: 'NotFoundError' },
    });
  }
});

test('a write whose outcome is unknown says so', async () => {
  const over = await gatewayOverReplies([{ status: 500 }], await publicSettings(WRITES));

  const { data, errors } = await over.execute(write('createPublicBookRow(input: { message: "Hi" })'), { token: null });

  expect(data).toEqual({ result: null });
  expect(errors).toMatchObject([
    { path: ['result'], extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' } },
  ]);
});
