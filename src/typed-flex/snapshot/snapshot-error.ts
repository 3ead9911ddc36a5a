/** The problems that one error tells, at most. */
const MAX_PROBLEMS = 20;

/** A snapshot that cannot be used. Its message has one line for each problem, which names the entry and what to write. */
export class SnapshotError extends Error {
  constructor(problems: readonly string[]) {
    const rest = problems.length - MAX_PROBLEMS;
    super([...problems.slice(0, MAX_PROBLEMS), ...(rest > 0 ? [`… and ${rest} more.`] : [])].join('\n'));
  }
}

/** Keys are shown up to this length, in UTF-16 code units. */
const MAX_KEY = 60;

/** Characters that steer a terminal, change the direction of a line, or show nothing, beside those that JSON escapes. */
const UNSEEN = /[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Writes the place of an entry in the snapshot, such as `names.tracker.tables["my table"]`. */
export function entryPath(keys: readonly PropertyKey[]): string {
  const parts = keys.map((key) => {
    const text = String(key);
    if (typeof key === 'number') return `[${text}]`;
    return /^[\w-]{1,60}$/.test(text) ? `.${text}` : `[${quoted(text)}]`;
  });
  return parts.join('').replace(/^\./, '');
}

/** A text from the snapshot in a message: on one line, cut off where it is long. */
export function quoted(text: string): string {
  const cut = text.length > MAX_KEY ? `${text.slice(0, MAX_KEY).toWellFormed()}…` : text;
  return JSON.stringify(cut).replaceAll(UNSEEN, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
