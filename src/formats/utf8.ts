import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Joins the chunks of a body. A single chunk is not copied. */
export function joined(body: readonly Uint8Array[]): Buffer {
  const [only] = body;
  if (only === undefined || body.length > 1) return Buffer.concat(body);
  return only instanceof Buffer ? only : Buffer.from(only.buffer, only.byteOffset, only.length);
}

/**
 * Decodes UTF-8, a byte order mark included. Undefined for other bytes.
 *
 * Most bodies are ASCII, which is latin1 too. Node reads that, and UTF-16, several times as fast as UTF-8.
 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? transcode(bytes, 'utf8', 'utf16le').toString('utf16le') : undefined;
}

/** White space in ASCII: tab, the line breaks, blank. */
const isWhiteSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** The bytes of the beginning of a body that are decoded when it does not begin in ASCII. */
const BEGINNING_BYTES = 1024;

/** The first character of a body behind white space and a byte order mark. An empty text when there is none. */
export function firstCharacter(body: readonly Uint8Array[]): string {
  for (const chunk of body) {
    for (const byte of chunk)
      if (!isWhiteSpace(byte)) return byte < 0x80 ? String.fromCharCode(byte) : firstOfDecoded(body);
  }
  return '';
}

function firstOfDecoded(body: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of body) {
    text = (text + decoder.decode(chunk.subarray(0, BEGINNING_BYTES), { stream: true })).trimStart();
    if (text !== '') break;
  }
  return text.charAt(0);
}

/** The number of bytes of a body. */
export function byteLength(body: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const { length } of body) bytes += length;
  return bytes;
}
