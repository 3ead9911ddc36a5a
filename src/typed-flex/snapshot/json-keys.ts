import { endOfText } from '../../http/formats/long-numbers.ts';

/**
 * Finds keys of a JSON text that cannot be told from others: `JSON.parse` keeps the last of two equal ones, and `__proto__`
 * is no key of a plain object everywhere.
 *
 * @param json a text that `JSON.parse` takes
 * @returns the keys, each once
 */
export function ambiguousKeys(json: string): readonly string[] {
  const found = new Set<string>();
  /** The keys of each object around the position; undefined for a list. */
  const around: (Set<string> | undefined)[] = [];
  let text = '""';
  for (let at = 0; at < json.length;) {
    const mark = json.charAt(at);
    const end = mark === '"' ? endOfText(json, at) : at + 1;
    if (mark === '"') text = json.slice(at, end);
    else if (mark === '{') around.push(new Set());
    else if (mark === '[') around.push(undefined);
    else if (mark === '}' || mark === ']') around.pop();
    else if (mark === ':') noteKey(JSON.parse(text), around.at(-1), found);
    at = end;
  }
  return [...found];
}

function noteKey(key: unknown, known: Set<string> | undefined, found: Set<string>): void {
  if (typeof key !== 'string') return;
  if (key === '__proto__' || known?.has(key)) found.add(key);
  known?.add(key);
}
