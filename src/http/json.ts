import { BadResponseError } from './errors.ts';
import type { Answer } from './upstream.ts';

/** The media type of the JSON APIs. */
export const JSON_TYPE = 'application/json; charset=utf-8';

type Body = Pick<Answer, 'body' | 'contentType' | 'contentEncoding'>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an answer as JSON. The content type is not trusted (error pages come as JSON, and JSON as text), except
 * where it says HTML.
 *
 * @param setting holds the address, which is most likely wrong where a web page answers
 */
export function parseJson(answer: Body, setting: string): unknown {
  const text = decoded(answer);
  refuseMarkupIn(text, answer, setting);
  if (text.trim() === '') throw new BadResponseError('Expected JSON, got an empty body.');
  try {
    return JSON.parse(text);
  } catch {
    throw new BadResponseError('Expected JSON, got something that is broken or cut off.'); // V8's message would quote it
  }
}

/** For an answer that is not read: a web page would mean that the API was never reached. */
export function refuseMarkup(answer: Body, setting: string): void {
  refuseMarkupIn(new TextDecoder().decode(answer.body), answer, setting);
}

function refuseMarkupIn(text: string, { contentType }: Body, setting: string): void {
  if (!/^\s*</.test(text) && !/\bhtml\b/i.test(contentType)) return;
  throw new BadResponseError(`Expected JSON, got a page in HTML or XML: is the address in ${setting} right?`);
}

function decoded({ body, contentEncoding }: Body): string {
  if (contentEncoding !== '' && contentEncoding !== 'identity') {
    throw new BadResponseError('Expected an answer without compression, for none was asked for.');
  }
  try {
    return utf8.decode(body);
  } catch {
    throw new BadResponseError('Expected JSON in UTF-8, got other bytes.');
  }
}
