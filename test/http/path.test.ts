import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../src/http/errors.ts';
import { path } from '../../src/http/transport/path.ts';

describe('a path is sent encoded, and named by its template', () => {
  test.each([
    ['42', '/app/deals/42.json'],
    ['a/b', '/app/deals/a%2Fb.json'],
    ['%2f', '/app/deals/%252f.json'],
    ['x?y', '/app/deals/x%3Fy.json'],
    ['x#y', '/app/deals/x%23y.json'],
    ['x;y', '/app/deals/x%3By.json'],
    ['a\\b', '/app/deals/a%5Cb.json'],
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
  expect(path`/flex/dbs/${{ db_id: 'a/b' }}/records/${{ id: 'c' }}.json`).toEqual({
    path: '/flex/dbs/a%2Fb/records/c.json',
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
