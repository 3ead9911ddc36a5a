import type { KindOf } from '../../../src/formats/same-values.ts';
import { describe, expect, test } from 'vitest';
import {
  onceIn,
  refusalOfRead,
  refusalOfWrite,
  type SentWrite,
  writtenRecordIn,
} from '../../../src/formats/written.ts';

// What the body of a success says of a write: the table of formats/written.ts.

const FIELDS = { name: 'Anew', price: 5, note: undefined };
const kindOf: KindOf = (name) => (name === 'price' ? 'decimal' : undefined);
const create: SentWrite = { key: 'deal', fields: FIELDS, kindOf };
const update: SentWrite = { key: 'deal', id: '7', fields: FIELDS, kindOf };
const remove: SentWrite = { key: 'deal' };

const shown = { name: 'Anew', price: '5.00' };
const old = { name: 'Old', price: 5 };
const errors = { errors: { name: ['is bad'] } };

describe('a refusal of each write, and of a read', () => {
  test.each([
    [false],
    [{ status: 'error' }],
    [{ status: ' Fail ' }],
    [{ status: 'failed', message: 'no' }],
    [{ status: 'failure' }],
    [{ status: 422 }],
    [{ status: '404', message: 'no' }],
    [{ code: 'error', message: { name: ['is odd'] } }],
    [{ code: 422 }],
    [{ success: false }],
    [{ success: 'false' }],
    [{ success: 0 }],
    [{ success: 'No' }],
    [{ status: false, message: 'no' }],
    [{ status: 0 }],
    [{ status: 'not_found' }],
    [{ status: 'Validation failed' }],
    [{ id: ' ', status: 'error' }],
    [{ ok: false }],
    [{ ok: '0' }],
    [{ error: 'x' }],
    [{ error: true }],
    [{ error: { message: 'x' } }],
    [{ errors: { name: ['is odd'] } }],
    [{ errors: ['x'] }],
    [{ errors: 'x' }],
    [{ errors: 2 }],
    [{ id: null, ...errors }],
    [{ id: '', status: 'error' }],
    [{ id: null, success: false }],
  ])('%j', (body) => {
    for (const sent of [create, update, remove])
      expect(refusalOfWrite(body, sent)).toEqual({ part: body, status: 422 });
    expect(refusalOfRead(body)).toEqual({ part: body, status: 422 });
  });

  test('by a status of 500 or more is a failure: whether the change was made is not known', () => {
    expect(refusalOfWrite({ status: 503, error: 'x' }, create)?.status).toBe(500);
    expect(refusalOfWrite({ code: '500' }, create)?.status).toBe(500);
  });
});

describe('no refusal of any write, and none of a read', () => {
  test.each([
    [undefined],
    [null],
    [true],
    [''],
    ['error'],
    [7],
    [[]],
    [[{ message: 'Saved', status: 'ok' }]],
    [[{ id: 7, message: 'is bad' }]],
    [{ message: { notice: ['Saved'] } }],
    [{ warnings: ['is short'] }],
    [{ id: 0 }],
    [{}],
    [{ message: 'Created' }],
    [{ status: 'ok', message: 'a' }],
    [{ status: 'active' }],
    [{ status: 200 }],
    [{ code: 'shop' }],
    [{ code: 0 }],
    [{ success: true }],
    [{ success: null, ok: 1 }],
    [{ error: null, errors: null }],
    [{ error: false }],
    [{ error: '' }],
    [{ error: 0 }],
    [{ errors: {} }],
    [{ errors: [] }],
    [{ errors: { name: [] } }],
    [{ errors: { name: '', price: null } }],
    [{ id: null }],
    [{ id: 7, status: 'error', message: 'a' }],
    [{ id: 7, success: false, ok: false, code: 'error' }],
    [{ id: 7, errors: {}, error: null }],
    [{ deal: { id: 7, status: 'error', success: false } }],
    [{ user: { status: 'error', ...errors } }],
  ])('%j', (body) => {
    for (const sent of [create, update, remove]) expect(refusalOfWrite(body, sent)).toBeUndefined();
    expect(refusalOfRead(body)).toBeUndefined();
  });
});

test.each([
  [{ name: 'Shop', code: 'error' }],
  [{ name: 'Shop', code: '500' }],
  [{ db: { name: 'Shop', code: 'failed' } }],
])('a value that was sent is a field of the record, also without an id: %j', (body) => {
  const { code } = 'db' in body ? body.db : body;
  expect(refusalOfWrite(body, { key: 'db', fields: { name: 'Shop', code } })).toBeUndefined();
  expect(refusalOfWrite(body, { key: 'db', fields: { name: 'Shop', code: 'shop' } })).toBeDefined();
});

describe('messages of fields that were sent', () => {
  test.each([
    [{ name: ['is bad'] }],
    [{ name: ['is bad', 'is short'], note: ['is bad'] }],
    [{ base: ['is bad'] }],
    [{ id: null, name: ['is bad'] }],
    [{ message: { price: ['is bad'] } }],
  ])('refuse the write: %j', (body) => {
    expect(refusalOfWrite(body, create)).toEqual({ part: body, status: 422 });
    expect(refusalOfWrite({ deal: body }, update)).toEqual({ part: body, status: 422 });
    expect(refusalOfRead(body)).toBeUndefined();
  });

  test.each([
    ['of a field that was not sent', { notices: ['Saved'] }],
    ['beside another value', { name: ['is bad'], price: 5 }],
    ['that are none', { name: [] }],
    ['that are no list', { name: 'is bad' }],
    ['beside an id', { id: 7, name: ['is bad'] }],
  ])('are none %s', (_name, body) => {
    expect(refusalOfWrite(body, create)).toBeUndefined();
  });

  test('are none where a list was sent: it is the value of the record', () => {
    const sent: SentWrite = { key: 'api_token', fields: { privileges: ['todo'], tags: 'a, b' } };
    expect(refusalOfWrite({ privileges: ['todo', 'mail'] }, sent)).toBeUndefined();
    expect(refusalOfWrite({ privileges: ['todo'], tags: ['a', 'b'] }, sent)).toBeUndefined();
    expect(refusalOfWrite({ tags: ['are bad'] }, sent)?.status).toBe(422);
  });

  test('may be those of flexible data', () => {
    const sent: SentWrite = { key: 'record', dataKey: 'data', fields: { data: { title: 'N', marks: ['x'] } } };
    expect(refusalOfWrite({ title: ['is bad'] }, sent)?.status).toBe(422);
    expect(refusalOfWrite({ data: ['is bad'] }, sent)?.status).toBe(422);
    expect(refusalOfWrite({ marks: ['y'] }, sent)).toBeUndefined();
  });
});

describe('an id of 0', () => {
  test.each([[{ id: 0, status: 'error' }], [{ id: '0', ...errors, ...shown }], [{ deal: { id: 0, success: false } }]])(
    'is none beside a key that refuses: %j',
    (body) => {
      expect(refusalOfWrite(body, create)?.status).toBe(422);
    },
  );

  test('is one beside no such key', () => {
    expect(refusalOfWrite({ id: 0, status: 'new' }, create)).toBeUndefined();
    expect(writtenRecordIn({ id: 0, status: 'new' }, create)?.id).toBe('0');
  });
});

test.each([[[{ message: 'is bad' }]], [[{ status: 'error', message: 'a' }]], [[{ errors: ['x'] }, { message: 'y' }]]])(
  'a list of errors refuses a write: %j',
  (body) => {
    expect(refusalOfWrite(body, create)).toEqual({ part: body, status: 422 });
    expect(refusalOfRead(body)).toBeUndefined();
  },
);

describe('a list of texts', () => {
  test('refuses a write, and is no refusal of a read, which may have a row that is no record', () => {
    expect(refusalOfWrite(['is bad'], create)).toEqual({ part: ['is bad'], status: 422 });
    expect(refusalOfRead(['is bad'])).toBeUndefined();
  });

  test.each([[[]], [['is bad', 7]], [['']], [[{ id: 7 }]]])('is not %j', (body) => {
    expect(refusalOfWrite(body, create)).toBeUndefined();
  });
});

describe('errors beside a record', () => {
  test.each([
    ['that does not show what was sent', { id: 7, ...old, ...errors }],
    ['that lacks what was sent', { id: 7, ...errors }],
    ['that lacks a part of it', { id: 7, name: 'Anew', error: 'x' }],
    ['inside the key', { deal: { id: 7, ...old, ...errors } }],
    ['that is inside the key', { ...errors, deal: { id: 7, ...old } }],
  ])('%s refuse the write', (_name, body) => {
    expect(refusalOfWrite(body, create)?.status).toBe(422);
    expect(refusalOfWrite(body, update)?.status).toBe(422);
    expect(refusalOfRead(body)).toEqual('deal' in body && 'errors' in body ? { part: body, status: 422 } : undefined);
  });

  test.each([
    ['that shows it', { id: 7, ...shown, ...errors }],
    ['that shows it inside the key', { deal: { id: '7', ...shown, ...errors } }],
    ['that is inside the key, and shows it', { ...errors, deal: { id: 7, ...shown } }],
  ])('%s are its own', (_name, body) => {
    expect(refusalOfWrite(body, create)).toBeUndefined();
    expect(refusalOfWrite(body, update)).toBeUndefined();
  });

  test('refuse a deletion, and a change of nothing: there is nothing to be shown', () => {
    expect(refusalOfWrite({ id: 7, ...shown, ...errors }, remove)?.status).toBe(422);
    expect(refusalOfWrite({ id: 7, ...shown, ...errors }, { ...update, fields: { name: undefined } })?.status).toBe(
      422,
    );
  });

  test('refuse a change of another record, whatever that one shows', () => {
    expect(refusalOfWrite({ id: 99, ...shown, ...errors }, update)?.status).toBe(422);
  });

  test('do not refuse where the text is there that only a new record has', () => {
    const sent = { ...create, once: 'token' };
    expect(refusalOfWrite({ id: 7, token: 'raw', ...errors }, sent)).toBeUndefined();
    expect(refusalOfWrite({ id: 7, token: '', ...errors }, sent)?.status).toBe(422);
    expect(refusalOfWrite({ token: 'raw', ...errors }, sent)?.status).toBe(422);
    expect(refusalOfWrite({ token: 'raw', name: 'Anew', ...errors }, sent)).toBeUndefined();
    expect(refusalOfWrite({ token: 'raw', name: 'Anew', status: 'invalid' }, sent)).toBeUndefined();
    expect(refusalOfWrite({ token: 'raw', deal: { name: 'Anew', ...errors } }, sent)).toBeUndefined();
    expect(refusalOfWrite({ id: null, token: 'raw', name: 'Anew', ...errors }, sent)?.status).toBe(422);
    expect(refusalOfWrite({ token: 'own', name: 'Anew', ...errors }, { ...sent, held: ['own'] })?.status).toBe(422);
  });
});

describe('an object without an id inside the key', () => {
  test.each([
    [{ deal: { id: null, ...errors } }],
    [{ deal: errors }],
    [{ deal: { id: null, status: 'error' } }],
    [{ deals: { success: false } }],
    [{ status: 'ok', deal: errors }],
  ])('refuses the write, and has its reasons: %j', (body) => {
    const inner = 'deal' in body ? body.deal : body.deals;
    for (const sent of [create, update, remove])
      expect(refusalOfWrite(body, sent)).toEqual({ part: inner, status: 422 });
  });

  test('is not looked into where the outer object has an id: it is its data', () => {
    expect(refusalOfWrite({ id: 7, deal: { status: 'error', ...errors } }, create)).toBeUndefined();
  });
});

test('an object around the record refuses by its own status, whatever the record shows', () => {
  for (const said of [{ status: 'error' }, { success: false }, { ok: 0 }, { code: 'error' }]) {
    expect(refusalOfWrite({ ...said, deal: { id: 7, ...shown } }, update)).toMatchObject({ status: 422 });
  }
});

test('errors that are nested without end do no harm', () => {
  const deep: unknown = JSON.parse(`{"errors":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(refusalOfWrite(deep, create)?.status).toBe(422);
});

describe('the record that was written', () => {
  test.each([
    [{ id: 7, deal: { id: 8 } }],
    [{ id: '7' }],
    [{ deal: { id: 7 } }],
    [{ deals: { id: 7 } }],
    [{ client: { id: 1 }, deal: { id: 7 } }],
    [{ id: '', deal: { id: 7 } }],
    [{ id: null, status: 'ok', deal: { id: 7 } }],
  ])('is found in %j', (body) => {
    expect(writtenRecordIn(body, create)?.id).toBe('7');
    expect(writtenRecordIn(body, update)?.id).toBe('7');
  });

  test.each([
    [undefined],
    [null],
    ['ok'],
    [7],
    [[{ id: 7 }]],
    [{}],
    [{ id: null }],
    [{ id: {} }],
    [{ item: { id: 7 } }],
    [{ client: { id: 7 } }],
    [{ status: 'ok', user: { id: 3 } }],
    [{ deal: [{ id: 7 }] }],
    [{ deal: { data: { id: 7 } } }],
  ])('is not in %j', (body) => {
    expect(writtenRecordIn(body, create)).toBeUndefined();
  });

  test('is not one with another id than the one that was asked for', () => {
    expect(writtenRecordIn({ id: 99 }, update)).toBeUndefined();
    expect(writtenRecordIn({ deal: { id: 99 } }, update)).toBeUndefined();
    expect(writtenRecordIn({ id: 99 }, create)?.id).toBe('99');
  });

  test('is not one with another code than the one that was asked for, unless that one was sent', () => {
    const sent: SentWrite = { key: 'db', code: 'shop', fields: { code: 'store' } };
    expect(writtenRecordIn({ id: 8, code: 'other' }, sent)).toBeUndefined();
    for (const code of ['shop', 'store', null, undefined]) expect(writtenRecordIn({ id: 8, code }, sent)?.id).toBe('8');
  });
});

test.each([
  [{ token: 'raw' }, 'raw'],
  [{ id: 7, token: 'raw' }, 'raw'],
  [{ api_token: { token: 'raw' } }, 'raw'],
  [{ data: [{ api_token: { token: 'raw' } }] }, 'raw'],
  [{ owner: { token: 'another' }, token: 'raw' }, 'raw'],
  [{ token: '' }, undefined],
  [{ token: 7 }, undefined],
  ['token', undefined],
  [undefined, undefined],
  [{ a: { b: { c: { d: { token: 'too deep' } } } } }, undefined],
  [{ id: 7, owner: { token: 'another' } }, undefined],
  [{ owner: { token: 'another' }, data: { token: 'raw' } }, 'raw'],
  [{ id: 7, sibling: { id: 8, token: 'another' } }, undefined],
  [{ id: 7, data: { token: 'raw' } }, 'raw'],
  [{ id: 7, api_token: { id: 7, token: 'raw' } }, 'raw'],
  [{ token: 'own' }, undefined],
  [{ token: 'own', api_token: { token: 'raw' } }, 'raw'],
  [{ user: { token: 'raw' } }, undefined],
  [{ buyer: { token: 'raw' } }, 'raw'],
])('the text that is handed out once of %j is %s', (body, text) => {
  expect(onceIn(body, { key: 'api_token', moreKeys: ['buyer'], once: 'token', held: ['own'] })).toBe(text);
});

test('nothing is handed out where no key is named', () => {
  expect(onceIn({ token: 'raw' }, { key: 'api_token' })).toBeUndefined();
});
