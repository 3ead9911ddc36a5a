import { describe, expect, test } from 'vitest';
import { crmOver } from './support.ts';

// Texts beside enums, and additional fields as a list.

describe("upstream's own text", () => {
  test.each([
    ['buyer', 'BUYER', 'buyer'],
    ['Partner', null, 'Partner'],
    [null, null, null],
  ])('the kind %j of a client is %j, and the text %j', async (kind, value, kindText) => {
    const { execute } = await crmOver({ 'GET /app/clients/7.json': { id: 7, kind } });
    const { data } = await execute('{ client(id: 7) { kind kindText } }');
    expect(data).toEqual({ client: { kind: value, kindText } });
    expect((await execute('{ client(id: 7) { kindText } }')).errors).toEqual([]);
  });

  test('stands beside both kinds of a post', async () => {
    const { ask } = await crmOver({ 'GET /app/posts/7.json': { id: 7, kind: 'wish', task_kind: 'sms' } });
    const data = await ask('{ post(id: 7) { kindText taskKindText } }');
    expect(data).toEqual({ post: { kindText: 'wish', taskKindText: 'sms' } });
  });
});

describe('customFields.entries', () => {
  const query = '{ client(id: 7) { customFields { entries { key kind value } } } }';
  const entry = (key: string, kind: string, value: string | null) => ({ key, kind, value });

  test('has the fields with a value, each as a text', async () => {
    const { ask, calls } = await crmOver({
      'GET /app/clients/7.json': {
        ...{ id: 7, string1: 'Walnut', string2: '', integer3: 5, decimal1: '12.50', checkbox1: '1', checkbox2: false },
        ...{ date1: '2026-03-01', text10: ' a ', datetime1: '2026-03-01T08:00:00Z', integer4: null },
      },
    });
    expect(await ask(query)).toEqual({
      client: {
        customFields: {
          entries: [
            entry('STRING1', 'STRING', 'Walnut'),
            entry('INTEGER3', 'INTEGER', '5'),
            entry('DECIMAL1', 'DECIMAL', '12.50'),
            entry('CHECKBOX1', 'CHECKBOX', 'true'),
            entry('CHECKBOX2', 'CHECKBOX', 'false'),
            entry('DATE1', 'DATE', '2026-03-01'),
            entry('TEXT10', 'TEXT', ' a '),
            entry('DATETIME1', 'DATETIME', '2026-03-01T08:00:00Z'),
          ],
        },
      },
    });
    expect(calls()).toEqual(['GET /app/clients/7.json']);
  });

  test('a value that cannot be read is an error of its own entry', async () => {
    const { execute } = await crmOver({ 'GET /app/clients/7.json': { id: 7, string1: {}, string2: 'x' } });
    const { data, errors } = await execute(query);
    const entries = [entry('STRING1', 'STRING', null), entry('STRING2', 'STRING', 'x')];
    expect(data).toEqual({ client: { customFields: { entries } } });
    expect(errors).toMatchObject([{ path: ['client', 'customFields', 'entries', 0, 'value'] }]);
  });

  test.each([
    ['date1', '2026/03/01', '2026-03-01'],
    ['date1', '2026-03-01T23:00:00Z', '2026-03-01'],
    ['date1', 'soon', null],
    ['datetime1', '2026/03/01 08:00:00 +0200', '2026-03-01T08:00:00+02:00'],
    ['datetime1', '2026-03-01', '2026-03-01T00:00:00Z'],
    ['datetime1', 7, null],
    ['integer1', '12', '12'],
    ['integer1', 'abc', null],
    ['decimal1', '1 000,50', '1000.50'],
    ['decimal1', 'ten', null],
    ['checkbox1', 1, 'true'],
    ['checkbox1', 'perhaps', null],
    ['string1', 12, '12'],
    ['text1', [], null],
  ])('%s %j has the value of the single field: %j', async (key, sent, value) => {
    const { execute } = await crmOver({ 'GET /app/clients/7.json': { id: 7, [key]: sent } });
    const { data, errors } = await execute(`{ client(id: 7) { customFields { ${key} entries { value } } } }`);
    const { customFields } = Object(data).client;
    expect(customFields.entries).toEqual([{ value }]);
    expect(customFields[key] === null ? null : String(customFields[key])).toEqual(value);
    const places = errors.map(({ path }) => path?.slice(2).join('.'));
    expect(places).toEqual(value === null ? [key, 'entries.0.value'] : []);
  });

  test('fields that a list does not have are read by id, once for each client', async () => {
    const { ask, calls } = await crmOver({
      'GET /app/clients.json': [{ id: 7 }],
      'GET /app/clients/7.json': { id: 7, string1: 'x' },
    });
    const data = await ask('{ clients { nodes { customFields { entries { key value } } } } }');
    const entries = [{ key: 'STRING1', value: 'x' }];
    expect(data).toEqual({ clients: { nodes: [{ customFields: { entries } }] } });
    expect(calls()).toEqual(['GET /app/clients.json', 'GET /app/clients/7.json']);
  });
});
