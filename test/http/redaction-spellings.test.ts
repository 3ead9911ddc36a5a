import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/calls/transport/redaction.ts';
import { refusalError } from '../../src/calls/transport/refusal.ts';
import { dice } from '../support/dice.ts';
import { API } from '../support/fake-upstream.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

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
const xml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');

/** The ways of each encoding to write a character; an encoder may use several in one text. */
const ENCODINGS: readonly (readonly ((character: string) => string)[])[] = [
  [encodeURIComponent, form, bytes, (text) => bytes(text).toUpperCase()],
  [json, units, (text) => json(text).replaceAll('/', '\\/')],
  [xml, decimals, hexadecimals, (text) => decimals(text, '0000'), (text) => hexadecimals(text, '00').toUpperCase()],
];

describe.each(['0a1b2c3d4e5f', 'sk_live/51.d2+e8=', 'pass wörd 🔑 + more', 'news%41\\n&amp;t'])(
  'a secret inside a longer base64 text: %s',
  (secret) => {
    test.each([
      ...['', 'a', 'user:', 'ab', 'abc', 'Authorization: Bearer '].map((before) => [before, '']),
      ...['', 'a', 'ab', '{"token":"'].flatMap((before) => [
        [before, '"}'],
        [before, '\r\n'],
        [before, ' and more'],
      ]),
    ])('after %j, before %j', (before, after) => {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${secret}${after}`).toString(alphabet);
        for (const spelling of [encoded, encoded.replace(/=+$/, ''), encodeURIComponent(encoded)]) {
          expect(refused(`a ${spelling} z`, secret), spelling).toBe(GENERAL);
        }
      }
    });
  },
);

test.each([
  ['as it is', (token: string) => token],
  ['in JSON', JSON.stringify],
  ['in XML', xml],
  ['in a form', form],
])('a token with quotes and percent signs, twice in a message: %s', async (_name, spell) => {
  const token = 'cnryBRR/9f+x"y&<z>%7e';
  const message = `${spell(token)}; ${spell(token)} is wrong`;
  const upstream = await stubUpstream(says(JSON.stringify({ message, errors: { name: [message] } }), { status: 422 }));
  const { execute } = await gatewayOver(upstream.url, {}, token);
  const { errors } = await execute('{ apiTokens { name } }');
  const general = 'The account API refused the input.';
  expect(errors).toMatchObject([
    { message: general, extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'name', messages: [general] }] } },
  ]);
});

test.each([
  ['letters of a token', 'abcdefABCXYZ0123456789'],
  ['signs of a token', 'ABCxyz019_-.~+/='],
  ['signs of escapes', 'a\\%&;#u"\'<> +n/b41amp%7e'],
  ['letters beyond ASCII', 'żółć🔑é\u0000\n \\%25'],
])('a random secret in a random spelling: %s', (_name, alphabet) => {
  const { roll, pick } = dice(20_261_124 + alphabet.length);
  const letters = Array.from(alphabet);
  const word = (length: number) => Array.from({ length }, () => letters[roll(letters.length)] ?? 'x').join('');

  /** The secret as one encoder writes it: as it is, in base64 after other text, or each character in a way of its own. */
  const spelled = (secret: string): string => {
    const ways = ENCODINGS[roll(5)];
    if (ways) return Array.from(secret, (character) => (ways[roll(ways.length)] ?? json)(character)).join('');
    const before = 'x'.repeat(roll(4));
    return pick(secret, Buffer.from(`${before}${secret}`).toString(pick('base64', 'base64url')));
  };

  const missed: string[] = [];
  for (let round = 0; round < 2_000; round += 1) {
    const secret = `q${word(8 + roll(16))}z`;
    const spelling = spelled(secret);
    const message = `${pick('', 'no: ', '"', 'x=', '<a>', '100 %, ')}${spelling}${pick('', ' is', '"', '.')}`;
    if (refused(message, secret) !== GENERAL) missed.push(`${JSON.stringify(secret)} in ${spelling}`);
  }
  expect(missed).toEqual([]);
});

const GENERAL = 'The CRM API refused the input.';

/** The message of the error that a caller gets when upstream refuses an input. */
function refused(message: string, secret: string): string {
  const redactor = createRedactor(['another-secret', secret]);
  const call = { api: 'CRM', endpoint: 'POST /app/deals.json' };
  const refusal = { api: API, call, credential: 'X-CRM-Token', sent: undefined, redactor };
  return refusalError({ status: 422, retryAfter: '', date: '' }, { message }, refusal).message;
}
