import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/http/transport/redaction.ts';
import { dice } from '../support/dice.ts';

const redact = (secret: string, text: string) => createRedactor([secret]).text(text);
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');

const bytes = (text: string) => Array.from(Buffer.from(text), (byte) => `%${hex(byte, 2)}`).join('');
const form = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
const units = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${hex(text.charCodeAt(at), 4)}`).join('');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const decimals = (text: string, zeros = '') =>
  Array.from(text, (character) => `&#${zeros}${character.codePointAt(0)};`).join('');
const hexadecimals = (text: string, zeros = '') =>
  Array.from(text, (character) => `&#x${zeros}${character.codePointAt(0)?.toString(16)};`).join('');
const names = new Map<string, string>([
  ...([
    ['&', 'amp'],
    ['<', 'lt'],
    ['"', 'quot'],
    ["'", 'apos'],
    ['/', 'sol'],
    ['+', 'plus'],
    ['=', 'equals'],
  ] as const),
  ...([
    ['_', 'lowbar'],
    ['.', 'period'],
    [':', 'colon'],
    ['%', 'percnt'],
    ['\\', 'bsol'],
    ['#', 'num'],
    [';', 'semi'],
  ] as const),
]);
const named = (text: string) =>
  Array.from(text, (character) => (names.has(character) ? `&${names.get(character)};` : character)).join('');

const SECRETS = ['0a1b2c3d4e5f', 'sk_live/51.d2+e8=', 'pass wörd 🔑 + more', 'news%41\\n&amp;t'];

describe.each(SECRETS)('a secret is removed in each spelling: %s', (secret) => {
  test.each([
    ['each byte in percent-encoding', bytes(secret)],
    ['each byte in percent-encoding, capital letters', bytes(secret).toUpperCase()],
    ['each byte in percent-encoding, twice', bytes(bytes(secret))],
    ['each byte in percent-encoding, four times', bytes(bytes(bytes(bytes(secret))))],
    ['a form', form(secret)],
    ['a form in percent-encoding', bytes(form(secret))],
    ['a form of a form', form(form(secret))],
    ['units of JSON', units(secret)],
    ['units of JSON, capital letters', units(secret).toUpperCase().replaceAll('\\U', '\\u')],
    ['units of JSON in JSON', json(units(secret))],
    ['JSON in percent-encoding of each byte', bytes(json(secret))],
    ['JSON with escaped slashes in JSON', json(json(secret).replaceAll('/', '\\/'))],
    ['decimal numbers of HTML', decimals(secret)],
    ['decimal numbers with many zeros', decimals(secret, '0'.repeat(40))],
    ['hexadecimal numbers of HTML', hexadecimals(secret)],
    ['hexadecimal numbers with many zeros', hexadecimals(secret, '0'.repeat(40))],
    ['names of HTML', named(secret)],
    ['numbers of HTML in percent-encoding of each byte in JSON', json(bytes(decimals(secret)))],
    ['units of JSON in numbers of HTML', decimals(units(secret))],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 in percent-encoding', encodeURIComponent(Buffer.from(secret).toString('base64'))],
    ['base64 in units of JSON', units(Buffer.from(secret).toString('base64'))],
  ])('%s', (_name, spelling) => {
    expect(redact(secret, `a <${spelling}>, "${spelling}"`)).toBe('a <[redacted]>, "[redacted]"');
  });
});

describe.each(SECRETS)('a secret inside a longer base64 text: %s', (secret) => {
  test.each([
    ...['', 'a', 'user:', 'ab', 'abc', 'Authorization: Bearer '].map((before) => [before, '']),
    ...['', 'a', 'ab', '{"token":"'].flatMap((before) => [
      [before, '"}'],
      [before, '\r\n'],
      [before, ' and more'],
    ]),
  ])('after %j, before %j', (before, after) => {
    for (const inner of [secret, encodeURIComponent(secret), form(secret), json(secret)]) {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${inner}${after}`).toString(alphabet);
        for (const spelling of [encoded, encoded.replace(/=+$/, ''), encodeURIComponent(encoded), json(encoded)]) {
          const said = redact(secret, `a ${spelling} z`);
          expect(said).toMatch(/^a [\w+/%-]*\[redacted\][\w+/%=-]* z$/);
          expect(said).not.toContain(middle(encoded, before, inner));
        }
      }
    }
  });

  /** The characters of an encoded text that hold nothing but the secret. */
  function middle(encoded: string, before: string, inner: string): string {
    const start = Buffer.byteLength(before);
    const end = start + Buffer.byteLength(inner);
    return encoded.slice(Math.ceil((8 * start) / 6), Math.floor((8 * end) / 6)).slice(0, 4);
  }
});

test('neither escapes nor broken ones before a secret hide it', () => {
  for (const before of [
    '\\',
    '%',
    '%4',
    '&',
    '&#',
    '&#x',
    '\\u',
    '\\u00',
    '\\\\',
    '%5C',
    '%25',
    '&amp;',
    '&#92;',
    '%C5',
  ]) {
    for (const secret of ['news-1234', '41-secret', 'amp;secret', '/secret', 'u0041-secret', 'bC-sécret']) {
      const spelling = secret.replace('-', '%2D').replace('secret', 's%65cr&#101;t');
      expect(redact(secret, `x ${before}${spelling} y`), `${before}${spelling}`).toMatch(/^x .{0,5}\[redacted\] y$/);
    }
  }
});

test('base64 keeps what stands around the secret', () => {
  const header = Buffer.from('user-name:c4n4ry-secret!').toString('base64');
  expect(redact('c4n4ry-secret', `Basic ${header}`)).toMatch(/^Basic dXNlci1uYW1l.?\[redacted\].?$/);
});

describe('random secrets in random mixtures of spellings are removed', () => {
  const alphabets = ['abcdef0123456789', 'ABCxyz_-.~+/=', 'a\\%&;#u"\'<> +n/b41amp', 'żółć🔑é\u0000\n \\%25'] as const;

  test.each([0, 1, 2, 3])('alphabet %i', (index) => {
    const { roll, pick } = dice(20_261_122 + index);
    const letters = Array.from(alphabets[index] ?? '');
    const word = (length: number) => Array.from({ length }, () => letters[roll(letters.length)] ?? 'x').join('');
    const spellings = [
      (text: string) => text,
      encodeURIComponent,
      bytes,
      (text: string) => bytes(text).toUpperCase(),
      units,
      json,
      (text: string) => text.replace('/', '\\/'),
      (text: string) => decimals(text, '0'.repeat(roll(12))),
      (text: string) => hexadecimals(text, '0'.repeat(roll(12))),
      named,
    ] as const;
    const wholeSpellings = [encodeURIComponent, bytes, units, json, decimals, hexadecimals, named] as const;
    /** Each character in a spelling of its own, in spellings of the spelling and so on. */
    const spell = (character: string, depth: number): string =>
      depth === 0 ? character : spell(pick(...spellings)(character), depth - 1);

    const missed: string[] = [];
    for (let round = 0; round < 3_000; round += 1) {
      const isEscapeLike = index >= 2;
      const secret = `q${word(4 + roll(12))}z`;
      const depth = roll(5);
      // A secret with escapes in it has no reading of its own in a mixture of depths: one depth for all of it.
      const spelling = isEscapeLike
        ? Array.from({ length: depth }).reduce<string>(
            (text) => pick<(part: string) => string>(...wholeSpellings)(text),
            secret,
          )
        : Array.from(secret, (character) => spell(character, roll(depth + 1))).join('');
      const around = word(3).replaceAll(/[%&\\]/g, '');
      const said = redact(secret, `${around} <${spelling}> ${around}`);
      if (said !== `${around} <[redacted]> ${around}`) missed.push(`${JSON.stringify(secret)} in ${spelling}`);
    }
    expect(missed.slice(0, 5)).toEqual([]);
  });
});
