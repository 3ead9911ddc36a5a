import { describe, expect, test } from 'vitest';
import { crmOver, Reply } from './support.ts';

// The documents state few types. These are the accepted shapes of each value, and the errors for all others.

/** A gateway over one client. It reads one field of it, whose record holds this JSON under the key. */
async function oneClient() {
  const answers: Record<string, Reply> = {};
  const { execute } = await crmOver(answers);
  return async (key: string, json: string, field: string) => {
    answers['GET /app/clients/7.json'] = new Reply(`{"id":7,"${key}":${json}}`);
    const [group, leaf] = field.split('.');
    return execute(`{ client(id: 7) { ${leaf ? `${group} { value: ${leaf} }` : `value: ${field}`} } }`);
  };
}

const read = (field: string, value: unknown) => {
  const [group = '', leaf] = field.split('.');
  return { client: leaf ? { [group]: { value } } : { value } };
};

test('a value in one of several accepted shapes is read', async () => {
  const clientWith = await oneClient();
  for (const [key, json, field, value] of [
    ['name', '"x"', 'name', 'x'],
    ['name', '""', 'name', ''],
    ['name', '5', 'name', '5'],
    ['name', 'true', 'name', 'true'],
    ['name', '9007199254740993', 'name', '9007199254740993'],
    ['name', 'null', 'name', null],
    ['payment_to_kind', '14', 'paymentToKind', '14'],
    ['position', '3', 'position', '3'],
    ['company', 'true', 'company', true],
    ['company', '1', 'company', true],
    ['company', '"1"', 'company', true],
    ['company', '"true"', 'company', true],
    ['company', 'false', 'company', false],
    ['company', '0', 'company', false],
    ['company', '"0"', 'company', false],
    ['company', '""', 'company', null],
    ['checkbox1', '"1"', 'customFields.checkbox1', true],
    ['posts_count', '"12"', 'postsCount', 12],
    ['posts_count', '12.0', 'postsCount', 12],
    ['posts_count', '""', 'postsCount', null],
    ['posts_count', '3000000000', 'postsCount', 3_000_000_000],
    ['appendixes_count', '"4294967296"', 'appendixesCount', 2 ** 32],
    ['contacts_count', '4294967296', 'contactsCount', 2 ** 32],
    ['integer1', '"-9007199254740991"', 'customFields.integer1', -9007199254740991],
    ['integer1', '3000000000', 'customFields.integer1', 3_000_000_000],
    ['avatar_file_size', '"5000000000"', 'avatar.fileSize', 5_000_000_000],
    ['discount', '"100.0"', 'discount', '100.0'],
    ['discount', '"0.10"', 'discount', '0.10'],
    ['discount', '12.5', 'discount', '12.5'],
    ['discount', '0', 'discount', '0'],
    ['discount', '9007199254740993', 'discount', '9007199254740993'],
    ['discount', '12345678901234567890.25', 'discount', '12345678901234567890.25'],
    ['discount', '"1e3"', 'discount', '1000'],
    ['discount', '1.5e-7', 'discount', '0.00000015'],
    ['discount', '"-1.25E2"', 'discount', '-125'],
    ['discount', '"12345678901234567890.123456789"', 'discount', '12345678901234567890.123456789'],
    ['discount', '1234567890123456.78', 'discount', '1234567890123456.78'],
    ['discount', '-0.1234567890123456', 'discount', '-0.1234567890123456'],
    ['discount', '0.12345678901234567891e-2', 'discount', '0.0012345678901234567891'],
    ['discount', '9.007199254740993e15', 'discount', '9007199254740993'],
    ['name', '1234567890123456.78', 'name', '1234567890123456.78'],
    ['discount', '""', 'discount', null],
    ['decimal10', '" 7.5 "', 'customFields.decimal10', '7.5'],
    ['created_at', '"2026-03-01T08:00:00Z"', 'createdAt', '2026-03-01T08:00:00Z'],
    ['created_at', '"2026-03-01T08:00:00.123+02:00"', 'createdAt', '2026-03-01T08:00:00.123+02:00'],
    ['created_at', '"2026-03-01T08:00:00"', 'createdAt', '2026-03-01T08:00:00'],
    ['created_at', '""', 'createdAt', null],
    ['datetime1', '"2026-03-01T08:00:00"', 'customFields.datetime1', '2026-03-01T08:00:00'],
    ['date1', '"2026-02-28"', 'customFields.date1', '2026-02-28'],
    ['date1', '""', 'customFields.date1', null],
    ['discount', '"1 000,50"', 'discount', '1000.50'],
    ['created_at', '"2026/03/01 08:00:00 +0200"', 'createdAt', '2026-03-01T08:00:00+02:00'],
    ['created_at', '"2026-03-01 08:00:00 UTC"', 'createdAt', '2026-03-01T08:00:00Z'],
    ['created_at', '"2026-03-01T08:00:00+0200"', 'createdAt', '2026-03-01T08:00:00+02:00'],
    ['created_at', '"Sun, 01 Mar 2026 08:00:00 +0000"', 'createdAt', '2026-03-01T08:00:00+00:00'],
    ['created_at', '1772352000', 'createdAt', '2026-03-01T08:00:00Z'],
    ['datetime1', '"Sun Mar 01 08:00:00 +0200 2026"', 'customFields.datetime1', '2026-03-01T08:00:00+02:00'],
    ['date1', '"Sat, 28 Feb 2026 23:00:00 -0500"', 'customFields.date1', '2026-02-28'],
    ['paid_from', '"1772352000"', 'payments.from', '2026-03-01T08:00:00Z'],
    ['created_at', '"2026-03-01"', 'createdAt', '2026-03-01T00:00:00Z'],
    ['date1', '"2026-02-28T23:00:00-05:00"', 'customFields.date1', '2026-02-28'],
    ['date1', '"2026/02/28"', 'customFields.date1', '2026-02-28'],
    ['paid_from', '"2026-02-28 08:00:00 +0200"', 'payments.from', '2026-02-28T08:00:00+02:00'],
    ['paid_from', '"2026-02-28"', 'payments.from', '2026-02-28'],
    ['paid_from', '"2026-02-28T00:00:00Z"', 'payments.from', '2026-02-28T00:00:00Z'],
    ['status_id', '5', 'statusId', '5'],
    ['status_id', '"5"', 'statusId', '5'],
    ['status_id', '9007199254740993', 'statusId', '9007199254740993'],
    ['status_id', '"new"', 'statusId', 'new'],
    ['status_id', '""', 'statusId', null],
    ['status_id', 'null', 'statusId', null],
    ['external_id', '7', 'externalId', '7'],
    ['kind', '""', 'kind', null],
    ['kind', '"buyer"', 'kind', 'BUYER'],
    ['contact_id', '""', 'contact', null],
  ] as const) {
    const { data, errors } = await clientWith(key, json, field === 'contact' ? 'contact { id }' : field);
    expect({ data, errors }, `${key} ${json}`).toEqual({ data: read(field, value), errors: [] });
  }
});

describe('a value in no accepted shape', () => {
  test.each<[key: string, json: string, field: string]>([
    ['name', '{}', 'name'],
    ['name', '["x"]', 'name'],
    ['company', '"yes"', 'company'],
    ['company', '2', 'company'],
    ['posts_count', '"many"', 'postsCount'],
    ['posts_count', '1.5', 'postsCount'],
    ['posts_count', '9007199254740993', 'postsCount'],
    ['integer1', '9007199254740992', 'customFields.integer1'],
    ['integer1', '"9007199254740993"', 'customFields.integer1'],
    ['integer1', 'true', 'customFields.integer1'],
    ['discount', '1e400', 'discount'],
    ['discount', '"12,500"', 'discount'],
    ['discount', 'true', 'discount'],
    ['created_at', '17723520', 'createdAt'],
    ['created_at', '1772352000000', 'createdAt'],
    ['date1', '1772352000', 'customFields.date1'],
    ['created_at', '"2026-02-30T08:00:00Z"', 'createdAt'],
    ['created_at', '"yesterday"', 'createdAt'],
    ['date1', '"2026-02-30"', 'customFields.date1'],
    ['date1', '"28.02.2026"', 'customFields.date1'],
    ['paid_to', 'false', 'payments.to'],
    ['status_id', '1.5', 'statusId'],
    ['status_id', '{}', 'statusId'],
    ['contact_id', '[1]', 'contact'],
    ['kind', '"partner"', 'kind'],
    ['kind', '"BUYER"', 'kind'],
  ])('%s %s spoils %s, and that only, in a list of many', async (key, json, field) => {
    const others = Array.from({ length: 40 }, (_, index) => `{"id":${index + 10},"${key}":null,"city":"Oslo"}`);
    const { execute, calls } = await crmOver({
      'GET /app/clients.json': new Reply(`[${[`{"id":7,"${key}":${json},"city":"Oslo"}`, ...others].join(',')}]`),
    });
    const [group = '', leaf] = field.split('.');
    const value = leaf ? `value: ${leaf}` : '';
    const selected = leaf ? `${group} { ${value} }` : field === 'contact' ? 'value: contact { id }' : `value: ${field}`;

    const { data, errors } = await execute(`{ clients(first: 50) { nodes { ${selected} address { city } } } }`);

    const path = ['clients', 'nodes', 0, ...(leaf ? [group, 'value'] : ['value'])];
    expect(errors).toMatchObject([{ path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    const node = { ...read(field, null).client, address: { city: 'Oslo' } };
    expect(data).toEqual({ clients: { nodes: Array.from({ length: 41 }, () => node) } });
    expect(calls()).toEqual(['GET /app/clients.json']);
  });

  test('is told by its kind, beside what was expected', async () => {
    const clientWith = await oneClient();
    for (const [key, json, field, message] of [
      ['discount', '"12,5,1"', 'discount', 'Expected a decimal, got another text.'],
      ['discount', '"1,000"', 'discount', 'A decimal such as 1,000 can be read in two ways.'],
      ['discount', 'true', 'discount', 'Expected a decimal, got a boolean.'],
      ['posts_count', '"many"', 'postsCount', 'Expected a whole number, got another text.'],
      ['company', '"yes"', 'company', 'Expected true or false, got another text.'],
      ['posts_count', '9007199254740993', 'postsCount', 'A whole number beyond 2^53 cannot be read exactly.'],
      ['integer1', '9007199254740993', 'customFields.integer1', 'A whole number beyond 2^53 cannot be read exactly.'],
      ['status_id', '{}', 'statusId', 'Expected an id, got an object.'],
      ['created_at', '"yesterday"', 'createdAt', 'Expected an instant, got another text.'],
      ['date1', '"28.02.2026"', 'customFields.date1', 'Expected a date, got another text.'],
      ['name', '["x"]', 'name', 'Expected text, got a list.'],
    ] as const) {
      const { errors } = await clientWith(key, json, field);
      expect(
        errors.map((error) => error.message),
        `${key} ${json}`,
      ).toEqual([message]);
    }
  });

  test('is not quoted in the error', async () => {
    const { errors } = await (await oneClient())('kind', '"s3cret"', 'kind');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toContain('s3cret');
  });

  test('costs one error a row, of which 100 are listed, and the rest are counted', async () => {
    const clients = Array.from({ length: 150 }, (_, id) => ({ id: id + 1, name: {} }));
    const { execute } = await crmOver({ 'GET /app/clients.json': clients });
    const { errors } = await execute('{ clients(first: 150) { nodes { name } } }');
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toMatchObject({ extensions: { omitted: 50 } });
  });
});

describe('tags', () => {
  test.each<[unknown, unknown]>([
    [
      ['oak', 'urgent'],
      ['oak', 'urgent'],
    ],
    ['oak, urgent', ['oak', 'urgent']],
    [' oak ,, urgent,', ['oak', 'urgent']],
    ['', []],
    [[], []],
    [null, null],
    [['a, b'], ['a, b']],
    [[{ id: 1, name: 'oak' }], ['oak']],
  ])('%j are read as %j', async (tags, expected) => {
    const { ask } = await crmOver({ 'GET /app/posts/7.json': { id: 7, tags } });
    expect(await ask('{ post(id: 7) { tags } }')).toEqual({ post: { tags: expected } });
  });

  test.each([[[['oak']]], [5], [{ oak: true }], [[null]]])('%j spoil their own field only', async (tags) => {
    const { execute } = await crmOver({ 'GET /app/posts/7.json': { id: 7, title: 'x', tags } });
    const { data, errors } = await execute('{ post(id: 7) { title tags } }');
    expect(data).toEqual({ post: { title: 'x', tags: null } });
    expect(errors).toMatchObject([{ path: ['post', 'tags'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });
});

test.each(['kind', 'task_kind'])('an unknown %s of a post is an error of its field only', async (key) => {
  const { execute } = await crmOver({ 'GET /app.json': [{ id: 7, kind: null, task_kind: null, [key]: 'newer' }] });
  const { data, errors } = await execute('{ posts { nodes { id kind taskKind } } }');
  expect(data).toEqual({ posts: { nodes: [{ id: 'Post:7', kind: null, taskKind: null }] } });
  const path = ['posts', 'nodes', 0, key === 'kind' ? 'kind' : 'taskKind'];
  expect(errors).toMatchObject([{ path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});
