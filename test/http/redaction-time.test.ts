import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/calls/transport/redaction.ts';
import { ESCAPES, HOSTILE_SECRETS } from '../../bench/bounds/hostile-texts.ts';
import { charactersRead } from '../support/passes.ts';

test('a secret of 100,000 characters', () => {
  const long = `"${'x'.repeat(100_000)}/`;
  const { text } = createRedactor([long, 'other']);
  expect(text(`a ${long}`)).toBeUndefined();
  expect(text(JSON.stringify(long))).toBeUndefined();
  expect(text(`a ${'x'.repeat(50)}`)).toBe(`a ${'x'.repeat(50)}`);
});

describe('a text that is eight times as long is read as often, whatever the secret is', () => {
  test.each(HOSTILE_SECRETS)('%s', (_name, secret) => {
    const { text: shown } = createRedactor([secret, 'other', 'demo']);
    for (const part of [...ESCAPES, ESCAPES.join('')]) {
      const read = (count: number) => charactersRead(() => shown(`${part.repeat(count)}!`));
      expect(read(800), JSON.stringify(part)).toBeLessThanOrEqual(8 * read(100) + 1_000);
    }
  });
});
