import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/http/transport/redaction.ts';
import { leastCpuMs } from '../support/cpu.ts';

test('a megabyte of a secret', () => {
  const long = `"${'x'.repeat(1_000_000)}/`;
  const { text: clean } = createRedactor([long, 'other']);
  expect(clean(`${long} and ${JSON.stringify(long)} and other`)).toBe('[redacted] and "[redacted]" and [redacted]');
});

describe('a quarter of a megabyte takes little time, whatever the secret is', () => {
  const BYTES = 2 ** 18;
  const filled = (part: string) => part.repeat(Math.ceil(BYTES / part.length));
  const texts = [
    '\\',
    '/',
    '%',
    '\\/',
    '%25',
    '%5C',
    '\\\\/%25',
    '&',
    '&amp;',
    '&#92;',
    '%C5%BC',
    '%C5',
    '\\u005c',
    'a',
  ];
  const secrets = [
    ['backslashes', '\\\\\\\\\\z'],
    ['backslashes only', '\\\\\\'],
    ['one backslash', '\\'],
    ['one letter', 'a'],
    ['many backslashes', `${'\\'.repeat(5_000)}z${'\\'.repeat(5_000)}`],
    ['many percent signs', `${'%25'.repeat(3_000)}z${'%'.repeat(5_000)}`],
    ['much of one letter', `${'a'.repeat(5_000)}z${'a'.repeat(5_000)}`],
    ['slashes and percent signs', '/%/%/%25%25z'],
  ] as const;

  test.each(secrets)('%s', async (_name, secret) => {
    const { text: clean } = createRedactor([secret, 'other']);
    const cost = async (text: string, limit: number) => leastCpuMs(limit, async () => clean(text));
    expect(await cost(`${filled('\\/%25')}!`, 250)).toBeLessThan(250); // 18 once it is compiled
    for (const part of texts) expect(await cost(`${filled(part)}!`, 750), JSON.stringify(part)).toBeLessThan(750);
  });
});
