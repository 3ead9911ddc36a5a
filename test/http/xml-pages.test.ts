import { describe, expect, test, vi } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { xml } from '../../src/formats/xml.ts';
import { HOSTILE_PROLOGUES } from '../../bench/bounds/hostile-texts.ts';

// An answer that nobody reads: only a web page is refused, for then the API was never reached.

const accept = (text: string) =>
  xml.assertNotWebPage({ body: [Buffer.from(text)], contentType: 'text/html', contentEncoding: '' }, 'FORUM_URL');

describe('a web page is recognised', () => {
  test.each([
    '<html>',
    '<HTML lang="en">',
    '<!DOCTYPE html>',
    ' \n<!doctype\n HTML PUBLIC "">',
    '<!-- a --><html>',
    '<!---->\n<!-- > -- -><b> --><?xml version="1.0"?><!doctype html>',
    '<?a ?b > ?><?c?>\t<html/>',
    `${'<!---->'.repeat(27)}<html>`,
    `${'<??>'.repeat(45)}<!doctype html>`,
    '\uFEFF<html>',
  ])('%j', (text) => {
    expect(() => accept(text)).toThrow(BadResponseError);
    expect(() => accept(text)).toThrow(/web page.*FORUM_URL/);
  });
});

test.each([
  '',
  ' ',
  'ok',
  '<',
  '<post/>',
  '<hash/>',
  'x<html>',
  '<!-- <html> -->',
  '<!--> <html>',
  '<!--',
  '<?',
  '<? <html>',
  '<!doctypehtml>',
  `${'<!---->'.repeat(30)}<html>`,
])('anything else is accepted: %j', (text) => expect(accept(text)).toBeUndefined());

test.each(HOSTILE_PROLOGUES)('of a hostile beginning 200 bytes are read: many %j', (part) => {
  const decoding = vi.spyOn(TextDecoder.prototype, 'decode');
  expect(accept(part.repeat(10_000))).toBeUndefined();
  expect(decoding.mock.calls).toEqual([[expect.objectContaining({ byteLength: 200 })]]);
  decoding.mockRestore();
});
