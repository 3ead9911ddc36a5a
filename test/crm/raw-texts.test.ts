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
