import { describe, expect, test } from 'vitest';
import { json } from '../../src/formats/json.ts';

const answer = (...parts: string[]) => ({
  body: parts.map((part) => Buffer.from(part)),
  contentType: 'application/json',
  contentEncoding: '',
});

const parse = async (...parts: string[]) => json.parse(answer(...parts), 'CRM_URL');

describe('an answer is the same in however many parts it comes', () => {
  test.each([
    ['a record', ['{"a', '":', '', '1}'], { a: 1 }],
    ['a list', ['', ' ', '[1,', '2]'], [1, 2]],
    ['a text', ['"o', 'k"'], 'ok'],
    ['a byte order mark', ['\ufeff', '[1]'], [1]],
  ])('%s', async (_name, parts, value) => {
    expect(await parse(...parts)).toEqual(value);
  });

  test('a letter that two parts share', async () => {
    const bytes = Buffer.from('["ż"]');
    const body = [bytes.subarray(0, 3), bytes.subarray(3)];
    expect(await json.parse({ ...answer(), body }, 'CRM_URL')).toEqual(['ż']);
  });

  test.each([[['<html>']], [['\n', '  ', '<html>']], [['', '\r\n<?xml?>']]])('a web page: %j', async (parts) => {
    expect(() => json.assertNotWebPage(answer(...parts), 'CRM_URL')).toThrow(/HTML or XML.*CRM_URL/);
    await expect(parse(...parts)).rejects.toThrow(/HTML or XML.*CRM_URL/);
  });

  test.each([[[]], [['']], [[' ', '\n']]])('nothing: %j', async (parts) => {
    await expect(parse(...parts)).rejects.toThrow(/empty body/);
    expect(() => json.assertNotWebPage(answer(...parts), 'CRM_URL')).not.toThrow();
  });
});
