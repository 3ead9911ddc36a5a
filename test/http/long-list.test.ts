import { describe, expect, test } from 'vitest';
import { parseList } from '../../src/formats/long-list.ts';
import type { Steps } from '../../src/formats/slices.ts';
import { longSteps } from '../support/clock.ts';

const MB = 1024 ** 2;
const PIECE = 32 * 1024;

function* parse(list: Uint8Array): Steps<unknown> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(list);
  yield;
  return JSON.parse(text);
}

/** The text as it would come, in chunks of this size. */
function chunked(text: string, size = 65_536): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_none, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

/** Parses the text, and tells in how many pieces. */
async function parsed(text: string, size?: number) {
  let pieces = 0;
  const list = await parseList(chunked(text, size), (bytes) => {
    pieces += 1;
    return parse(bytes);
  });
  return { list, pieces };
}

const tricky = [
  { text: 'a comma, a quote " and a \\, brackets ][ }{', nested: [1, [2, { three: [] }], {}], none: null },
  { text: '\\', 'key, "quoted"': '\\"', more: 'żółć 🚀' },
  [',', [',']],
  'a text, by itself',
  1.5e3,
  null,
];

test('a list that is parsed piece by piece is the same as one that is parsed at once', async () => {
  const items = Array.from({ length: 20_000 }, (_none, index) => ({ index, item: tricky[index % tricky.length] }));
  for (const text of [JSON.stringify(items), JSON.stringify(items, null, 2)]) {
    const { list, pieces } = await parsed(text);
    expect(list).toEqual(items);
    const bytes = Buffer.byteLength(text);
    expect(pieces).toBeGreaterThan(bytes / (PIECE + 500));
    expect(pieces).toBeLessThanOrEqual(Math.ceil(bytes / PIECE));
  }
});

test('a long list is parsed the same wherever its chunks end', async () => {
  const text = JSON.stringify(Array.from({ length: 3 }, () => [tricky, 'ż'.repeat(MB / 2)]));
  for (const size of [1_021, 65_537, MB + 1]) {
    expect(await parsed(text, size)).toEqual({ list: JSON.parse(text), pieces: 3 });
  }
});

test.each([
  ['an escaped quote', ['"', ','.repeat(2 * MB), 1]],
  ['an escaped backslash at its end', ['\\', ','.repeat(2 * MB), 1]],
])('a comma within a text is no place to cut, behind %s either', async (_name, list) => {
  expect(await parsed(JSON.stringify(list))).toEqual({ list, pieces: 2 });
});

test.each([
  [
    'whose rows hold lists of such rows',
    500,
    (id: number) => ({ id, rows: Array.from({ length: 400 }, () => ({ id })) }),
  ],
  ['whose rows begin with other keys', 20_000, (id: number) => ({ [`key${id}`]: id, id })],
  ['of lists', 50_000, (id: number) => ['a list', { id }]],
  ['of texts', 50_000, (id: number) => `a text },{"id":${id}`],
])('a list %s is cut between its rows too', async (_name, count, row) => {
  const text = JSON.stringify(Array.from({ length: count }, (_row, id) => row(id)));
  const { list, pieces } = await parsed(text);
  expect(JSON.stringify(list)).toBe(text);
  expect(pieces).toBeGreaterThan((text.length / PIECE - 8) / 1.5); // the end of a list may be a longer piece
  expect(pieces).toBeLessThanOrEqual(Math.ceil(text.length / PIECE) + 1); // one cut may be tried at a wrong place
});

test('others have their turn between the pieces', async () => {
  const turns = longSteps();
  const { pieces } = await parsed(JSON.stringify(Array.from({ length: 10 }, () => 'x'.repeat(PIECE))));
  expect(pieces).toBe(10);
  expect(turns()).toBeGreaterThanOrEqual(2 * (pieces - 1)); // `parse` has a step of its own in each
});

test.each(['[]', ' [ ] \n', '[1]', '[[]]', '[1,2]'])('a short one is one piece: %s', async (text) => {
  expect(await parsed(text, 1)).toEqual({ list: JSON.parse(text), pieces: 1 });
});

describe('what is no list is refused wherever it breaks', () => {
  const long = `"${'x'.repeat(MB)}"`;
  const space = ' '.repeat(MB);
  test.each([
    ['no end', `[${long},1`],
    ['an end after the first piece', `[${long}],1]`],
    ['an end within a later piece', `[${long},1],${long},2]`],
    ['two lists', `[${long},1][2]`],
    ['a comma at the end', `[${long},]`],
    ['a comma at the beginning', `[${space},1]`],
    ['two commas', `[${long},${space},1]`],
    ['a bracket too many', `[${long},1]]`],
    ['brackets that do not match', `[${long},{1],2}]`],
    ['a text without an end', `[${long},"a]`],
    ['something behind it', `[${long},1] x`],
  ])('%s', async (_name, text) => {
    await expect(parsed(text)).rejects.toThrow(/./);
    expect(() => JSON.parse(text)).toThrow(/./); // as it would be at once
  });

  test('half of a character', async () => {
    const bytes = [Buffer.from(`[${long},"`), Buffer.from([0xc5]), Buffer.from('"]')];
    await expect(async () => parseList(bytes, parse)).rejects.toThrow(/not valid/);
  });
});
