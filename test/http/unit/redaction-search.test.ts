import { expect, test } from 'vitest';
import { createRedactor } from '../../../src/http/transport/redaction.ts';

/** All texts of so many letters, each an a or a b. */
function textsOf(length: number): string[] {
  return length === 0 ? [''] : textsOf(length - 1).flatMap((text) => [`${text}a`, `${text}b`]);
}

test('a secret that begins like itself is found wherever a plain search finds it', () => {
  const missed: string[] = [];
  for (const secret of [1, 2, 3, 4, 5].flatMap(textsOf)) {
    const { text: redact } = createRedactor([secret]);
    for (const text of textsOf(8)) {
      const expected = text.replaceAll(secret, '#').replaceAll(/#+/g, '[redacted]');
      if (redact(text) !== expected) missed.push(`${secret} in ${text}`);
    }
  }
  expect(missed).toEqual([]);
  expect(createRedactor(['aab']).text('aaab aaabaab')).toBe('a[redacted] a[redacted]');
});

test('a secret is found in four encodings, and in no more', () => {
  const encoded = (times: number): string => (times === 0 ? 'a/b' : encodeURIComponent(encoded(times - 1)));
  const { text: redact } = createRedactor(['a/b']);
  expect([1, 4, 5].map((times) => redact(encoded(times)))).toEqual(['[redacted]', '[redacted]', encoded(5)]);
});

test('a secret is found as base64 without either sign of its end', () => {
  expect(Buffer.from('???>').toString('base64')).toBe('Pz8/Pg==');
  expect(createRedactor(['???>']).text('x Pz8/Pg y')).toBe('x [redacted] y');
});

test('an empty secret is no part of the path of a field', () => {
  expect(createRedactor(['', 'x']).fieldPath('a..b')).toBe('a..b');
});
