/** The problems that one error tells, at most. */
const MAX_PROBLEMS = 20;

/** A snapshot that cannot be used. Its message has one line for each problem, which names the entry and what to write. */
export class SnapshotError extends Error {
  constructor(problems: readonly string[]) {
    const rest = problems.length - MAX_PROBLEMS;
    super([...problems.slice(0, MAX_PROBLEMS), ...(rest > 0 ? [`… and ${rest} more.`] : [])].join('\n'));
  }
}
