import { type Profile, readResults, RESULTS, saveResults } from '../results.ts';

/** Saves profiles in the place of those with the same label and workload. */
export function saveProfiles(profiles: readonly Profile[]): void {
  const key = ({ label, workload }: Profile) => `${label} ${workload}`;
  const replaced = new Set(profiles.map(key));
  const others = readResults('profile', RESULTS.profile)?.rows.filter((profile) => !replaced.has(key(profile))) ?? [];
  saveResults('profile', { rows: [...others, ...profiles] });
}
