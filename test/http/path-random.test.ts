import { expect, test } from 'vitest';
import { readings } from '../../scripts/fuzz/endpoints.ts';
import { ValidationError } from '../../src/errors.ts';
import { path } from '../../src/calls/transport/path.ts';
import { dice } from '../support/dice.ts';

test('whatever the parameter is, the path fits its template after no, one and two decodings, and gives the parameter back', () => {
  const chance = dice(20_260_301);
  let taken = 0;
  for (let round = 0; round < 600; round += 1) {
    const id = text(chance);
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
    for (const [times, reading] of readings(sent).entries()) {
      expect(reading, `${sent} decoded ${times} times`).toMatch(/^\/app\/deals\/[^/]+\/notes\.json$/);
    }
  }
  expect(taken).toBeGreaterThan(200); // else the property has hardly been tried
});

const PIECES = [
  ...['.', '..', '/', '\\', '%', '%2e', '%2E%2e', '%2f', '%5c', '?', '#', ';', ':', '@', '&', '=', '+', ' ', '~', '*'],
  ...['42', 'select', '.json', ...'\'"<`|aż😀\u202e\ufeff\ufffd\0\n', '\ud800'],
];

function text({ roll }: ReturnType<typeof dice>): string {
  return Array.from({ length: 1 + roll(5) }, () => PIECES[roll(PIECES.length)]).join('');
}
