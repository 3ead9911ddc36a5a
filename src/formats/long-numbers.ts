import { randomBytes } from 'node:crypto';
import { atOnce, type Steps } from './slices.ts';

// JSON numbers that `JSON.parse` rounds: those whose whole part is beyond 2^53, and those with more digits than a double holds.
// They are read as texts of their digits, and written from such texts.

/** No number of fewer digits is rounded. Zeros before the first other digit do not count. */
const LONG = 16;

const [QUOTE, BACKSLASH, MINUS, COLON, COMMA, OPEN_LIST, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x3a, 0x2c, 0x5b, 0x30, 0x39];
const POINT = 0x2e;

/** `e`, `E`, `+` and `-`. */
const EXPONENT_SIGNS: ReadonlySet<number | undefined> = new Set([0x65, 0x45, 0x2b, MINUS]);

/**
 * Whether a JSON text may hold a number that is rounded. True for each text that does, and for few others. Reads one byte of 16,
 * because a run of 16 digits and points cannot lie between two of them.
 */
export function mayHoldLongNumber(json: Buffer): boolean {
  for (let at = LONG - 1; at < json.length; at += LONG) {
    if (!isInRun(json[at])) continue;
    let start = at;
    while (isInRun(json[start - 1])) start -= 1;
    let end = at + 1;
    while (isInRun(json[end])) end += 1;
    if (end - start >= LONG && mayStartNumber(json, start) && hasLongDigits(json, start, end)) {
      // Most are numbers as a double is written, which JSON.parse reads many times as fast.
      if (isLong(json.toString('latin1', start, Math.min(endOfExponent(json, end), start + MAX_COMPARED + 1))))
        return true;
    }
    at = end; // the next run begins behind it
  }
  return false;
}

/** Whether a byte is a digit, a point or, for the sake of a single comparison, the slash between them. */
function isInRun(code: number | undefined): boolean {
  return code !== undefined && code >= POINT && code <= NINE;
}

/** Whether a run of digits, with a point perhaps, has 16 of them behind its leading zeros. */
function hasLongDigits(json: Buffer, start: number, end: number): boolean {
  let first = start;
  while (json[first] === ZERO || json[first] === POINT) first += 1;
  return end - first > LONG || (end - first === LONG && !json.subarray(first, end).includes(POINT));
}

function endOfExponent(json: Buffer, mantissaEnd: number): number {
  let end = mantissaEnd;
  while (isDigit(json[end]) || EXPONENT_SIGNS.has(json[end])) end += 1;
  return end;
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
 * Parses a JSON text. A number whose whole part is beyond 2^53, and one whose digits a double does not hold, becomes a text as it
 * was written: `9007199254740993` is `"9007199254740993"`, but `1.50` is 1.5.
 *
 * @throws SyntaxError for text that is no JSON
 */
export function parseLongNumbers(json: string): unknown {
  return atOnce(parsingLongNumbers(json));
}

/**
 * Parses a JSON text as `parseLongNumbers` does.
 *
 * @yields after each step
 */
export function* parsingLongNumbers(json: string): Steps<unknown> {
  const quoted = yield* quotingLongNumbers(json);
  yield;
  const root: unknown = JSON.parse(quoted);
  yield;
  const holder = { root };
  yield* removingMarks(holder);
  return holder.root;
}

/** The keys of texts that were numbers, by the object or list that holds them. */
const longNumbers = new WeakMap<object, Set<string | number>>();

/** Whether the text under the key was a number in the JSON. */
export function wasLongNumber(holder: object, key: string | number): boolean {
  return longNumbers.get(holder)?.has(Array.isArray(holder) ? Number(key) : key) === true;
}

/** Begins the texts that were numbers until they are noted in `longNumbers`. Random, so that no upstream can send it. */
const MARK = `${randomBytes(9).toString('base64url')}:`;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A number of more characters is a text, whatever its digits: to compare them would take time. */
const MAX_COMPARED = 1_000;

/** One step reads so many characters, or takes the marks from so many values. */
const STEP_CHARACTERS = 32 * 1024;
const STEP_VALUES = 2 * 1024;

// Quotes and marks the long numbers of a JSON text. The time is linear in its length.
function* quotingLongNumbers(json: string): Steps<string> {
  let quoted = '';
  let copied = 0;
  let stepEnd = STEP_CHARACTERS;
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(json, at);
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(json, at);
      if (isLong(json.slice(at, end)) && !isKey(json, end)) {
        quoted += `${json.slice(copied, at)}"${MARK}${json.slice(at, end)}"`;
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
    if (at < stepEnd) continue;
    stepEnd = at + STEP_CHARACTERS;
    yield;
  }
  return quoted + json.slice(copied);
}

/** The position after the number that begins here. After the character, if none does. */
function endOfNumber(json: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(json) ? NUMBER.lastIndex : start + 1;
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
  if (number.length < LONG || number.length > MAX_COMPARED) return number.length > MAX_COMPARED;
  return !Number.isSafeInteger(Number.parseInt(number, 10)) || isRounded(number);
}

/** Whether a number of JavaScript has other digits. It is so near that the same digits are the same number. */
function isRounded(number: string): boolean {
  const read = String(Number(number));
  return read !== number && significantDigits(read) !== significantDigits(number);
}

/** The digits of a number without an exponent, and without zeros at their begin and end. */
function significantDigits(number: string): string {
  const [mantissa = ''] = number.split(/e/i, 1);
  const digits = mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return digits.slice(0, end);
}

/** Whether a colon follows. JSON has no number as a key, and quotes must not make it one. */
function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === COLON;
}

// Removes the marks within an object, and notes the keys under which they were. Without recursion: nesting has no limit.
function* removingMarks(root: object): Steps<void> {
  const pending = [root];
  let values = 0;
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    values += 1;
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      if (++values % STEP_VALUES === 0) yield;
      const value: unknown = Reflect.get(holder, key);
      if (typeof value === 'object' && value !== null) pending.push(value);
      else if (typeof value === 'string' && value.startsWith(MARK)) removeMark(holder, key, value);
    }
  }
}

function removeMark(holder: object, key: string | number, marked: string): void {
  Reflect.set(holder, key, marked.slice(MARK.length));
  const keys = longNumbers.get(holder);
  if (keys) keys.add(key);
  else longNumbers.set(holder, new Set([key]));
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
