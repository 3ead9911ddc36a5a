import { isUtf8 } from 'node:buffer';
import { BadResponseError, ValidationError } from '../errors.ts';
import type { Body, Format } from './format.ts';
import { parseLongList } from './long-list.ts';

/** JSON, as it is sent and as it is met. */
export const json: Format<unknown> = {
  accept: 'application/json',
  contentType: 'application/json; charset=utf-8',
  encode: (body) => {
    try {
      return JSON.stringify(body);
    } catch {
      throw new ValidationError('The input is nested too deeply.', {}); // a RangeError: the stack is at its end
    }
  },
  parse: parseJson,
  parseNothing: () => undefined,
  parseRefusal: (answer, setting) => {
    try {
      assertJson(answer, setting);
      return parseText(Buffer.concat(answer.body));
    } catch {
      return undefined; // a refusal's status says enough
    }
  },
  assertNotWebPage: assertNotMarkup,
};

/** A list beyond this is parsed piece by piece: to look for its commas takes time, which only memory is worth. */
const LONG_LIST_BYTES = 8 * 1024 ** 2;

/**
 * Parses an answer as JSON. The content type is not trusted (error pages come as JSON, and JSON as text), except
 * where it says HTML.
 *
 * @param setting holds the address, which is most likely wrong where a web page answers
 */
async function parseJson(answer: Body, setting: string): Promise<unknown> {
  assertJson(answer, setting);
  const { body } = answer;
  try {
    const size = body.reduce((sum, { length }) => sum + length, 0);
    const isLongList = size > LONG_LIST_BYTES && beginning(answer).startsWith('[');
    return isLongList ? await parseLongList(body, parseText) : parseText(Buffer.concat(body));
  } catch (error) {
    if (error instanceof BadResponseError) throw error;
    throw new BadResponseError('Expected JSON, got something that is broken or cut off.'); // V8's message would quote it
  }
}

function parseText(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BadResponseError('Expected JSON in UTF-8, got other bytes.');
  const text = bytes.toString().replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new BadResponseError('Expected JSON, got an empty body.');
  return JSON.parse(text);
}

function assertJson(answer: Body, setting: string): void {
  if (answer.contentEncoding !== '' && answer.contentEncoding !== 'identity') {
    throw new BadResponseError('Expected an answer without compression, for none was asked for.');
  }
  assertNotMarkup(answer, setting);
}

/** For an answer that is not read: a web page would mean that the API was never reached. */
function assertNotMarkup(answer: Body, setting: string): void {
  if (!beginning(answer).startsWith('<') && !/\bhtml\b/i.test(answer.contentType)) return;
  throw new BadResponseError(`Expected JSON, got a page in HTML or XML: is the address in ${setting} right?`);
}

/** Enough of an answer to see what it is: up to its first sign and beyond. */
function beginning({ body }: Body): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of body) {
    text = (text + decoder.decode(chunk.subarray(0, 1024))).trimStart();
    if (text !== '') break;
  }
  return text;
}
