import { isUtf8 } from 'node:buffer';
import { BadResponseError } from '../errors.ts';

const UTF_8 = 'utf-8';

/** The encodings that a response may declare beside UTF-8, by the names that TextDecoder gives them. */
const ENCODINGS: ReadonlySet<string> = new Set([UTF_8, 'iso-8859-2', 'windows-1250', 'windows-1252']);

/** Names that TextDecoder does not have, or takes for another encoding: ASCII is UTF-8 here. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['us-ascii', UTF_8],
  ['ascii', UTF_8],
  ['latin-1', 'iso-8859-1'],
  ['latin-2', 'iso-8859-2'],
  ...['1250', '1252'].flatMap((page) =>
    ['cp-', 'windows', 'win', 'win-'].map((prefix): [string, string] => [prefix + page, `windows-${page}`]),
  ),
]);

const DECLARED = /^\uFEFF?[ \t\r\n]*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * Decodes the bytes of an XML document into a text of no more UTF-16 units than there are bytes. They are UTF-16 where they begin with its byte order mark, whatever is declared.
 * Otherwise the encoding is UTF-8 unless the XML declaration or the content type names another one. Not documented (A209):
 * which one counts where they differ. It is UTF-8 if one of them says so and the bytes are UTF-8.
 *
 * @throws BadResponseError for bytes that are not of the encoding, and for an unknown encoding
 */
export function decodeXmlBytes(bytes: Buffer, contentType: string): string {
  const utf16 = markedUtf16(bytes);
  if (utf16 !== undefined) return decodeUtf16(bytes, utf16);
  const text = bytes.toString();
  const names = [CHARSET.exec(contentType)?.[1], DECLARED.exec(text)?.[1]].filter((name) => name !== undefined);
  const encodings = names.map(encodingOf);
  if ((names.length === 0 || encodings.includes(UTF_8)) && isUtf8(bytes)) return text;
  const other = encodings.find((encoding) => encoding !== UTF_8);
  if (other === undefined || encodings.includes(undefined)) throw otherBytes();
  // Without `stream`, Node 20 decodes windows-1252 as if it were Latin-1.
  return new TextDecoder(other).decode(bytes, { stream: true });
}

/** The name that TextDecoder gives to an encoding. Undefined for an unknown one. */
function encodingOf(name: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(aliases.get(name.toLowerCase()) ?? name);
    return ENCODINGS.has(encoding) ? encoding : undefined;
  } catch {
    return undefined; // TextDecoder has no such name
  }
}

/** The encoding of a text that begins with the byte order mark of UTF-16. Undefined for any other bytes. */
export function markedUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** @throws BadResponseError for half of a character */
function decodeUtf16(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw otherBytes();
  }
}

function otherBytes(): BadResponseError {
  return new BadResponseError('Expected XML in UTF-8 or in the encoding that it declares, got other bytes.');
}
