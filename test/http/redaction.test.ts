import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/http/transport/redaction.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

const redact = (secrets: readonly string[], text: string) => createRedactor(secrets).text(text);

const SECRET = 'c4n&r/y+1 "ż\\%';

const everyByte = (text: string) => Array.from(Buffer.from(text), (byte) => `%${byte.toString(16)}`).join('');
const everyUnit = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
const everyCharacter = (text: string) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');

describe('a secret is taken out in every spelling that upstream may give it', () => {
  test.each([
    ['as it is', SECRET],
    ['as a part of a path', encodeURIComponent(SECRET)],
    ['as a part of a path, in small letters', encodeURIComponent(SECRET).toLowerCase()],
    ['as a parameter', new URLSearchParams([['', SECRET]]).toString().slice(1)],
    ['as a parameter of a parameter', encodeURIComponent(encodeURIComponent(SECRET))],
    ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['as JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replace('/', '\\/')],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1)],
    ['as ASCII JSON', JSON.stringify(SECRET).slice(1, -1).replace('ż', '\\u017c').replace('&', '\\u0026')],
    ['as HTML', SECRET.replace('&', '&amp;').replace('"', '&quot;')],
    ['as HTML by numbers', SECRET.replace('/', '&#47;').replace('"', '&#x22;').replace('ż', '&#X17C;')],
    ['as percent-encoded bytes', everyByte(SECRET)],
    ['as percent-encoded bytes, twice', everyByte(everyByte(SECRET))],
    ['as percent-encoded bytes, in capital letters', everyByte(SECRET).toUpperCase()],
    [
      'as a parameter of a form in JSON',
      JSON.stringify(new URLSearchParams([['', SECRET]]).toString().slice(1)).slice(1, -1),
    ],
    ['as units of JSON', everyUnit(SECRET)],
    ['as numbers of HTML', everyCharacter(SECRET)],
    ['as JSON in HTML', JSON.stringify(SECRET).slice(1, -1).replace('&', '&amp;').replaceAll('"', '&quot;')],
    ['as base64', Buffer.from(SECRET).toString('base64')],
    ['as base64 without its end', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['as base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['as HTML twice', SECRET.replace('&', '&amp;amp;').replace('"', '&amp;quot;')],
  ])('%s', (_name, spelling) => {
    expect(redact([SECRET], `the token ${spelling}, sent as <${spelling}>`)).toBe(
      'the token [redacted], sent as <[redacted]>',
    );
  });
});

test('what only resembles it is kept', () => {
  const { text: clean } = createRedactor(['a.b/c', 'x+y']);
  for (const text of ['aXb/c', 'a.b/', 'A.B/C', 'xy', 'xxy', 'x y', 'a%2Eb']) expect(clean(text)).toBe(text);
});

test('a secret that is a part of another, or of what stands for it, spoils nothing', () => {
  expect(redact(['token-1', 'token', 'e'], 'token-1 token e')).toBe('[redacted] [redacted] [redacted]');
});

test('no secret, or an empty one, is found nowhere', () => {
  expect(redact([], 'text')).toBe('text');
  expect(redact([''], 'text')).toBe('text');
});

test('half of a surrogate pair', () => {
  expect(redact(['a\ud800'], 'the a\ud800, and again "a\\ud800"')).toBe('the [redacted], and again "[redacted]"');
});

test.each(["a '%25' b", 'a&amp;b', 'a\\u0041b', 'a%2541b', 'a\\\\nb', '🔑&#65;'])(
  'a secret that looks like an escape itself: %j',
  (secret) => {
    const { text } = createRedactor([secret]);
    const json = JSON.stringify(secret).slice(1, -1);
    const html = secret.replaceAll('&', '&amp;').replaceAll("'", '&apos;');
    for (const spelling of [secret, json, html, encodeURIComponent(secret), everyByte(secret), everyCharacter(html)]) {
      expect(text(`x ${spelling} y`)).toBe('x [redacted] y');
    }
  },
);

test('what only looks like an escape is kept', () => {
  const kept = '100% of %zz, %C3, %C3%28, %F8%88, \\x, \\u12, \\u12g4, &nbsp;, &#x110000;, &#9999999999999999;, & %';
  expect(redact(['secret'], `${kept} s%65cret ${kept}`)).toBe(`${kept} [redacted] ${kept}`);
});

test('what stands beside a secret does not hide it', () => {
  for (const text of [
    '\\secret',
    '%secret',
    '%2secret',
    '&secret;',
    '%5Csecret',
    '&amp;secret',
    'secret%',
    'secret\\',
  ]) {
    expect(redact(['secret'], text)).toBe(text.replace('secret', '[redacted]'));
  }
  expect(redact(['41-secret'], 'x=%41-secret')).toBe('x=%[redacted]');
});

describe('the path of a field', () => {
  const path = (secrets: readonly string[], field: string) => createRedactor(secrets).fieldPath(field);

  test.each([
    ['title', 'title'],
    ['t', '[redacted]'],
    ['client.t', 'client.[redacted]'],
    ['t.post_code.t', '[redacted].post_code.[redacted]'],
    ['post-type.źdźbło', 'post-type.źdźbło'],
  ])('a short secret is struck out only as a name: %s', (field, expected) => {
    expect(path(['t'], field)).toBe(expected);
  });

  test('a secret of 8 characters or more is struck out wherever it stands', () => {
    expect(path(['canary-1'], 'client.x_canary-1_y')).toBe('client.x_[redacted]_y');
    expect(path(['canary.1'], 'canary.1.name')).toBe('[redacted].name');
    expect(path(['canary1'], 'client.x_canary1_y')).toBe('client.x_canary1_y');
    expect(path(['redacted', 'a'], 'a.redacted')).toBe('[redacted].[redacted]');
  });

  test('a name of a field of the schema stays, in the spelling of upstream too', () => {
    const names = ['title', 'postCode', 'name'];
    const { fieldPath, text } = createRedactor(['title', 'post_code', 'other.name'], (name) => names.includes(name));
    expect(fieldPath('title')).toBe('title');
    expect(fieldPath('client.post_code')).toBe('client.post_code');
    expect(fieldPath('x.other.name.title')).toBe('x.[redacted].title');
    expect(text('title is odd')).toBe('[redacted] is odd');
  });

  test('is a free text where it is no name', () => {
    expect(path(['t'], 'the title')).toBe('[redacted]he [redacted]i[redacted]le');
    expect(path(['a/b'], 'x%2Fa%2Fb')).toBe('x%2F[redacted]');
  });
});

test('a caller whose token is the name of a field learns which field is wrong', async () => {
  const upstream = await stubUpstream(says('{"first_name":["is odd, first_name"]}', { status: 422 }));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' });
  const mutation = `mutation { createContact(input: { name: "a" }) {
    ... on ValidationError { fields { field messages } }
  } }`;
  const { data } = await execute(mutation, { token: 'first_name' });
  const fields = [{ field: 'firstName', messages: ['is odd, [redacted]'] }];
  expect(data).toEqual({ createContact: { fields } });
});
