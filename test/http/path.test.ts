import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../src/errors.ts';
import { path } from '../../src/calls/transport/path.ts';

describe('a path is sent encoded, and named by its template', () => {
  test.each([
    ['42', '/app/deals/42.json'],
    ['x;y', '/app/deals/x%3By.json'],
    ['x&y=z', '/app/deals/x%26y%3Dz.json'],
    ['100% x', '/app/deals/100%25%20x.json'],
    ['a b', '/app/deals/a%20b.json'],
    ['...', '/app/deals/....json'],
    ['ż😀', '/app/deals/%C5%BC%F0%9F%98%80.json'],
    ['%', '/app/deals/%25.json'],
    ['\u202e', '/app/deals/%E2%80%AE.json'],
  ])('%j', (id, sent) => {
    expect(path`/app/deals/${id}.json`).toEqual({ path: sent, template: '/app/deals/:id.json' });
  });
});

test('a parameter may have a name of its own, and a path several of them', () => {
  expect(path`/flex/dbs/${{ db_id: 'a b' }}/records/${{ id: 'c' }}.json`).toEqual({
    path: '/flex/dbs/a%20b/records/c.json',
    template: '/flex/dbs/:db_id/records/:id.json',
  });
});

test('a path without parameters stays as it is written', () => {
  expect(path`/app/deals.json?all=yes`).toEqual({
    path: '/app/deals.json?all=yes',
    template: '/app/deals.json?all=yes',
  });
});

describe('what could lead to another endpoint is refused', () => {
  test.each([
    ['an empty segment', ''],
    ['this folder', '.'],
    ['the folder above', '..'],
    ['this folder with a parameter', '.;a=b'],
    ['the folder above with a parameter', '..;'],
    ['no name but a parameter', ';a=b'],
    ['a slash', 'a/b'],
    ['a way to another endpoint', '../../account/api_tokens'],
    ['a backslash', 'a\\b'],
    ['a query', 'a?b'],
    ['a fragment', 'a#b'],
    ['an encoded slash', 'a%2fb'],
    ['a slash that is encoded twice', 'a%252Fb'],
    ['the folder above, encoded', '%2e%2E'],
    ['a slash in more bytes than it needs', '%c0%af'],
    ['an encoded NUL', 'a%00'],
    ['NUL', 'a\0b'],
    ['a line end', 'a\nb'],
    ['a carriage return', 'a\r'],
    ['a tab', '\t'],
    ['DEL', '\x7f'],
    ['a C1 control character', 'a\x85b'],
    ['half a surrogate pair', 'a\ud800'],
    ['the other half', '\udc00a'],
    ['10,000 characters', 'x'.repeat(10_000)],
  ])('%s', (_name, id) => {
    expect(() => path`/flex/dbs/${{ db_id: id }}.json`).toThrow(ValidationError);
    expect(() => path`/flex/dbs/${{ db_id: id }}.json`).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', fields: { db_id: ['cannot be an id'] } }),
    );
  });

  test('in any place, and in any of several parameters', () => {
    expect(() => path`/${'..'}/x`).toThrow(ValidationError);
    expect(() => path`/x/${'..'}`).toThrow(ValidationError);
    expect(() => path`/${'ok'}/${'..'}.json`).toThrow(ValidationError);
  });

  test('in a message of bounded length, without raw control characters', () => {
    const message = (id: string) => {
      try {
        return path`/${id}`.path;
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    expect(message('x'.repeat(10_000)).length).toBeLessThan(100);
    expect(message('a\r\n\u001b[31m')).toBe('"a\\r\\n\\u001b[31m" cannot be an id.');
  });
});
