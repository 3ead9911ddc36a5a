/** Ways in which a text can be written in another format. */
export const spellings: readonly [(text: string) => string, ...((text: string) => string)[]] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => eachByte(text, (hex) => `%${hex}`),
  (text) => eachByte(text, (hex) => `%${hex.toUpperCase()}`),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => eachByte(text, (hex) => `\\u00${hex}`),
  (text) => eachByte(text, (hex) => `&#x${hex};`),
  (text) => text.replaceAll('/', '\\/'),
  (text) => text.replaceAll('/', '&#47;').replaceAll('+', '&#43;'),
];

function eachByte(text: string, written: (hex: string) => string): string {
  return Array.from(Buffer.from(text), (byte) => written(byte.toString(16).padStart(2, '0'))).join('');
}

/** The first spelling of a secret that a text holds. */
export function spellingIn(text: string, secret: string): string | undefined {
  return spellings.map((spell) => spell(secret)).find((spelling) => text.includes(spelling));
}
