import { BadResponseError, GatewayError, ValidationError } from '../errors.ts';
import type { Body, Format, Hold } from './format.ts';
import { exceeding, parseList } from './long-list.ts';
import { shownBound } from './json-counts.ts';
import { mayHoldLongNumber, parsingLongNumbers, stringifyLongNumbers } from './long-numbers.ts';
import { byteLength, decodeUtf8, firstCharacter, joined } from './utf8.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';

/** Encodes requests as JSON and parses responses that should be JSON. */
export const json: Format<unknown> = {
  accept: 'application/json',
  contentType: 'application/json; charset=utf-8',
  encode: (body) => {
    try {
      return stringifyLongNumbers(body);
    } catch {
      throw new ValidationError('The input is nested too deeply.', {}); // JSON.stringify threw a RangeError: the stack is full
    }
  },
  parse: parseJson,
  parseRefusal: (answer, setting) => {
    try {
      assertUnpacked(answer);
      assertNotMarkup(answer, setting);
    } catch {
      return undefined; // the status alone tells why the call was refused
    }
    const bytes = joined(answer.body);
    try {
      return parseText(bytes);
    } catch {
      return plainText(bytes);
    }
  },
  salvage: salvageText,
  refusalIn: (body) => body,
  assertNotWebPage: (answer, setting) => {
    if (!isPlainSuccess(answer.body)) assertNotMarkup(answer, setting);
  },
};

/** Longer lists are parsed piece by piece, which is faster. */
const SHORT_LIST_BYTES = 64 * 1024;

/**
 * Parses a response as JSON. Upstreams send error pages as JSON, and JSON as text, so the content type counts for a body that
 * is neither an object nor a list. A promise for a long list only.
 *
 * @param setting the setting that holds the address, which is most likely wrong when a web page answers
 * @returns a promise for a body that takes long only
 * @throws BadResponseError for anything but JSON in UTF-8 without compression
 */
function parseJson(answer: Body, setting: string, hold: Hold = () => {}): unknown {
  assertUnpacked(answer);
  assertNotMarkup(answer, setting);
  try {
    const parsed = parseBody(answer.body, hold);
    if (!(parsed instanceof Promise)) return parsed;
    return parsed.catch((error: unknown) => {
      throw withoutQuote(error);
    });
  } catch (error) {
    throw withoutQuote(error);
  }
}

function parseBody(body: Uint8Array[], hold: Hold): unknown {
  const parse = (text: Buffer) => {
    hold(memoryOfJson(text));
    return parsingText(text);
  };
  const bytes = byteLength(body);
  hold(bytes); // parsing a long list gives its bytes back one by one
  if (bytes > SHORT_LIST_BYTES)
    return firstCharacter(body) === '[' ? parseList(body, parse) : inSlices(parsingRecord(joined(body), parse));
  const text = joined(body);
  hold(memoryOfJson(text));
  return parseText(text);
}

// Parses a text that is no list.
function* parsingRecord(bytes: Buffer, parse: (text: Buffer) => Steps<unknown>): Steps<unknown> {
  const exceeded = yield* exceeding(bytes);
  if (exceeded) throw new BadResponseError(`Expected JSON with at most ${shownBound(exceeded)}, got more.`);
  return yield* parse(bytes);
}

/** Replaces an error of V8, whose message quotes the body. */
function withoutQuote(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new BadResponseError('Expected JSON, got something that is broken or cut off.');
}

/** The text of a body that is no JSON. Undefined for an empty body, other bytes than UTF-8, and JSON that is cut off. */
function plainText(bytes: Buffer): string | undefined {
  const text = decodeUtf8(bytes)?.trim() ?? '';
  return text === '' || ['{', '[', '"'].includes(text.charAt(0)) ? undefined : text;
}

/** A key of JSON and a text that is its value. */
const KEY_AND_TEXT = /"([^"\\]{1,100})"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/g;

/** The number of characters of a broken body that are searched. */
const SALVAGED_LENGTH = 16 * 1024;

function salvageText({ body }: Body, key: string): unknown {
  const text = decodeUtf8(joined(body))?.slice(0, SALVAGED_LENGTH) ?? '';
  const pairs = [...text.matchAll(KEY_AND_TEXT)].filter(([, name]) => name === key);
  const [value = '', ...others] = new Set(pairs.map((pair) => pair[2] ?? ''));
  if (value === '' || others.length > 0) return undefined;
  try {
    return { [key]: JSON.parse(value) };
  } catch {
    return undefined; // a control character, or an escape that JSON does not have
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Parses JSON without a loss of digits: a number that JavaScript would round becomes a text. */
const parseText = (bytes: Buffer): unknown => atOnce(parsingText(bytes));

/** @throws BadResponseError for other bytes than UTF-8 */
function textOf(bytes: Buffer): string {
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) throw new BadResponseError('Expected JSON in UTF-8, got other bytes.');
  return decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
}

// Parses a text as `parseText` does, in steps.
function* parsingText(bytes: Buffer): Steps<unknown> {
  const text = textOf(bytes);
  yield;
  const mayBeRounded = mayHoldLongNumber(bytes);
  yield;
  try {
    return mayBeRounded ? yield* parsingLongNumbers(text) : JSON.parse(text);
  } catch (error) {
    throw text.trim() === '' ? new BadResponseError('Expected JSON, got an empty body.') : error;
  }
}

/** More bytes are no plain success. */
const PLAIN_SUCCESS_BYTES = 32;

/** Not documented (A10): a write may be answered by nothing, `ok` or `"ok"`. Whatever its type, that is no web page. */
function isPlainSuccess(body: readonly Uint8Array[]): boolean {
  if (byteLength(body) > PLAIN_SUCCESS_BYTES) return false;
  const text = decodeUtf8(joined(body))?.trim().toLowerCase();
  return text === '' || text === 'ok' || text === '"ok"';
}

/**
 * Not documented (A232): an object or a list may be sent as HTML, which is its content type alone.
 *
 * @throws BadResponseError for a web page: the API itself was not reached
 */
function assertNotMarkup(answer: Body, setting: string): void {
  const first = firstCharacter(answer.body);
  if (first === '{' || first === '[' || (first !== '<' && !/\bhtml\b/i.test(answer.contentType))) return;
  throw new BadResponseError(
    `Expected JSON, got a page in HTML or XML: is the address in ${setting} right? Its path may be wrong.`,
  );
}

/** @throws BadResponseError for a body that could not be unpacked: it is broken, or its coding is unknown */
export function assertUnpacked({ contentEncoding }: Body): void {
  if (/^\s*(identity\s*)?$/i.test(contentEncoding)) return; // codings are case-insensitive (RFC 9110, 8.4.1)
  throw new BadResponseError('Expected an answer without compression or in gzip, got one that cannot be unpacked.');
}

// The memory that parsed JSON takes. test/http/answer-memory.test.ts measures it.

/** The memory that a byte of JSON adds to the parsed value: an object or a list that it opens, a further item, or a character. */
function memoryOfByte(byte: number): number {
  const found = [200, 64, 12]['{[,'.indexOf(String.fromCharCode(byte))];
  return found ?? (byte < 0x80 ? 1 : 2);
}

/** By pairs of bytes. */
const MEMORY_OF_PAIRS = Uint16Array.from(
  { length: 256 ** 2 },
  (_none, pair) => memoryOfByte(pair % 256) + memoryOfByte(Math.floor(pair / 256)),
);

/**
 * The distances of the pairs that are looked at in a longer text: uneven, as the rows of a list often have the same length, and random,
 * so that no upstream can know them. Four on average, and so many that rows of any length are looked at in many places.
 */
const STRIDES = Uint8Array.from({ length: 8_192 }, () => 1 + Math.floor(Math.random() * 7));
const SHORT_PAIRS = 4_096;

/**
 * Estimates the memory that a JSON text takes when it is parsed, in bytes, in some hundredths of the time that parsing it takes. A
 * bracket or a comma within a text counts as that of a value, and a byte at each end may not count.
 *
 * @internal exported for the tests
 */
export function memoryOfJson({ buffer, byteOffset, length }: Uint8Array): number {
  const odd = byteOffset % 2;
  const count = Math.max(0, Math.floor((length - odd) / 2));
  const pairs = new Uint16Array(buffer, byteOffset + odd, count);
  let bytes = 0;
  if (count <= SHORT_PAIRS) {
    for (const pair of pairs) bytes += MEMORY_OF_PAIRS[pair] ?? 0;
    return bytes;
  }
  let looked = 0;
  for (let at = 0; at < count; at += STRIDES[looked % STRIDES.length] ?? 1) {
    bytes += MEMORY_OF_PAIRS[pairs[at] ?? 0] ?? 0;
    looked += 1;
  }
  return Math.round((bytes * count) / looked);
}
