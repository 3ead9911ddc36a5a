import { describe, expect, test } from 'vitest';
import { constantCase } from '../../src/typed-flex/model/names.ts';
import { snapshotOf } from './snapshots.ts';

/** The names that a pull gives to fields of one table. */
function namesOf(...fields: readonly string[]): unknown {
  const schema = { fields: Object.fromEntries(fields.map((field) => [field, 'string'])) };
  return snapshotOf([{ id: 'f1', code: 'db', schema }]).names['db']?.table?.fields;
}

describe('a pull makes names of ASCII', () => {
  test.each([
    ['due_at', 'dueAt', 'DUE_AT'],
    ['dueAt', 'dueAt', 'DUE_AT'],
    ['DueAt', 'dueAt', 'DUE_AT'],
    ['Due at', 'dueAt', 'DUE_AT'],
    ['due-at.x/y', 'dueAtXY', 'DUE_AT_XY'],
    ['API_KEY', 'apiKey', 'API_KEY'],
    ['userID', 'userId', 'USER_ID'],
    ['XMLFile2Go', 'xmlFile2Go', 'XML_FILE2_GO'],
    ['a1', 'a1', 'A1'],
    ['_private', 'private', 'PRIVATE'],
    ['constructor', 'constructor', 'CONSTRUCTOR'],
  ])('%s is %s, and %s in enums', (field, name, enumValue) => {
    expect(namesOf(field)).toEqual({ [field]: name });
    expect(constantCase(name)).toBe(enumValue);
  });

  test.each(['żółw', 'Łódź', '日本', 'имя', 'naïve', 'ﬁne', '🙂', '', '___', '2fa', '100', 'x'.repeat(61), 'a\u0000b'])(
    "%j is nobody's guess",
    (field) => {
      expect(namesOf(field)).toEqual({ [field]: '' });
    },
  );

  test('names that would be one are all left open', () => {
    expect(namesOf('first_name', 'first name', 'firstName', 'last_name')).toEqual({
      first_name: '',
      'first name': '',
      firstName: '',
      last_name: 'lastName',
    });
  });

  test.each(['id', 'upstream_id', 'created_at', 'Updated At', 'extra'])('%s, of all records, is left open', (field) => {
    expect(namesOf(field)).toEqual({ [field]: '' });
  });

  test('a name that was written stays, and a new one that would be the same is left open', () => {
    const database = (...fields: string[]) => ({
      id: 'f1',
      code: 'db',
      schema: { fields: Object.fromEntries(fields.map((field) => [field, 'string'])) },
    });
    const { names } = snapshotOf([database('first_name')]);
    const again = snapshotOf([database('first_name', 'first name')], names);
    expect(again.names['db']?.table?.fields).toEqual({ first_name: 'firstName', 'first name': '' });
  });
});

describe('a pull makes names of tables', () => {
  test.each([
    ['tasks', 'ShopTask', 'tasks', 'task'],
    ['people', 'ShopPerson', 'people', 'person'],
    ['order_items', 'ShopOrderItem', 'orderItems', 'orderItem'],
    ['task', 'ShopTask', 'task', 'taskRow'],
    ['news', 'ShopNews', 'news', 'newsRow'],
    ['zadania', 'ShopZadania', 'zadania', 'zadaniaRow'],
    ['zadań', '', '', ''],
  ])('%s', (table, type, list, one) => {
    const { names } = snapshotOf([{ id: 'f1', code: 'shop', schema: { tables: { [table]: { fields: {} } } } }]);
    expect(names['shop']?.tables?.[table]).toEqual({ type, list, one, fields: {} });
  });

  test('two with one type, or one field of the database, are left open', () => {
    const tables = { task: { fields: {} }, tasks: { fields: {} }, untabled: { fields: {} } };
    expect(snapshotOf([{ id: 'f1', code: 'shop', schema: { tables } }]).names['shop']?.tables).toMatchObject({
      task: { type: '', list: '', one: 'taskRow' }, // the list would be the one of tasks
      tasks: { type: '', list: 'tasks', one: '' },
      untabled: { type: '', list: '' },
    });
  });
});

test.each([
  ['order-desk', 'orderDesk', 'OrderDesk'],
  ['clients', '', 'Clients'], // a field of Query
  ['client', '', ''], // another field, and a type
  ['42', '', ''],
])('a pull names a database %s after its code', (code, query, type) => {
  const { names } = snapshotOf([{ id: 'f1', code, schema: { fields: { a: 'text' } } }]);
  expect(names[code]).toMatchObject({ query, type, table: { type: type && `${type}Row`, list: 'rows', one: 'row' } });
});
