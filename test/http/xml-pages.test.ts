import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/http/errors.ts';
import { xml } from '../../src/http/formats/xml.ts';
import { leastCpuMs } from '../support/cpu.ts';

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

test.each(['<!---->', '<??>', '<!--', '<?', '<!-- ', '--><!--', ' <!----> <??>', '<!---', '?><?', ' '])(
  'a hostile beginning costs little: many %j',
  async (part) => {
    const text = part.repeat(100_000);
    expect(await leastCpuMs(100, async () => accept(text))).toBeLessThan(100);
  },
);
