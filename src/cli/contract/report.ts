import { MAX_UNKNOWN_KEYS } from './compare.ts';
import type { ReadReport } from './reads.ts';

/** The report for people: a line for each read, then one for each difference. */
export function contractText(reports: readonly ReadReport[], version: string): string {
  const count = (result: ReadReport['result']) => reports.filter((report) => report.result === result).length;
  const counts = (['same', 'differs', 'failed', 'skipped'] as const).map((result) => `${count(result)} ${result}`);
  return [
    `trivium ${version}: the answers of ${reports.length} documented reads, compared with their known shapes.`,
    'It holds types and counts: no value, no id and no unknown key of an answer.',
    '',
    ...reports.flatMap(linesOf),
    '',
    `${counts.join(', ')}.`,
    '',
  ].join('\n');
}

function linesOf({ api, endpoint, result, reason, comparison }: ReadReport): string[] {
  const notes = [
    ...(reason === undefined ? [] : [reason]),
    ...(comparison?.isEmpty === true ? ['no row to compare'] : []),
    ...(comparison && comparison.unknownKeys > 0 ? [unknownKeys(comparison.unknownKeys)] : []),
    ...(comparison && comparison.absentKeys.length > 0 ? [absentKeys(comparison.absentKeys)] : []),
  ];
  const head = `${result.padEnd(7)}  ${api.padEnd(7)}  ${endpoint}${notes.length > 0 ? `: ${notes.join('; ')}` : ''}`;
  const differences = comparison?.differences ?? [];
  return [
    head,
    ...differences.map(({ key, expected, got }) => {
      return `         ${key === '' ? 'the answer' : key}: expected ${expected}, got ${got.join(', ')}`;
    }),
  ];
}

function unknownKeys(count: number): string {
  return `keys that no document names: ${count}${count === MAX_UNKNOWN_KEYS ? ' or more' : ''}`;
}

/** More keys than this are counted: the JSON names all. */
const MAX_NAMED_KEYS = 5;

function absentKeys(keys: readonly string[]): string {
  return `known keys in no row: ${keys.length > MAX_NAMED_KEYS ? keys.length : keys.join(', ')}`;
}

/** The report for programs. */
export function contractJson(reports: readonly ReadReport[], version: string): string {
  return `${JSON.stringify({ trivium: version, reads: reports }, undefined, 2)}\n`;
}

/** Whether an answer was compared, none differs, and no call failed. */
export function isAsKnown(reports: readonly ReadReport[]): boolean {
  const results = new Set(reports.map(({ result }) => result));
  return results.has('same') && !results.has('differs') && !results.has('failed');
}
