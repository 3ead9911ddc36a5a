import { containing, RecordTexts } from '../../src/graph/lists/folding.ts';
import { type Bound, cpuBound } from './bound.ts';

const matches = containing('lodz');
const nearly = containing(`${'a'.repeat(100)}b${'a'.repeat(99)}`);
const accented = () => Array.from({ length: 100_000 }, (_none, index) => `Zażółć gęślą jaźń ${index}`);

export const lists: readonly Bound[] = [
  cpuBound('100,000 texts with accents are searched', 1_000, accented, (texts) =>
    texts.filter((text) => matches(text, new RecordTexts())),
  ),
  cpuBound(
    'words of 200 letters are looked for in a megabyte that nearly matches everywhere',
    100,
    () => 'a'.repeat(1_000_000),
    (text) => nearly(text, new RecordTexts()),
  ),
];
