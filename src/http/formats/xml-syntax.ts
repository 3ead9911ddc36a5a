import { BadResponseError } from '../errors.ts';

// The smallest parts of XML 1.0, and the error for a document that breaks its rules.

/** Characters that XML 1.0 cannot write, not even as a reference. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
export const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** Whether a text holds nothing but white space as XML defines it. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

export function brokenXml(): BadResponseError {
  return new BadResponseError('Expected XML, got something that is broken or cut off.');
}
