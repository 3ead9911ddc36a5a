import type { Steps } from '../../http/slices.ts';

/** A piece has about so many characters. V8 keeps the text of one, and its bytes, apart from its young generation. */
const PIECE_CHARACTERS = 128 * 1024;

/** Lists and objects of leaves with fewer characters are written by `JSON.stringify`, which is faster. */
const SMALL_CHARACTERS = 4 * 1024;

/** A list or an object that is being written. */
interface Open {
  readonly keys: readonly string[] | undefined;
  readonly values: readonly unknown[];
  next: number;
}

/**
 * Writes a value as JSON in UTF-8, as `JSON.stringify` would, in pieces, and may be interrupted after each. The whole text never is in
 * memory as one.
 *
 * @param count is called with the size of each piece in bytes, and throws to end the work
 */
export function* jsonPieces(value: unknown, count: (bytes: number) => void): Steps<Buffer[]> {
  const pieces: Buffer[] = [];
  const open: Open[] = [];
  let text = '';
  const flush = () => {
    const piece = Buffer.from(text);
    count(piece.length);
    pieces.push(piece);
    text = '';
  };
  const write = (written: unknown) => {
    const opened = isLarge(written) ? opening(written) : undefined;
    if (opened) open.push(opened);
    text += opened ? (opened.keys ? '{' : '[') : (JSON.stringify(written) ?? 'null');
  };

  write(value);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { keys, values, next } = last;
    if (next === values.length) {
      text += keys ? '}' : ']';
      open.pop();
    } else {
      last.next += 1;
      if (next > 0) text += ',';
      if (keys) text += `${JSON.stringify(keys[next])}:`;
      write(values[next]);
    }
    if (text.length < PIECE_CHARACTERS) continue;
    flush();
    yield;
  }
  flush();
  return pieces;
}

/**
 * Counts the characters of a value's JSON without those of names, punctuation and escapes, and may be interrupted. Ends early
 * beyond `max`.
 */
export function* jsonCharacters(value: unknown, max: number): Steps<number> {
  const pending = [value];
  let characters = 0;
  for (let visited = 0; pending.length > 0 && characters <= max; visited += 1) {
    const next = pending.pop();
    if (typeof next === 'string') characters += next.length;
    else if (typeof next !== 'object' || next === null) characters += 1;
    else for (const child of Array.isArray(next) ? next : Object.values(next)) pending.push(child);
    if (visited % 1_000 === 999) yield;
  }
  return characters;
}

/** Whether a value is a list or an object, and has more in it than a few leaves. */
function isLarge(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  let characters = 0;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof child === 'object' && child !== null) return true;
    characters += typeof child === 'string' ? child.length : 4;
    if (characters > SMALL_CHARACTERS) return true;
  }
  return false;
}

function opening(value: object): Open {
  if (Array.isArray(value)) return { keys: undefined, values: value, next: 0 };
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return { keys: entries.map(([key]) => key), values: entries.map(([, child]) => child), next: 0 };
}
