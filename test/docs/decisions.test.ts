import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { pagesOfDocs, read } from './pages.ts';

const decisions = pagesOfDocs
  .filter((page) => /^docs\/decisions\/\d{4}-[a-z0-9-]+\.md$/.test(page))
  .sort()
  .map((page) => {
    const [, number, title, status, date] =
      /^# (\d+)\. (.+)\n\nStatus: (.+)\\\nDate: (\d{4}-\d\d-\d\d)\n\n/.exec(read(page)) ?? [];
    return { file: basename(page), number, title, status, date };
  });

test('every file of docs/decisions is a decision, but for the index', () => {
  const others = pagesOfDocs.filter((page) => page.startsWith('docs/decisions/') && !/\/\d{4}-/.test(page));

  expect(others).toEqual(['docs/decisions/README.md']);
});

test.each(decisions)('$file begins with its number, a title, a status and a date', ({ file, number, status, date }) => {
  expect(file).toMatch(new RegExp(`^${number?.padStart(4, '0')}-`));
  expect(status).toMatch(/^(accepted|rejected|superseded by \d+)$/);
  expect(Number.isNaN(Date.parse(date ?? ''))).toBe(false);
});

test('decisions are numbered from 1 without gaps', () => {
  expect(decisions.map(({ number }) => Number(number))).toEqual(decisions.map((_, index) => index + 1));
});

test('the index has every decision, with its number, title, status and date', () => {
  const rows = [...read('docs/decisions/README.md').matchAll(/^\| (\d+) *\| (.+?) *\| (.+?) *\| (.+?) *\|$/gm)];

  expect(rows.map(([, ...cells]) => cells)).toEqual(
    decisions.map(({ file, number, title, status, date }) => [number, `[${title}](${file})`, status, date]),
  );
});
