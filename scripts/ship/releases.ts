/** One release of a changelog. */
export interface Release {
  readonly version: string;
  /** `2026-11-23` */
  readonly date: string;
}

/**
 * The releases of a changelog, newest first: its headings `## 1.2.3 (2026-11-23)`. `## Unreleased` is none.
 *
 * @throws Error for a heading that is neither, and for releases that are not in order
 */
export function releasesOf(changelog: string): Release[] {
  const headings = [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
  const titles = headings.filter((heading, at) => heading !== 'Unreleased' || at > 0);
  const releases = titles.map((heading) => {
    const [, version, date] = /^(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/.exec(heading) ?? [];
    if (version === undefined || date === undefined) throw new Error(`"## ${heading}" is no release.`);
    return { version, date };
  });
  for (const [at, { version }] of releases.entries()) {
    const older = releases[at + 1];
    if (older && compare(version, older.version) <= 0) throw new Error(`${version} is above ${older.version}.`);
  }
  return releases;
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** The parts of package.json that a publication needs. */
interface Manifest {
  readonly version: string;
  readonly repository?: unknown;
}

/** The reasons why a version must not be published; none when it may. */
export function obstacles({ version, repository }: Manifest, changelog: string): string[] {
  const [newest] = releasesOf(changelog);
  return [
    ...(newest?.version === version ? [] : [`CHANGELOG.md has no release ${version} at its top.`]),
    ...(/^## Unreleased\s+(?!## )\S/m.test(changelog) ? ['CHANGELOG.md has changes that are not released.'] : []),
    ...(repository === undefined ? ['package.json names no repository: provenance needs it.'] : []),
  ];
}
