import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/http/transport/redaction.ts';
import { leastCpuMs } from '../support/cpu.ts';
import { dice } from '../support/dice.ts';

test('a megabyte of a secret', () => {
  const long = `"${'x'.repeat(1_000_000)}/`;
  const { text } = createRedactor([long, 'other']);
  expect(text(`a ${long}`)).toBeUndefined();
  expect(text(JSON.stringify(long))).toBeUndefined();
  expect(text(`a ${'x'.repeat(50)}`)).toBe(`a ${'x'.repeat(50)}`);
});

test('a text whose escapes can be read in many ways', async () => {
  const { roll } = dice(29);
  const parts = [
    '%25',
    '\\\\',
    '\\"',
    '&amp',
    '&amp;',
    '&#37',
    '%26',
    '%5c',
    'u0025',
    'dXNlcjpz',
    '\\u005c',
    '&bsol;',
    'JTI1',
    ' ',
  ];
  const { text } = createRedactor(['0a1b2c3d4e5f', 'a-longer-secret', 'demo']);
  const long = Array.from({ length: 16_000 }, () => parts[roll(parts.length)])
    .join('')
    .slice(0, 64 * 1024);
  expect(await leastCpuMs(500, async () => text(long))).toBeLessThan(500); // 100 once it is compiled
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
    const { text: shown } = createRedactor([secret, 'other']);
    const cost = async (text: string, limit: number) => leastCpuMs(limit, async () => shown(text));
    expect(await cost(`${filled('\\/%25')}!`, 250)).toBeLessThan(250); // 100 once it is compiled
    for (const part of texts) expect(await cost(`${filled(part)}!`, 750), JSON.stringify(part)).toBeLessThan(750);
  });
});
