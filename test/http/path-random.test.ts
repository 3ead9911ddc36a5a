import { expect, test } from 'vitest';
import { ValidationError } from '../../src/http/errors.ts';
import { path } from '../../src/http/transport/path.ts';

test('whatever the parameter is, the path fits its template after no, one and two decodings, and gives the parameter back', () => {
  const random = numbers(20_260_301);
  let taken = 0;
  for (let round = 0; round < 600; round += 1) {
    const id = text(random);
    let sent: string;
    try {
      sent = path`/app/deals/${id}/notes.json`.path;
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError);
      continue;
    }
    taken += 1;
    // as a strict server reads it, and as a URL is resolved
    expect(sent.split('/')).toHaveLength(5);
    expect(sent).toMatch(/^[!-~]+$/);
    expect(sent).not.toMatch(/[?#\\\s]/);
    expect(new URL(sent, 'http://upstream.test').pathname).toBe(sent);
    expect(decodeURIComponent(sent.split('/')[3] ?? '')).toBe(id);
    for (let decoded = sent, times = 0; times <= 2; decoded = percentDecoded(decoded), times += 1) {
      expect(resolved(decoded), `${sent} decoded ${times} times`).toMatch(/^\/app\/deals\/[^/]+\/notes\.json$/);
    }
  }
  expect(taken).toBeGreaterThan(200); // else the property has hardly been tried
});

/** Decodes every percent-encoded byte, also where the result is no UTF-8. */
function percentDecoded(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString();
}

/** A path as a server may read it: without query, fragment and parameters, backslashes as slashes, dot segments resolved. */
function resolved(path: string): string {
  const segments: string[] = [];
  for (const segment of (path.split(/[?#]/)[0] ?? '').replaceAll('\\', '/').split('/')) {
    const name = segment.split(';')[0] ?? '';
    if (name === '..') segments.pop();
    else if (name !== '.') segments.push(name);
  }
  return segments.join('/');
}

const PIECES = [
  ...['.', '..', '/', '\\', '%', '%2e', '%2E%2e', '%2f', '%5c', '?', '#', ';', ':', '@', '&', '=', '+', ' ', '~', '*'],
  ...[
    "'",
    '"',
    '<',
    '`',
    '|',
    '42',
    'a',
    'select',
    '.json',
    'ż',
    '😀',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\0',
    '\n',
    '\ud800',
  ],
];

function text(random: () => number): string {
  const length = 1 + Math.floor(random() * 5);
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
}

/** The same numbers from 0 to 1 in each run (Lehmer). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
