import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { json } from '../../src/formats/json.ts';
import { dice } from '../support/dice.ts';

// JSON by chance, with JSON.parse as the oracle: the value, or the refusal, is the same wherever the chunks end.

type Dice = ReturnType<typeof dice>;

/** Parts of a text or a key, as JSON writes them. */
const CHARACTERS = ['a', ...'7 ,:[{óŁ€🪑\u00a0\u2028\ufeff', ']}', '},{'] as const;
const ESCAPES = ['\\"', '\\\\', '\\/', '\\n', '\\u0142', '\\ud83e', '\\ude91', '\\u0000', '\\ufeff'] as const;
const KEYS = ['id', 'name', '__proto__', 'constructor', '0', 'ż', '\\u0069d'] as const;
const NUMBERS = ['0', '-1', '42', '1.5', '-0.25e2', '1E3', '0.30000000000000004', '123456789012345'] as const;
const LONG_NUMBERS = [
  '9007199254740993',
  '-12345678901234567',
  '12345678901234567.25',
  '12345678901234567e-3',
  '0.1234567890123456789',
  '-12345678.901234567891E-5',
] as const;
const SPACES = ['', '', '', ' ', '\n', '\t\r\n'] as const;

/** Two texts of one value: the second has its long numbers in quotes, which the first is expected to be read as. */
type Texts = readonly [json: string, oracle: string];

const same = (text: string): Texts => [text, text];

function quoted({ roll, pick }: Dice): string {
  return `"${Array.from({ length: roll(8) }, () => (roll(3) ? pick(...CHARACTERS) : pick(...ESCAPES))).join('')}"`;
}

/** A random value. */
function value(chance: Dice, depth = 0): Texts {
  const { roll, pick } = chance;
  const kind = roll(depth > 3 ? 5 : 8);
  if (kind === 0) return same(pick('null', 'true', 'false'));
  if (kind === 1) return same(pick(...NUMBERS));
  if (kind < 4) return same(quoted(chance));
  if (kind === 4) {
    const number = pick(...LONG_NUMBERS);
    return [number, `"${number}"`];
  }
  const isList = kind === 5;
  const members = Array.from({ length: roll(5) }, () => {
    const space = pick(...SPACES);
    const key = isList ? '' : `"${pick(...KEYS)}"${space}:`;
    return value(chance, depth + 1).map((text) => `${space}${key}${space}${text}${pick(...SPACES)}`);
  });
  const [open, close] = isList ? '[]' : '{}';
  const written = (part: 0 | 1) => `${open}${members.map((member) => member[part]).join(',')}${close}`;
  return [written(0), written(1)];
}

/** A list of rows, long enough to be parsed in pieces. */
function rows(chance: Dice): Texts {
  const { roll, pick } = chance;
  const start = `${pick(...SPACES)}{${pick(...SPACES)}"id":`;
  const row = (index: number): Texts => {
    const [inner, oracle] = value(chance);
    const nested = roll(60) === 0 ? `[${`${start}0},`.repeat(roll(2_000))}${start}1}]` : '[]'; // looks like rows of the list
    const filler = 'x'.repeat(roll(60));
    const text = (part: string) => `${start}${index},"nested":${nested},"value":${part},"filler":"${filler}"}`;
    return roll(50) === 0 ? value(chance) : [text(inner), text(oracle)];
  };
  const list = Array.from({ length: 600 }, (_row, index) => row(index));
  const written = (part: 0 | 1) => `[${list.map((texts) => texts[part]).join(',')}]`;
  return [written(0), written(1)];
}

/** The value or the refusal of a body, as a text. Unlike a comparison of objects it tells the order and `__proto__`. */
async function outcome(chunks: readonly Uint8Array[]): Promise<string | undefined> {
  try {
    const answer = { body: [...chunks], contentType: 'application/json', contentEncoding: '' };
    return JSON.stringify(await json.parse(answer, 'CRM_URL'));
  } catch (error) {
    if (!(error instanceof BadResponseError)) throw error;
    expect(error.message).toMatch(
      /^Expected JSON(, got something that is broken or cut off\.| in UTF-8, got other bytes\.|, got an empty body\.|, got a page .*CRM_URL right\? Its path may be wrong\.)$/,
    );
    return undefined;
  }
}

/** The value that another reader of JSON reads; undefined when it refuses the text. */
function oracle(bytes: Uint8Array): string | undefined {
  try {
    return JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function inChunksOf(size: number, bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_chunk, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

const seeds = (count: number) => Array.from({ length: count }, (_none, seed) => seed);

test('any JSON is read as JSON.parse reads it, wherever one chunk ends and the next begins', async () => {
  for (const seed of seeds(150)) {
    const chance = dice(seed);
    const [text, expected] = value(chance);
    const bytes = Buffer.from(`${chance.pick('', '', '\ufeff')}${chance.pick(...SPACES)}${text}`);
    const read = JSON.stringify(JSON.parse(expected));
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await outcome([bytes.subarray(0, at), bytes.subarray(at)]), `seed ${seed}, byte ${at}`).toBe(read);
    }
    expect(await outcome(inChunksOf(1, bytes)), `seed ${seed}, byte by byte`).toBe(read);
  }
});

describe('a list that is parsed in pieces is read as JSON.parse reads it', () => {
  test('in chunks of any size', async () => {
    for (const seed of seeds(4)) {
      const [text, expected] = rows(dice(seed));
      const bytes = Buffer.from(text);
      expect(bytes.length, `seed ${seed}`).toBeGreaterThan(64 * 1024);
      const read = JSON.stringify(JSON.parse(expected));
      for (const size of [1, 7, 1_400, 65_536, bytes.length]) {
        expect(await outcome(inChunksOf(size, bytes)), `seed ${seed}, chunks of ${size}`).toBe(read);
      }
    }
  });

  test('wherever a chunk ends near a cut', async () => {
    const row = (index: number) =>
      `{"id":${index},"name":"Zażółć \\"},{\\"id\\":","n":${index === 7 ? 2n ** 60n : index}}`;
    for (const cut of [32 * 1024, 256 * 1024]) {
      const list = Array.from({ length: (cut + 40_000) / 60 }, (_row, index) => row(index));
      const bytes = Buffer.from(`[${list.join(',')}]`);
      const read = JSON.stringify(JSON.parse(bytes.toString().replace(/"n":(\d{16,})/, '"n":"$1"')));
      for (let at = cut - 3; at < cut + 70; at += 1) {
        expect(await outcome([bytes.subarray(0, at), bytes.subarray(at)]), `byte ${at}`).toBe(read);
      }
    }
  });
});

/** Changes a few bytes of a body. */
function spoilt(bytes: Buffer, { roll, pick }: Dice): Buffer {
  const at = roll(bytes.length + 1);
  const inserted = pick(
    [0xff],
    [0x80],
    [0xc5],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0x22],
    [0x2c],
    [0x5d],
    [0x3c],
    [0xef, 0xbb, 0xbf],
    [],
  );
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at + roll(3))]);
}

describe('what JSON.parse or a strict decoder of UTF-8 refuses is refused without a quote', () => {
  const withoutLongNumbers = ([, expected]: Texts) => Buffer.from(expected);

  test('in short bodies', async () => {
    let refused = 0;
    for (const seed of seeds(3_000)) {
      const chance = dice(seed);
      const bytes = spoilt(withoutLongNumbers(value(chance)), chance);
      const at = chance.roll(bytes.length + 1);
      const expected = oracle(bytes);
      refused += expected === undefined ? 1 : 0;
      expect(await outcome([bytes.subarray(0, at), bytes.subarray(at)]), `seed ${seed}`).toBe(expected);
    }
    expect(refused).toBeGreaterThan(1_000);
    expect(refused).toBeLessThan(2_900);
  });

  test('in lists that are parsed in pieces', async () => {
    let refused = 0;
    for (const seed of seeds(30)) {
      const chance = dice(seed);
      const bytes = spoilt(withoutLongNumbers(rows(chance)), chance);
      const expected = oracle(bytes);
      refused += expected === undefined ? 1 : 0;
      expect(await outcome(inChunksOf(65_536, bytes)), `seed ${seed}`).toBe(expected);
    }
    expect(refused).toBeGreaterThan(8);
    expect(refused).toBeLessThan(30);
  });
});
