import type { GraphQLResolveInfo } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/operation/context.ts';
import { BadResponseError } from '../../src/errors.ts';
import { text } from '../../src/formats/leaves.ts';
import { Rows } from '../../src/formats/rows.ts';
import { isSent } from '../../src/graph/lists/decodable.ts';
import { referringRows } from '../../src/graph/lists/foreign-keys.ts';
import { lazyFieldResolver } from '../../src/graph/lists/lazy-fields.ts';
import { oncePerList } from '../../src/graph/lists/once-per-list.ts';

interface Deal {
  readonly id: string;
  readonly client_id?: unknown;
  readonly name?: unknown;
}

/** The fields that are noted as not sent. */
const notSent: string[] = [];
const notices = { notSent: ({ fieldName }: { fieldName: string }) => void notSent.push(fieldName) };
/** Handed on to what loads a record, which is the test's: nothing else of it is used. */
const context: Context = Object.assign(JSON.parse('{}'), { notices, shared: new Map() });
const info: GraphQLResolveInfo = Object.assign(JSON.parse('{}'), { fieldName: 'name' });

describe('the records that name another one', () => {
  const dealsOf = async (list: readonly Deal[], id: string) => [
    ...(await referringRows(new Rows(list), 'client_id', id)),
  ];

  test('are found in the order of the list, by numbers and by texts', async () => {
    const list = [
      { id: '1', client_id: 7 },
      { id: '2', client_id: 8 },
      { id: '3', client_id: '7' },
    ];
    expect(await dealsOf(list, '7')).toEqual([list[0], list[2]]);
    expect(await dealsOf(list, '8')).toEqual([list[1]]);
  });

  test('are none where none names it', async () => {
    expect(await dealsOf([{ id: '1', client_id: 7 }], '9')).toEqual([]);
    expect(await dealsOf([{ id: '1', client_id: null }], 'null')).toEqual([]);
    expect(await dealsOf([], '7')).toEqual([]);
  });

  test('do not hold one whose key is no id', async () => {
    const list = [{ id: '1', client_id: [] }, { id: '2' }, { id: '3', client_id: 7 }];
    expect(await dealsOf(list, '7')).toEqual([list[2]]);
  });

  test('cannot be told where the list lacks the key', async () => {
    await expect(async () => dealsOf([{ id: '1' }], '7')).rejects.toThrow(BadResponseError);
  });

  test('are looked up in one pass over the list', async () => {
    let reads = 0;
    const deals = [
      {
        id: '1',
        get client_id() {
          reads += 1;
          return 7;
        },
      },
    ];
    const list = new Rows(deals);
    await referringRows(list, 'client_id', '7');
    const before = reads;
    expect([...(await referringRows(list, 'client_id', '7'))]).toEqual(deals);
    expect(reads).toBe(before);
  });

  test('have the problems of the list, and that of the rows whose key cannot be read', async () => {
    const problem = new BadResponseError('1 of 3 rows was left out.');
    const list = new Rows<Deal>(
      [
        { id: '1', client_id: [] },
        { id: '2', client_id: 7 },
      ],
      [problem],
    );
    const left = '1 of 2 rows was left out, because its `client_id` cannot be read.';
    for (const id of ['7', '8']) {
      const { problems } = await referringRows(list, 'client_id', id);
      expect(problems.map(({ message }) => message)).toEqual([problem.message, left]);
    }
  });
});

describe('a key that a record lacks', () => {
  beforeEach(() => void notSent.splice(0));
  const record: Deal = { id: '1' };
  const resolve = (sources: Parameters<typeof lazyFieldResolver<Deal>>[0], of = record) =>
    lazyFieldResolver<Deal>(sources)('name', (value) => ['read', value])(of, {}, context, info);
  const unused = async (): Promise<never> => {
    throw new Error('Nothing is to be loaded.');
  };

  test('that it has after all is read at once', () => {
    expect(resolve({ byId: unused }, { id: '1', name: 'a' })).toEqual(['read', 'a']);
    expect(resolve({ byId: unused }, { id: '1', name: undefined })).toEqual(['read', undefined]);
  });

  test('is loaded by id', async () => {
    const loaded = resolve({ byId: async ({ id }, given) => ({ id, name: given === context ? 'b' : 'c' }) });
    expect(loaded).toBeInstanceOf(Promise);
    expect(await loaded).toEqual(['read', 'b']);
  });

  test('is an error where the record is gone', async () => {
    const gone = /^The record cannot be read any more: there is none with this id\.$/;
    for (const sources of [{ byId: async () => null }, { batched: async () => null, byId: unused }]) {
      const resolved = Promise.resolve(resolve(sources));
      await expect(resolved).rejects.toThrow(BadResponseError);
      await expect(resolved).rejects.toThrow(gone);
    }
    expect(notSent).toEqual([]);
  });

  test('has no value where the full record lacks it, too, and is noted as not sent', async () => {
    expect(await resolve({ byId: async ({ id }) => ({ id }) })).toEqual(['read', undefined]);
    expect(notSent).toEqual(['name']);
  });

  test('is taken from a batch that has it', async () => {
    const batched = async ({ id }: Deal) => ({ id, name: 'batched' });
    expect(await resolve({ batched, byId: unused })).toEqual(['read', 'batched']);
  });

  test('is loaded by id where the batch lacks it, too', async () => {
    const byId = async ({ id }: Deal) => ({ id, name: 'b' });
    expect(await resolve({ batched: async ({ id }) => ({ id }), byId })).toEqual(['read', 'b']);
  });

  test('has no value where others of its list have one', async () => {
    const listed = async () => new Rows<Deal>([record, { id: '2', name: 'a' }]);
    expect(await resolve({ listed, byId: unused })).toEqual(['read', undefined]);
    expect(notSent).toEqual(['name']);
  });

  test('is loaded where no other of its list has one', async () => {
    const byId = async ({ id }: Deal) => ({ id, name: 'b' });
    expect(await resolve({ listed: async () => new Rows<Deal>([record, { id: '2' }]), byId })).toEqual(['read', 'b']);
  });

  test('is loaded where it is not of the list', async () => {
    const byId = async ({ id }: Deal) => ({ id, name: 'b' });
    expect(await resolve({ listed: async () => new Rows<Deal>([{ id: '1', name: 'a' }]), byId })).toEqual([
      'read',
      'b',
    ]);
  });

  test('is loaded where the list failed or was not read', async () => {
    const byId = async ({ id }: Deal) => ({ id, name: 'b' });
    expect(await resolve({ listed: () => undefined, byId })).toEqual(['read', 'b']);
    const failed = async (): Promise<never> => {
      throw new Error('status 500');
    };
    expect(await resolve({ listed: failed, byId })).toEqual(['read', 'b']);
  });

  test('is read by a function that may refuse it', async () => {
    const name = lazyFieldResolver<Deal>({ byId: async ({ id }) => ({ id, name: [] }) })('name', text);
    await expect(Promise.resolve(name(record, {}, context, info))).rejects.toThrow(/Expected text, got a list/);
  });
});

test('whether a list has a key is looked up once', () => {
  const deals: Deal[] = [{ id: '1' }];
  const list = new Rows(deals);
  expect([isSent(list, 'name'), isSent(list, 'id')]).toEqual([false, true]);
  deals.push({ id: '2', name: 'a' });
  expect(isSent(list, 'name')).toBe(false);
  expect(isSent(new Rows(deals), 'name')).toBe(true);
});

describe('a result of a list', () => {
  test('is computed once for the same inputs', async () => {
    const results = new Map<string, Promise<object>>();
    let computed = 0;
    const compute = () => {
      computed += 1;
      return { computed };
    };
    const [one, other] = await Promise.all([
      oncePerList(results, { a: 1 }, compute),
      oncePerList(results, { a: 1 }, compute),
    ]);
    expect(one).toBe(other);
    expect(await oncePerList(results, { a: 1 }, compute)).toBe(one);
    expect(computed).toBe(1);
  });

  test('is another one for other inputs or another list', async () => {
    const results = new Map<string, Promise<string>>();
    expect(await oncePerList(results, { a: 1 }, () => 'one')).toBe('one');
    expect(await oncePerList(results, { a: 2 }, () => 'two')).toBe('two');
    expect(await oncePerList(new Map<string, Promise<string>>(), { a: 1 }, () => 'three')).toBe('three');
  });

  test('is computed at once where it is the first, and after the one before it in a turn of its own', async () => {
    const results = new Map<string, Promise<void>>();
    const order: string[] = [];
    const first = oncePerList(results, 1, () => void order.push('first'));
    const second = oncePerList(results, 2, () => void order.push('second'));
    const third = oncePerList(results, 3, () => void order.push('third'));
    expect(order).toEqual(['first']);
    setImmediate(() => order.push('another request'));
    await Promise.all([first, second, third]);
    expect(order.indexOf('second')).toBeLessThan(order.indexOf('third'));
    expect(order.indexOf('another request')).toBeLessThan(order.indexOf('third'));
  });

  test('is computed even if the one before it failed', async () => {
    const results = new Map<string, Promise<string>>();
    const failed = oncePerList(results, 1, () => {
      throw new Error('no order');
    });
    const next = oncePerList(results, 2, () => 'two');
    await expect(failed).rejects.toThrow('no order');
    await expect(next).resolves.toBe('two');
  });
});
