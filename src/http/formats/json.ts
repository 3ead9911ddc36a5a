import { BadResponseError, ValidationError } from '../errors.ts';
import type { Body, Format } from './format.ts';
import { parseList, parseLongList } from './long-list.ts';
import { jsonMemory } from './memory.ts';
import { mayHoldLongNumber, parseLongNumbers, stringifyLongNumbers } from './long-numbers.ts';
import { decodeUtf8, firstCharacter, joined } from './utf8.ts';

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
  memoryOf: jsonMemory,
  parse: parseJson,
  parseRefusal: (answer, setting) => {
    try {
      assertJson(answer, setting);
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
  refusalIn: (body) => body,
  assertNotWebPage: assertNotMarkup,
};

/** Longer lists are parsed piece by piece, which is faster. */
const SHORT_LIST_BYTES = 64 * 1024;

/** Between the pieces of longer lists, other requests are served. */
const LONG_LIST_BYTES = 8 * 1024 ** 2;

/**
 * Parses a response as JSON. Its content type is ignored unless it is HTML: upstreams send error pages as JSON, and JSON
 * as text. A promise for a long list only.
 *
 * @param setting the setting that holds the address, which is most likely wrong when a web page answers
 * @throws BadResponseError for anything but JSON in UTF-8 without compression
 */
function parseJson(answer: Body, setting: string): unknown {
  assertJson(answer, setting);
  const { body } = answer;
  const bytes = byteLength(body);
  try {
    if (bytes <= SHORT_LIST_BYTES || firstCharacter(body) !== '[') return parseText(joined(body));
    if (bytes <= LONG_LIST_BYTES) return parseList(body, parseText);
  } catch (error) {
    throw withoutQuote(error);
  }
  return parseLongList(body, parseText).catch((error: unknown) => {
    throw withoutQuote(error);
  });
}

/** Replaces an error of V8, whose message quotes the body. */
function withoutQuote(error: unknown): BadResponseError {
  if (error instanceof BadResponseError) return error;
  return new BadResponseError('Expected JSON, got something that is broken or cut off.');
}

/** The text of a body that is no JSON. Undefined for an empty body, other bytes than UTF-8, and JSON that is cut off. */
function plainText(bytes: Buffer): string | undefined {
  const text = decodeUtf8(bytes)?.trim() ?? '';
  return text === '' || ['{', '[', '"'].includes(text.charAt(0)) ? undefined : text;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Parses JSON without a loss of digits: a whole number beyond 2^53 becomes a text. */
function parseText(bytes: Buffer): unknown {
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) throw new BadResponseError('Expected JSON in UTF-8, got other bytes.');
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  try {
    return mayHoldLongNumber(bytes) ? parseLongNumbers(text) : JSON.parse(text);
  } catch (error) {
    throw text.trim() === '' ? new BadResponseError('Expected JSON, got an empty body.') : error;
  }
}

function assertJson(answer: Body, setting: string): void {
  if (answer.contentEncoding !== '' && answer.contentEncoding !== 'identity') {
    throw new BadResponseError('Expected an answer without compression, for none was asked for.');
  }
  assertNotMarkup(answer, setting);
}

/** @throws BadResponseError for a web page: the API itself was not reached */
function assertNotMarkup(answer: Body, setting: string): void {
  if (firstCharacter(answer.body) !== '<' && !/\bhtml\b/i.test(answer.contentType)) return;
  throw new BadResponseError(
    `Expected JSON, got a page in HTML or XML: is the address in ${setting} right? Its path may be wrong.`,
  );
}

function byteLength(body: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const { length } of body) bytes += length;
  return bytes;
}
