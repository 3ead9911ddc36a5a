/** The header of the key, as Node names it. */
export const KEY_HEADER = 'idempotency-key';

/** A key: 1 to 255 visible characters. Node joins several headers of the name by a comma and a blank, which is none. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A text of structured fields (RFC 9651, 3.3.3), as the IETF draft writes the key: in quotes, with `\"` and `\\`. */
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/;

/** Says what the header takes. */
export const KEY_RULE =
  'The header Idempotency-Key takes one key of 1 to 255 visible ASCII characters, bare or in quotes.';

/** The key of a header. `"k"` and `k` are the same. Undefined for a header that holds no key. */
export function idempotencyKeyOf(header: string | string[]): string | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const key = header.startsWith('"') ? unquoted(header) : header;
  return key !== undefined && KEY.test(key) ? key : undefined;
}

/** The longest header: each of 255 characters escaped, in quotes. */
const MAX_LENGTH = 2 * 255 + 2;

function unquoted(text: string): string | undefined {
  return QUOTED.test(text) ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : undefined;
}
