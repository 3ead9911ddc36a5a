import { describe, expect, test } from 'vitest';
import { without } from '../../src/http/redaction.ts';

const SECRET = 'c4n&r/y+1 "ż\\%';

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
    ['as HTML twice', SECRET.replace('&', '&amp;amp;').replace('"', '&amp;quot;')],
  ])('%s', (_name, spelling) => {
    expect(without([SECRET])(`the token ${spelling}, sent as <${spelling}>`)).toBe(
      'the token [redacted], sent as <[redacted]>',
    );
  });
});

test('what only resembles it is kept', () => {
  const clean = without(['a.b/c', 'x+y']);
  for (const text of ['aXb/c', 'a.b/', 'A.B/C', 'xy', 'xxy', 'x y', 'a%2Eb']) expect(clean(text)).toBe(text);
});

test('a secret that is a part of another, or of what stands for it, spoils nothing', () => {
  expect(without(['token-1', 'token', 'e'])('token-1 token e')).toBe('[redacted] [redacted] [redacted]');
});

test('no secret, or an empty one, is found nowhere', () => {
  expect(without([])('text')).toBe('text');
  expect(without([''])('text')).toBe('text');
});

test('half of a surrogate pair', () => {
  expect(without(['a\ud800'])('the a\ud800, and again "a\\ud800"')).toBe('the [redacted], and again "[redacted]"');
});

test('a megabyte of a secret', () => {
  const long = `"${'x'.repeat(1_000_000)}/`;
  const clean = without([long, 'other']);
  expect(clean(`${long} and ${JSON.stringify(long)} and other`)).toBe('[redacted] and "[redacted]" and [redacted]');
});
