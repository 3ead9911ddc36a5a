import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from './docs/pages.ts';

const numbers = [...read('docs/assumptions.md').matchAll(/^- \*\*A(\d+)\*\* /gm)].map(([, number]) => Number(number));

const sources = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`);

/** Every mark in a comment, by its place: `src/apis/crm/wire.ts:93`, and the text from the mark to the end of the line. */
const marks = sources.flatMap((file) =>
  read(file)
    .split('\n')
    .map((line, index) => ({
      place: `${file}:${index + 1}`,
      mark: /(?:\/\/|\/\*|^\s*\*).*?(Not documented.*)/.exec(line)?.[1],
    }))
    .filter(({ mark }) => mark !== undefined),
);

/** The numbers that a mark cites, `Not documented (A12, A13)`; none where it cites none. */
function cited(mark = ''): number[] {
  const [, list = ''] = /^Not documented \((A\d+(?:, A\d+)*)\)/.exec(mark) ?? [];
  return [...list.matchAll(/\d+/g)].map(([number]) => Number(number));
}

test('assumptions are numbered from 1 without gaps', () => {
  expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, index) => index + 1));
});

test('the sources have marks', () => {
  expect(marks.length).toBeGreaterThan(100);
});

test('every mark in the sources cites assumptions that exist', () => {
  const wrong = marks.filter(({ mark }) => cited(mark).length === 0 || !cited(mark).every((n) => numbers.includes(n)));

  expect(wrong.map(({ place, mark }) => `${place}: ${mark}`)).toEqual([]);
});
