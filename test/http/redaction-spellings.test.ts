import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/http/transport/redaction.ts';
import { refusalError } from '../../src/http/transport/refusal.ts';
import { dice } from '../support/dice.ts';
import { API } from '../support/fake-upstream.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

const isHidden = (secret: string, text: string) => createRedactor([secret]).text(text) === undefined;
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

describe.each(SECRETS)('a secret is found in each spelling: %s', (secret) => {
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
    expect(isHidden(secret, `a <${spelling}>`)).toBe(true);
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
          expect(isHidden(secret, `a ${spelling} z`), spelling).toBe(true);
        }
      }
    }
  });
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
      expect(isHidden(secret, `x ${before}${spelling} y`), `${before}${spelling}`).toBe(true);
    }
  }
});

describe('base64 of other spellings, and other spellings of base64', () => {
  const SECRET = 'c4n4ry/secret+1';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  test.each([
    ['base64 of each byte in percent-encoding', base64(bytes(SECRET))],
    ['base64 of a parameter with each byte in percent-encoding', base64(`x=${bytes(SECRET)}`)],
    ['base64 of units of JSON', base64(units(SECRET))],
    ['base64 of decimal numbers of HTML', base64(decimals(SECRET))],
    ['base64url of names of HTML', Buffer.from(`a=${named(SECRET)}`).toString('base64url')],
    ['base64 with each byte in percent-encoding', bytes(base64(SECRET))],
    ['base64 in names of HTML', named(base64(SECRET))],
    ['base64 of base64', base64(base64(SECRET))],
    ['hexadecimal of units of JSON', Buffer.from(units(SECRET)).toString('hex')],
    ['hexadecimal of base64, in JSON', json(Buffer.from(base64(SECRET)).toString('hex'))],
    ['a form of hexadecimal of a form', form(Buffer.from(form(SECRET)).toString('hex'))],
  ])('%s', (_name, spelling) => {
    for (const before of ['', 'x', 'xy', 'xyz', 'token ', '"']) {
      expect(isHidden(SECRET, `${before}${spelling}`), before).toBe(true);
    }
  });
});

test('an entity whose end is spelled in another way', () => {
  expect(isHidden('abcdefgh', '&#9\\u0037;bcdefgh')).toBe(true);
  expect(isHidden('abcdefgh', '&#97\\u003bbcdefgh')).toBe(true);
  expect(isHidden('abcdefgh', '&#9%37b&#9&#57;defgh')).toBe(true);
});

describe('a token with quotes and percent signs, twice in a message', () => {
  const TOKEN = 'cnryBRR/9f+x"y&<z>%7e';
  const xml = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

  test.each([
    ['as it is', TOKEN],
    ['in JSON', JSON.stringify(TOKEN)],
    ['in the named entities of XML', xml(TOKEN)],
    ['in JSON in XML', xml(JSON.stringify(TOKEN))],
    ['in a form in JSON', JSON.stringify(form(TOKEN))],
  ])('%s', async (_name, spelling) => {
    const message = `${spelling}; ${spelling} is wrong`;
    const upstream = await stubUpstream(
      says(JSON.stringify({ message, errors: { name: [message] } }), { status: 422 }),
    );
    const { execute } = await gatewayOver(upstream.url, {}, TOKEN);
    const { errors } = await execute('{ apiTokens { name } }');
    const general = 'The account API refused the input.';
    expect(errors).toMatchObject([
      { message: general, extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'name', messages: [general] }] } },
    ]);
  });
});

describe('random secrets in random spellings', () => {
  /** Spellings of any text: all of it can be read back. */
  const whole = [encodeURIComponent, bytes, units, json, decimals, hexadecimals, named] as const;
  /** Spellings of one character beside others, in capital letters, with zeros, with escapes that it does not need. */
  const single = [
    ...whole,
    (text: string) => text,
    (text: string) => bytes(text).toUpperCase(),
    (text: string) => text.replace('/', '\\/'),
    (text: string) => decimals(text, '0000'),
    (text: string) => hexadecimals(text, '00').toUpperCase(),
  ] as const;
  const binary = (['base64', 'base64url', 'hex'] as const).map(
    (encoding) => (text: string) => Buffer.from(text).toString(encoding),
  );
  type Spell = (text: string) => string;

  test.each([
    ['letters of a token', 'abcdefABCXYZ0123456789'],
    ['signs of a token', 'ABCxyz019_-.~+/='],
    ['signs of escapes', 'a\\%&;#u"\'<> +n/b41amp%7e'],
    ['letters beyond ASCII', 'żółć🔑é\u0000\n \\%25'],
  ])('%s', (_name, alphabet) => {
    const { roll, pick } = dice(20_261_124 + alphabet.length);
    const letters = Array.from(alphabet);
    const hasEscapes = /[\\%&]/.test(alphabet);
    const word = (length: number) => Array.from({ length }, () => letters[roll(letters.length)] ?? 'x').join('');
    const times = (count: number, spell: () => Spell, text: string) =>
      Array.from({ length: count }).reduce<string>((spelled) => spell()(spelled), text);
    const one = (text: string) => times(roll(4), () => pick<Spell>(...single), text);

    /** A spelling that is three spellings deep at most. */
    const spelled = (secret: string): string => {
      const before = 'x'.repeat(roll(4));
      switch (roll(hasEscapes ? 2 : 4)) {
        case 0:
          return times(roll(4), () => pick<Spell>(...whole), secret);
        case 1: {
          const inner = times(roll(3), () => pick<Spell>(...whole), `${before}${secret}`);
          return (binary[roll(binary.length)] ?? json)(inner);
        }
        case 2: // each character in spellings of its own
          return Array.from(secret, one).join('');
        default: // also each character of a spelling: `&#9\u0037;`
          return times(
            3,
            () => (text) => Array.from(text, (sign) => (roll(3) === 0 ? pick<Spell>(...single)(sign) : sign)).join(''),
            secret,
          );
      }
    };

    const missed: string[] = [];
    for (let round = 0; round < 2_000; round += 1) {
      const secret = `q${word(8 + roll(16))}z`;
      const spelling = spelled(secret);
      const said = refused(
        `${pick('', 'no: ', '"', 'x=', '<a>', '100 %, ')}${spelling}${pick('', ' is', '"', '.')}`,
        secret,
      );
      if (said !== 'The CRM API refused the input.') missed.push(`${JSON.stringify(secret)} in ${spelling}`);
    }
    expect(missed).toEqual([]);
  });

  /** What a caller reads of a refused input. */
  function refused(message: string, secret: string): string {
    const redactor = createRedactor(['another-secret', secret]);
    const call = { api: 'CRM', endpoint: 'POST /app/deals.json' };
    const refusal = { api: API, call, credential: 'X-CRM-Token', sent: undefined, redactor };
    return refusalError({ status: 422, retryAfter: '', date: '' }, { message }, refusal).message;
  }
});
