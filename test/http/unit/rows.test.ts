import { expect, test } from 'vitest';
import { BadResponseError } from '../../../src/errors.ts';
import { Rows } from '../../../src/formats/rows.ts';

const problem = new BadResponseError('1 of 4 rows was left out.');
const rows = new Rows([{ id: 'a' }, { id: 'b' }, { id: 'c' }], [problem], { of: [0, 2, 3], total: 4 });

test('whatever is made of rows has their problems', async () => {
  const further = new BadResponseError('1 row was left out by the filter.');
  expect((await rows.map(({ id }) => id)).problems).toEqual([problem]);
  expect(rows.filter(({ id }) => id === 'a').problems).toEqual([problem]);
  expect(rows.slice(0, 1).problems).toEqual([problem]);
  expect(rows.derive([]).problems).toEqual([problem]);
  expect(rows.derive([], [further]).problems).toEqual([problem, further]);
});

test('mapped rows stand where they stood in the response', async () => {
  const mapped = await rows.map(({ id }) => id);
  expect([...mapped]).toEqual(['a', 'b', 'c']);
  expect([0, 1, 2].map((index) => mapped.positionAt(index))).toEqual([0, 2, 3]);
  expect([mapped.length, mapped.total]).toEqual([3, 4]);
});

test('rows beside which none was left out are counted by their indexes', () => {
  const all = rows.filter(({ id }) => id !== 'b');
  expect([0, 1].map((index) => all.positionAt(index))).toEqual([0, 1]);
  expect(all.total).toBe(2);
});

test('a long list is mapped in slices', async () => {
  const long = new Rows(
    Array.from({ length: 20_000 }, (_none, id) => ({ id })),
    [problem],
  );
  let sum = 0;
  const mapping = long.map(({ id }) => {
    for (let spin = 0; spin < 1_000; spin += 1) sum += spin % 2;
    return id;
  });
  expect(mapping).toBeInstanceOf(Promise);
  const mapped = await mapping;
  expect([mapped.length, mapped.at(19_999), mapped.problems]).toEqual([20_000, 19_999, [problem]]);
  expect(sum).toBe(10_000_000);
});
