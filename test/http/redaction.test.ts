import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/calls/transport/redaction.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

/** Whether a text is not shown because of secrets. */
const isHidden = (secrets: readonly string[], text: string) => createRedactor(secrets).text(text) === undefined;

const SECRET = 'c4n&r/y+1 "ż\\%';

const everyByte = (text: string) => Array.from(Buffer.from(text), (byte) => `%${byte.toString(16)}`).join('');
const everyUnit = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
const everyCharacter = (text: string) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');

describe('a text that holds a secret is hidden', () => {
  test.each([
    ['as it is', SECRET],
    ['as a part of a path', encodeURIComponent(SECRET)],
    ['as a part of a path, in small letters', encodeURIComponent(SECRET).toLowerCase()],
    ['as a parameter', new URLSearchParams([['', SECRET]]).toString().slice(1)],
    ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['as JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replace('/', '\\/')],
    ['as ASCII JSON', JSON.stringify(SECRET).slice(1, -1).replace('ż', '\\u017c').replace('&', '\\u0026')],
    ['as XML', SECRET.replace('&', '&amp;').replace('"', '&quot;')],
    ['as XML by numbers', SECRET.replace('/', '&#47;').replace('"', '&#x22;').replace('ż', '&#X17C;')],
    ['as percent-encoded bytes', everyByte(SECRET)],
    ['as percent-encoded bytes, in capital letters', everyByte(SECRET).toUpperCase()],
    ['as units of JSON', everyUnit(SECRET)],
    ['as numbers of XML', everyCharacter(SECRET)],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64 without its end', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['as base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['in capitals', SECRET.toUpperCase()],
    ['as a part of a path, in capitals', encodeURIComponent(SECRET).toUpperCase()],
    ['as XML in capitals', SECRET.replace('&', '&amp;').replace('"', '&quot;').toUpperCase()],
    ['as base64 in small letters', Buffer.from(SECRET).toString('base64').toLowerCase()],
    ['as base64 inside another, in small letters', Buffer.from(`user:${SECRET}`).toString('base64').toLowerCase()],
  ])('%s', (_name, spelling) => {
    expect(isHidden([SECRET], `the token ${spelling}, sent as <${spelling}>`)).toBe(true);
    expect(isHidden([SECRET], `the token <${spelling}>`)).toBe(true);
  });
});

test('a text that only resembles a secret is shown', () => {
  const { text: shown } = createRedactor(['canary.a/c', 'canary+x=y']);
  for (const text of ['canaryXa/c', 'canary.a/', 'cavy.a/c', 'canary x', 'canary%2Ea', 'Y2FuYXJ5', '63616e617279']) {
    expect(shown(text), text).toBe(text);
  }
});

test.each([
  ['in percent-encoding', encodeURIComponent(encodeURIComponent(SECRET))],
  ['in JSON', JSON.stringify(JSON.stringify(SECRET))],
  ['in XML within JSON', JSON.stringify(SECRET.replace('&', '&amp;'))],
])('a secret that is encoded twice is not found: %s', (_name, spelling) => {
  expect(isHidden([SECRET], spelling)).toBe(false);
});

test('no secret, or an empty one, is found nowhere', () => {
  expect(isHidden([], 'text')).toBe(false);
  expect(isHidden([''], 'text')).toBe(false);
});

test('half of a surrogate pair', () => {
  expect(isHidden(['canary-a\ud800'], 'the canary-a\ud800')).toBe(true);
  expect(isHidden(['canary-a\ud800'], 'the "canary-a\\ud800"')).toBe(true);
});

describe('a secret of fewer than 8 characters', () => {
  test.each(['demo', 'Demo is odd', 'a(demo)', '"demo"', 'demo-admin', 'is_demo', 'd%65mo', '&#100;emo', 'd\\u0065mo'])(
    'is found as a whole word: %s',
    (text) => {
      expect(isHidden(['demo'], text)).toBe(true);
    },
  );

  test.each(['demos', 'a democracy', 'undemonstrative', 'demo1', 'żdemo', 'ZGVtbw=='])(
    'is found neither within a word nor in base64: %s',
    (text) => {
      expect(isHidden(['demo'], text)).toBe(false);
    },
  );

  test('may begin or end with a sign, which needs nothing beside it', () => {
    expect(isHidden(['/+x'], 'a/+x')).toBe(true);
    expect(isHidden(['x=?'], 'x=?b')).toBe(true);
  });
});

test('a secret of 8 characters is found within a word', () => {
  expect(isHidden(['canary12'], 'xcanary12x')).toBe(true);
  expect(isHidden(['canary1'], 'xcanary1x')).toBe(false);
});

test.each(["a '%25' bc", 'a&amp;bcd', 'a\\u0041bcd', 'a%2541bcd', 'a\\\\nbcde', '🔑&#65;bcd', '%41%42%43%44'])(
  'a secret that looks like an escape itself: %j',
  (secret) => {
    const json = JSON.stringify(secret).slice(1, -1);
    const html = secret.replaceAll('&', '&amp;').replaceAll("'", '&apos;');
    for (const spelling of [
      secret,
      json,
      html,
      encodeURIComponent(secret),
      everyByte(secret),
      everyCharacter(secret),
    ]) {
      expect(isHidden([secret], `x ${spelling} y`), spelling).toBe(true);
    }
  },
);

test('what only looks like an escape does not hide a text, nor a secret in it', () => {
  const odd =
    '100% of %zz, %C3, %C3%28, %F8%88, \\x, \\u12, \\u12g4, &nbsp;, &#x110000;, &#9999999999999999;, &what;, & % C:\\new';
  expect(isHidden(['a-secret'], odd)).toBe(false);
  expect(isHidden(['a-secret'], `${odd} a-s%65cret ${odd}`)).toBe(true);
});

describe('the path of a field', () => {
  const path = (secrets: readonly string[], field: string) => createRedactor(secrets).fieldPath(field);

  test.each([
    ['title', true],
    ['t', false],
    ['client.t', false],
    ['t.post_code.t', false],
    ['post-type.źdźbło', true],
    ['title of t', false],
  ])('a short secret is found as a whole word: %s', (field, isShown) => {
    expect(path(['t'], field)).toBe(isShown ? field : undefined);
  });

  test('a secret of 8 characters or more is found wherever it stands', () => {
    expect(path(['canary-1'], 'client.x_canary-1_y')).toBeUndefined();
    expect(path(['canary.1'], 'canary.1.name')).toBeUndefined();
    expect(path(['canary1'], 'client.xcanary1y')).toBe('client.xcanary1y');
    expect(path(['canary/b'], 'x%2Fcanary%2Fb')).toBeUndefined();
    expect(path(['', 'x'], 'a..b')).toBe('a..b');
  });

  test('of names of the schema stays, in the spelling of upstream too', () => {
    const names = ['title', 'postCode', 'name'];
    const { fieldPath, text } = createRedactor(['title', 'post_code', 'other.name'], (name) => names.includes(name));
    expect(fieldPath('title')).toBe('title');
    expect(fieldPath('client.post_code')).toBe('client.post_code');
    expect(fieldPath('x.title')).toBe('x.title');
    expect(fieldPath('x.other.name.title')).toBeUndefined();
    expect(createRedactor(['TITLE', 'title.name'], (name) => names.includes(name)).fieldPath('title.name')).toBe(
      'title.name',
    );
    expect(text('title is odd')).toBeUndefined();
  });
});

test('a caller whose token is the name of a field learns which field is wrong', async () => {
  const upstream = await stubUpstream(says('{"first_name":["is odd, first_name"]}', { status: 422 }));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' });
  const mutation = `mutation { createContact(input: { name: "a" }) {
    ... on ValidationError { fields { field messages } }
  } }`;
  const { data } = await execute(mutation, { token: 'first_name' });
  const fields = [{ field: 'firstName', messages: ['The crm API refused the input.'] }];
  expect(data).toEqual({ createContact: { fields } });
});
