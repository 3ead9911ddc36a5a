import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../src/errors.ts';
import { idSegment, path, withQuery } from '../../../src/calls/transport/path.ts';

const DEALS = path`/app/deals.json`;

/** The error that is thrown. */
function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('a query', () => {
  test('is added to the path, and not to its template', () => {
    expect(withQuery(DEALS, { a: '1', b: 'x y&z' })).toEqual({
      path: '/app/deals.json?a=1&b=x+y%26z',
      template: '/app/deals.json',
    });
  });

  test('continues one that the path has already', () => {
    expect(withQuery(path`/app/deals.json?all=yes`, { a: '1' }).path).toBe('/app/deals.json?all=yes&a=1');
  });

  test('leaves out what is undefined, and sends what is empty', () => {
    expect(withQuery(DEALS, { a: undefined, b: '' }).path).toBe('/app/deals.json?b=');
  });

  test.each([{}, { a: undefined }])('of nothing leaves the path as it is: %j', (query) => {
    expect(withQuery(DEALS, query)).toEqual(DEALS);
  });

  test.each([
    ['in a value', { a: '\ud800' }, 'a'],
    ['in a name', { 'a\ud800': 'b' }, 'a\ufffd'],
    ['behind another parameter', { a: 'b', c: 'd\udc00' }, 'c'],
  ])('refuses half of a surrogate pair %s', (_name, query, parameter) => {
    const error = thrownBy(() => withQuery(DEALS, query));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      message: `${parameter} holds half of a surrogate pair.`,
      fields: { [parameter]: ['is no text'] },
    });
  });
});

describe('an id of an API that does not say what ids look like', () => {
  test.each(['42', 'a-b_C', '-', 'x'.repeat(64)])('may be %j', (id) => {
    expect(idSegment(id)).toBe(id);
  });

  test.each(['', 'a/b', '/a', 'a/', 'a.b', '%41', 'ż', '42\n', 'x'.repeat(65)])('may not be %j', (id) => {
    const error = thrownBy(() => idSegment(id));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ fields: { id: ['is no id'] } });
  });
});

describe('a refused id is shown', () => {
  test('up to 40 characters as it is', () => {
    const id = `${'x'.repeat(39)}/`;
    expect(() => idSegment(id)).toThrow(`"${id}" is no id here: expected one such as 42.`);
  });

  test('and cut off beyond them', () => {
    expect(() => idSegment(`${'x'.repeat(40)}/`)).toThrow(`"${'x'.repeat(40)}…" is no id here`);
  });
});

test('a parameter of 500 characters is the longest', () => {
  expect(path`/${'x'.repeat(500)}`.path).toHaveLength(501);
  expect(() => path`/${'x'.repeat(501)}`).toThrow(ValidationError);
});

test('a path may begin with a parameter', () => {
  expect(path`${'a'}${'b'}`).toEqual({ path: 'ab', template: ':id:id' });
});
