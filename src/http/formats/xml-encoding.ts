import { isUtf8 } from 'node:buffer';
import { BadResponseError } from '../errors.ts';

const UTF_8 = 'utf-8';

/** The encodings that a response may declare, by their names in lower case. */
const encodings: ReadonlyMap<string, string> = new Map([
  ['utf-8', UTF_8],
  ['utf8', UTF_8],
  ['us-ascii', UTF_8],
  ['iso-8859-1', 'iso-8859-1'],
  ['iso-8859-2', 'iso-8859-2'],
  ['windows-1250', 'windows-1250'],
  ['windows-1252', 'windows-1252'],
]);

const DECLARED = /^\uFEFF?<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * Decodes the bytes of an XML document. The encoding is UTF-8 unless the XML declaration or the content type names
 * another one. Not documented (A209): which one counts where they differ. It is UTF-8 if one of them says so and the bytes
 * are UTF-8.
 *
 * @throws BadResponseError for bytes that are not of the encoding, and for an unknown encoding
 */
export function decodeXmlBytes(bytes: Buffer, contentType: string): string {
  const text = bytes.toString();
  const names = [CHARSET.exec(contentType)?.[1], DECLARED.exec(text)?.[1]].filter((name) => name !== undefined);
  const known = names.map((name) => encodings.get(name.toLowerCase())).filter((encoding) => encoding !== undefined);
  if (known.length === names.length) {
    if ((names.length === 0 || known.includes(UTF_8)) && isUtf8(bytes)) return text;
    const other = known.find((encoding) => encoding !== UTF_8);
    // Without `stream`, Node 20 decodes windows-1252 as if it were Latin-1.
    if (other !== undefined) return new TextDecoder(other).decode(bytes, { stream: true });
  }
  throw new BadResponseError('Expected XML in UTF-8 or in the encoding that it declares, got other bytes.');
}
