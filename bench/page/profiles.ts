import type { Profile } from '../results.ts';
import { number, table, unique } from './markdown.ts';

/** Layers that take less than this share in every profile are summed up in one row. */
const SMALL = 0.01;

/** For each workload a table: CPU milliseconds per operation of each layer, a column for each label. */
export function profileTables(profiles: readonly Profile[]): string {
  return unique(profiles.map(({ workload }) => workload))
    .toSorted()
    .map((workload) => {
      const ofWorkload = profiles.filter((profile) => profile.workload === workload);
      return `### Profile of ${workload}\n\n${profileTable(ofWorkload)}`;
    })
    .join('\n\n');
}

function profileTable(profiles: readonly Profile[]): string {
  const shares = profiles.map(({ layers }) => new Map(layers.map(({ layer, share }) => [layer, share])));
  const most = (layer: string) => Math.max(...shares.map((share) => share.get(layer) ?? 0));
  const layers = unique(profiles.flatMap(({ layers }) => layers.map(({ layer }) => layer))).toSorted(
    (one, other) => most(other) - most(one),
  );
  const large = layers.filter((layer) => most(layer) >= SMALL);
  const cells = (cpuMs: number, share: number) => [number(cpuMs * share), `${(share * 100).toFixed(1)} %`];
  const row = (name: string, included: readonly string[]) => [
    name,
    ...profiles.flatMap(({ cpuMs }, index) =>
      cells(
        cpuMs,
        included.reduce((sum, layer) => sum + (shares[index]?.get(layer) ?? 0), 0),
      ),
    ),
  ];
  const small = layers.filter((layer) => most(layer) < SMALL);
  return table(
    ['layer', ...profiles.flatMap(({ label, commit }) => [`${label} (${commit}): ms/op`, 'share'])],
    [...large.map((layer) => row(layer, [layer])), row('others', small), row('all', layers)],
  );
}
