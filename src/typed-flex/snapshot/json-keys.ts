import { endOfText } from '../../formats/long-numbers.ts';

/**
 * Finds keys of a JSON text that cannot be told from others: `JSON.parse` keeps the last of two equal ones, and `__proto__`
 * is no key of a plain object everywhere.
 *
 * @param json a text that `JSON.parse` takes
 * @param value what that has made of it
 * @returns the keys, each once
 */
export function ambiguousKeys(json: string, value: unknown): readonly string[] {
  if (isAsWritten(json, value)) return []; // as each file that a pull has written: a tenth of the time
  const found = new Set<string>();
  /** The keys of each object around the position; undefined for a list. */
  const around: (Set<string> | undefined)[] = [];
  /** Where the last text begins and ends, with its quotes. */
  let begin = 0;
  let end = 0;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at];
    if (mark === '"') {
      begin = at;
      end = endOfText(json, at);
      at = end - 1;
    } else if (mark === '{') around.push(new Set());
    else if (mark === '[') around.push(undefined);
    else if (mark === '}' || mark === ']') around.pop();
    else if (mark === ':') noteKey(keyOf(json.slice(begin, end)), around.at(-1), found);
  }
  return [...found];
}

/** Whether `JSON.stringify` writes the same text again, which has no key twice, and no `__proto__`. */
function isAsWritten(json: string, value: unknown): boolean {
  if (json.includes('"__proto__"')) return false;
  try {
    return json === `${JSON.stringify(value, null, 2)}\n`;
  } catch {
    return false; // nested too deeply to be written
  }
}

/** The key that a text with quotes stands for. */
function keyOf(text: string): string {
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
}

function noteKey(key: string, known: Set<string> | undefined, found: Set<string>): void {
  if (key === '__proto__' || known?.has(key)) found.add(key);
  known?.add(key);
}
