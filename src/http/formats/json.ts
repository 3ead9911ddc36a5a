import { isUtf8 } from 'node:buffer';
import { BadResponseError, ValidationError } from '../errors.ts';
import type { Body, Format } from './format.ts';
import { parseLongList } from './long-list.ts';
import { mayHoldLongNumber, parseLongNumbers } from './long-numbers.ts';

/** Encodes requests as JSON and parses responses that should be JSON. */
export const json: Format<unknown> = {
  accept: 'application/json',
  contentType: 'application/json; charset=utf-8',
  encode: (body) => {
    try {
      return JSON.stringify(body);
    } catch {
      throw new ValidationError('The input is nested too deeply.', {}); // JSON.stringify threw a RangeError: the stack is full
    }
  },
  parse: parseJson,
  parseRefusal: (answer, setting) => {
    try {
      assertJson(answer, setting);
    } catch {
      return undefined; // the status alone tells why the call was refused
    }
    const bytes = Buffer.concat(answer.body);
    try {
      return parseText(bytes);
    } catch {
      return plainText(bytes);
    }
  },
  refusalIn: (body) => body,
  assertNotWebPage: assertNotMarkup,
};

/** Longer lists are parsed piece by piece. That saves memory, but costs the time to look for the commas. */
const LONG_LIST_BYTES = 8 * 1024 ** 2;

/**
 * Parses a response as JSON. Its content type is ignored unless it is HTML: upstreams send error pages as JSON, and JSON
 * as text.
 *
 * @param setting the setting that holds the address, which is most likely wrong when a web page answers
 * @throws BadResponseError for anything but JSON in UTF-8 without compression
 */
async function parseJson(answer: Body, setting: string): Promise<unknown> {
  assertJson(answer, setting);
  const { body } = answer;
  try {
    const size = body.reduce((sum, { length }) => sum + length, 0);
    const isLongList = size > LONG_LIST_BYTES && leadingText(answer).startsWith('[');
    return isLongList ? await parseLongList(body, parseText) : parseText(Buffer.concat(body));
  } catch (error) {
    if (error instanceof BadResponseError) throw error;
    throw new BadResponseError('Expected JSON, got something that is broken or cut off.'); // V8's message would quote the body
  }
}

/** The text of a body that is no JSON. Undefined for an empty body, other bytes than UTF-8, and JSON that is cut off. */
function plainText(bytes: Buffer): string | undefined {
  const text = isUtf8(bytes) ? bytes.toString().trim() : '';
  return text === '' || ['{', '[', '"'].includes(text.charAt(0)) ? undefined : text;
}

/** Parses JSON without a loss of digits: a whole number beyond 2^53 becomes a text. */
function parseText(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BadResponseError('Expected JSON in UTF-8, got other bytes.');
  const text = bytes.toString().replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new BadResponseError('Expected JSON, got an empty body.');
  return mayHoldLongNumber(bytes) ? parseLongNumbers(text) : JSON.parse(text);
}

function assertJson(answer: Body, setting: string): void {
  if (answer.contentEncoding !== '' && answer.contentEncoding !== 'identity') {
    throw new BadResponseError('Expected an answer without compression, for none was asked for.');
  }
  assertNotMarkup(answer, setting);
}

/** @throws BadResponseError for a web page: the API itself was not reached */
function assertNotMarkup(answer: Body, setting: string): void {
  if (!leadingText(answer).startsWith('<') && !/\bhtml\b/i.test(answer.contentType)) return;
  throw new BadResponseError(`Expected JSON, got a page in HTML or XML: is the address in ${setting} right?`);
}

/** The start of a body: at least its first character that is not white space. */
function leadingText({ body }: Body): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of body) {
    text = (text + decoder.decode(chunk.subarray(0, 1024))).trimStart();
    if (text !== '') break;
  }
  return text;
}
