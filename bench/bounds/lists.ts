import { containing } from '../../src/lists/folding.ts';
import { type Bound, cpuBound } from './bound.ts';

const matches = containing('lodz');
const accented = () => Array.from({ length: 100_000 }, (_none, index) => `Zażółć gęślą jaźń ${index}`);

export const lists: readonly Bound[] = [
  cpuBound('100,000 texts with accents are searched', 1_000, accented, (texts) =>
    texts.filter((text) => matches(text)),
  ),
  cpuBound(
    'words of 10,000 letters are looked for in a megabyte that nearly matches everywhere',
    100,
    () => 'a'.repeat(1_000_000),
    containing(`${'a'.repeat(5_000)}b${'a'.repeat(5_000)}`),
  ),
];
