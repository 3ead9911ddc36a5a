import type { Steps } from '../../formats/slices.ts';

/** The length of a piece, about, in characters. V8 keeps the text of one, and its bytes, apart from its young generation. */
const PIECE_CHARACTERS = 128 * 1024;

/** The characters of a longer text that are written at once: escaped, they are six times as many. */
const PART_CHARACTERS = 32 * 1024;

/** What JSON escapes, and more. A text without it is written straight to bytes: its copies would be the garbage of a large response. */
const MAY_BE_ESCAPED = /["\\\p{Cc}\p{Surrogate}]/u;

/** Lists and objects of leaves with fewer characters are written by `JSON.stringify`, which is faster. */
const SMALL_CHARACTERS = 4 * 1024;

/** A list, an object or a long text that is being written. */
interface Open {
  /** What ends it. */
  readonly end: string;
  /** Writes what comes next. @returns whether there was anything left */
  readonly step: () => boolean;
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
  let sincePause = 0;
  const add = (plain: string) => {
    const piece = Buffer.from(plain);
    count(piece.length);
    sincePause += piece.length;
    pieces.push(piece);
  };
  const flush = () => {
    add(text);
    text = '';
  };
  const write = (written: unknown) => {
    if (typeof written === 'string' && written.length > PART_CHARACTERS) openText(written);
    else if (!isLarge(written)) text += JSON.stringify(written) ?? 'null';
    else if (Array.isArray(written)) openList(written);
    else openObject(written);
  };
  const openText = (written: string) => {
    let from = 0;
    text += '"';
    const step = () => {
      if (from === written.length) return false;
      const to = endOfPart(written, from);
      const part = written.slice(from, to);
      from = to;
      if (MAY_BE_ESCAPED.test(part)) text += JSON.stringify(part).slice(1, -1);
      else {
        flush();
        add(part);
      }
      return true;
    };
    open.push({ end: '"', step });
  };
  const openList = (written: readonly unknown[]) => {
    let next = 0;
    text += '[';
    const step = () => {
      if (next === written.length) return false;
      if (next > 0) text += ',';
      next += 1;
      write(written[next - 1]);
      return true;
    };
    open.push({ end: ']', step });
  };
  const openObject = (written: object) => {
    const keys = Object.keys(written); // their values are not collected: an object may have millions
    let next = 0;
    let separator = '';
    text += '{';
    const step = () => {
      const key = keys[next];
      if (key === undefined) return false;
      next += 1;
      const child: unknown = Reflect.get(written, key);
      if (child === undefined) return true;
      text += `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      write(child);
      return true;
    };
    open.push({ end: '}', step });
  };

  write(value);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (!last.step()) {
      text += last.end;
      open.pop();
    }
    if (text.length >= PIECE_CHARACTERS) flush();
    if (sincePause < PIECE_CHARACTERS) continue;
    sincePause = 0;
    yield;
  }
  flush();
  return pieces;
}

/** The end of a part of a text. It does not divide the two halves of a character, which would be escaped. */
function endOfPart(text: string, from: number): number {
  const to = from + PART_CHARACTERS;
  if (to >= text.length) return text.length;
  return (text.codePointAt(to - 1) ?? 0) > 0xffff ? to + 1 : to;
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
    else for (const child of Array.isArray(next) ? next : childrenOf(next)) pending.push(child);
    if (visited % 1_000 === 999) yield;
  }
  return characters;
}

/** @yields the values of an object, of which the first may suffice */
function* childrenOf(value: object): Generator<unknown, void> {
  for (const key in value) yield Reflect.get(value, key);
}

/** Whether a value is a list or an object, and has more in it than a few leaves. */
function isLarge(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  let characters = 0;
  for (const child of Array.isArray(value) ? value : childrenOf(value)) {
    if (typeof child === 'object' && child !== null) return true;
    characters += typeof child === 'string' ? child.length : 4;
    if (characters > SMALL_CHARACTERS) return true;
  }
  return false;
}
