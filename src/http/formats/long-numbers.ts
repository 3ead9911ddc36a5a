import { randomBytes } from 'node:crypto';

// JSON numbers whose whole part is beyond 2^53. `JSON.parse` rounds them, so they are read as texts of their digits, and
// written from such texts.

/** No whole number of fewer digits is beyond 2^53. */
const LONG = 16;

const [QUOTE, BACKSLASH, MINUS, COLON, COMMA, OPEN_LIST, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x3a, 0x2c, 0x5b, 0x30, 0x39];

/**
 * Whether a JSON text may hold a number with 16 digits or more before its fraction. True for each text that does, and for
 * few others. Reads one byte of 16, because a run of 16 digits cannot lie between two of them.
 */
export function mayHoldLongNumber(json: Uint8Array): boolean {
  for (let at = LONG - 1; at < json.length; at += LONG) {
    if (!isDigit(json[at])) continue;
    let start = at;
    while (isDigit(json[start - 1])) start -= 1;
    let end = at + 1;
    while (isDigit(json[end])) end += 1;
    if (end - start >= LONG && mayStartNumber(json, start)) return true;
    at = end; // the next run begins behind it
  }
  return false;
}

/** Whether digits from here on may be a number: they follow white space, `[`, `,` or `:`, not a point or a quote. */
function mayStartNumber(json: Uint8Array, at: number): boolean {
  const before = json[json[at - 1] === MINUS ? at - 2 : at - 1];
  return before === undefined || before <= 0x20 || before === COLON || before === COMMA || before === OPEN_LIST;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}

/**
 * Parses a JSON text. A number whose whole part is beyond 2^53 becomes a text as it was written: `9007199254740993` is
 * `"9007199254740993"`.
 *
 * @throws SyntaxError for text that is no JSON
 */
export function parseLongNumbers(json: string): unknown {
  const root: unknown = JSON.parse(quoteLongNumbers(json));
  const holder = { root };
  removeMarks(holder);
  return holder.root;
}

/** The keys of texts that were numbers, by the object or list that holds them. */
const longNumbers = new WeakMap<object, Set<string>>();

/** Whether the text under the key was a number in the JSON. */
export function wasLongNumber(holder: object, key: string): boolean {
  return longNumbers.get(holder)?.has(key) === true;
}

/** Begins the texts that were numbers until they are noted in `longNumbers`. Random, so that no upstream can send it. */
const MARK = `${randomBytes(9).toString('base64url')}:`;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Quotes and marks the long numbers of a JSON text. The time is linear in its length. */
function quoteLongNumbers(json: string): string {
  let quoted = '';
  let copied = 0;
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(json, at);
    } else if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at;
      const [number = ''] = NUMBER.exec(json) ?? [];
      const end = at + Math.max(1, number.length);
      if (isLong(number) && !isKey(json, end)) {
        quoted += `${json.slice(copied, at)}"${MARK}${number}"`;
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return quoted + json.slice(copied);
}

/** The position after the closing quote of the text that begins here. */
export function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = end;
    while (json.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end + 1;
  }
  return json.length;
}

function isLong(number: string): boolean {
  return number.length >= LONG && !Number.isSafeInteger(Number.parseInt(number, 10));
}

/** Whether a colon follows. JSON has no number as a key, and quotes must not make it one. */
function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === COLON;
}

/** Removes the marks within an object, and notes the keys under which they were. Without recursion: nesting has no limit. */
function removeMarks(root: object): void {
  const pending = [root];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'object' && value !== null) pending.push(value);
      if (typeof value !== 'string' || !value.startsWith(MARK)) continue;
      Reflect.set(holder, key, value.slice(MARK.length));
      const keys = longNumbers.get(holder) ?? new Set();
      longNumbers.set(holder, keys.add(key));
    }
  }
}

/** A number of a JSON text that is written with all of its digits. `JSON.stringify` would round a number of JavaScript. */
export class LongNumber {
  readonly #digits: string;

  /** @param digits a JSON number, such as `9007199254740993` */
  constructor(digits: string) {
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }

  toJSON(): string {
    return `${MARK}${this.#digits}`;
  }
}

/** Writes a value as `JSON.stringify` does, and a `LongNumber` as a number with all of its digits. */
export function stringifyLongNumbers(value: unknown): string {
  const [start = '', ...marked] = JSON.stringify(value).split(`"${MARK}`);
  const rest = marked.map((part) => part.replace('"', '')); // the quote that ends the digits
  return `${start}${rest.join('')}`;
}
