import { describe, expect, test } from 'vitest';
import { BadResponseError, ValidationError } from '../../../src/errors.ts';
import { json } from '../../../src/formats/json.ts';
import { longSteps, stoppedClock } from '../../support/clock.ts';

const body = (content: string | Uint8Array, more: { contentType?: string; contentEncoding?: string } = {}) => ({
  body: [Buffer.from(content)],
  contentType: 'application/json',
  contentEncoding: '',
  ...more,
});

const parse = async (content: string | Uint8Array, more?: Parameters<typeof body>[1]) =>
  json.parse(body(content, more), 'CRM_URL');

test('a request is written as JSON', () => {
  expect(json.encode({ a: [1, null] })).toBe('{"a":[1,null]}');
});

test('a request that is nested too deeply is a refused input', () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(() => json.encode(deep)).toThrow(ValidationError);
});

describe('a response is refused', () => {
  test.each([
    ['that is broken', '{"a":', {}, /^Expected JSON, got something that is broken or cut off\.$/],
    ['in other bytes than UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, /UTF-8/],
    ['that is compressed', '1', { contentEncoding: 'gzip' }, /without compression/],
    ['that is of HTML', '1', { contentType: 'text/html; charset=utf-8' }, /page in HTML or XML.*CRM_URL/],
    ['that is of XHTML', '1', { contentType: 'Application/HTML' }, /page in HTML or XML/],
    ['that holds a byte order mark later on', '1\ufeff2', {}, /broken or cut off/],
  ] as const)('%s', async (_name, content, more, message) => {
    await expect(parse(content, more)).rejects.toThrow(BadResponseError);
    await expect(parse(content, more)).rejects.toThrow(message);
  });
});

test.each(['', 'identity'])('a response of the encoding %j is read', async (contentEncoding) => {
  await expect(parse('[1]', { contentEncoding, contentType: 'text/plain' })).resolves.toEqual([1]);
});

describe('a refusal says', () => {
  test('what its JSON says', () => {
    expect(json.parseRefusal(body('{"message":"a"}'), 'CRM_URL')).toEqual({ message: 'a' });
  });

  test('what its text says, where it is no JSON', () => {
    expect(json.parseRefusal(body(' Nie można\n', { contentType: 'text/plain' }), 'CRM_URL')).toBe('Nie można');
  });

  test.each([
    ['broken JSON', body('{')],
    ['a list that is cut off', body('["a", "b')],
    ['a JSON text that is cut off', body('"a')],
    ['other bytes than UTF-8', body(Buffer.from([0x61, 0xff]))],
    ['blanks', body(' \n')],
    ['a web page', body('<html>')],
    ['compressed JSON', body('1', { contentEncoding: 'gzip' })],
    ['an empty body', body('')],
  ])('nothing as %s', (_name, refused) => {
    expect(json.parseRefusal(refused, 'CRM_URL')).toBeUndefined();
  });
});

test('a list that takes long is parsed in pieces, between which others have their turn', async () => {
  const long = 'x'.repeat(1024 ** 2);
  const parsed = (content: unknown) => json.parse(body(JSON.stringify(content)), 'CRM_URL');
  stoppedClock();
  expect(parsed([long, long])).toEqual([long, long]);
  const turns = longSteps();
  expect(await parsed([long, long])).toEqual([long, long]);
  expect(turns()).toBeGreaterThan(0);
  expect(parsed(['short'])).toEqual(['short']);
});
