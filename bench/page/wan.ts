import type { WanRow } from '../results.ts';
import { table, unique, whole } from './markdown.ts';

/** For each link a table: a row for each journey, a column for each target. */
export function wanTables(rows: readonly WanRow[]): string {
  const titleOf = ({ rttMs, mbit }: WanRow) => `${rttMs} ms and ${mbit.toLocaleString('en')} Mbit/s`;
  return unique(rows.map(titleOf))
    .map((title) => `### ${title}\n\n${linkTable(rows.filter((row) => titleOf(row) === title))}`)
    .join('\n\n');
}

function linkTable(rows: readonly WanRow[]): string {
  const targets = unique(rows.map(({ target }) => target));
  const cell = (journey: string, target: string) => {
    const row = rows.find((row) => row.journey === journey && row.target === target);
    return row ? `${whole(row.ms)} ms, ${whole(row.bytes / 1000)} kB, ${whole(row.calls)}` : '-';
  };
  return table(
    ['journey', ...targets],
    unique(rows.map(({ journey }) => journey)).map((journey) => [
      journey,
      ...targets.map((name) => cell(journey, name)),
    ]),
  );
}
