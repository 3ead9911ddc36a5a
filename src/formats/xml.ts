import { isObject, type JsonObject } from './decode.ts';
import { BadResponseError, invalidInput } from '../errors.ts';
import type { Body, Format, Hold } from './format.ts';
import { assertUnpacked, json } from './json.ts';
import { byteLength, joined } from './utf8.ts';
import { parseXml, type XmlElement } from './xml-document.ts';
import { FORBIDDEN_CHARACTERS } from './xml-entities.ts';
import { isUtf8 } from 'node:buffer';

/** Encodes requests as XML and parses responses that should be XML. */
export const xml: Format<XmlElement> = {
  accept: 'application/xml',
  contentType: 'application/xml',
  encode: (body) => `<?xml version="1.0" encoding="UTF-8"?>\n${xmlText(body, [])}`,
  parse: parseAnswer,
  parseRefusal: (answer, setting) => {
    try {
      return refusalIn(parseAnswer(answer, setting));
    } catch {
      return plainText(answer, setting);
    }
  },
  salvage: () => undefined, // no text of the forum is handed out once
  refusalIn,
  assertNotWebPage: assertNotPage,
};

/**
 * Reads the plain text of a refusal. Not documented (A170): where it is no XML. One with `<` is none: markup is not shown, and the
 * redactor would not find a secret that CDATA sections split.
 */
function plainText(answer: Body, setting: string): string | undefined {
  const refusal = json.parseRefusal(answer, setting);
  return typeof refusal === 'string' && !refusal.includes('<') ? refusal : undefined;
}

/**
 * Converts an answer to the shape that a refusal has in JSON. Not documented (A219, A200): an element may have `status`, `message`,
 * `error` and `errors` as JSON has. `<errors>` has a text in each element, and as the root it is a refusal.
 */
function refusalIn(root: XmlElement): unknown {
  if (root.name === 'errors' || root.name === 'error') return { errors: textsIn(root) };
  return fieldsOf(root, 1);
}

/** Records are at most so deep: `<hash><post><id>`. */
const MAX_FIELD_DEPTH = 3;

function fieldsOf(element: XmlElement, depth: number): JsonObject {
  return Object.fromEntries(element.children.map((child) => [child.name, valueOf(child, depth)]));
}

function valueOf(element: XmlElement, depth: number): unknown {
  if (element.attributes['nil'] === 'true') return null;
  if (element.name === 'errors') return textsIn(element);
  return element.children.length > 0 && depth < MAX_FIELD_DEPTH ? fieldsOf(element, depth + 1) : element.text.trim();
}

/** The texts of the elements inside, or the element's own one. */
function textsIn({ children, text }: XmlElement): string[] {
  return [text, ...children.map((child) => child.text)].map((each) => each.trim()).filter((each) => each !== '');
}

/** The memory of the parsed elements for each byte of XML, an upper bound: an ordinary page of 1 MB takes 7 MB. */
const MEMORY_PER_BYTE = 20;

function parseAnswer(answer: Body, setting: string, hold: Hold = () => {}): XmlElement {
  assertUnpacked(answer);
  assertXmlType(answer, setting);
  hold(byteLength(answer.body) * MEMORY_PER_BYTE);
  const text = decodeXmlBytes(joined(answer.body), answer.contentType);
  if (text.trim() === '') throw new BadResponseError('Expected XML, got an empty body.');
  return parseXml(text);
}

/** The first element of a web page is looked for within this many bytes. */
const BEGINNING_BYTES = 200;

/**
 * The white space, comments and processing instructions before the first element. It is kept apart from `WEB_PAGE`: in one
 * pattern, a text that is no web page would backtrack through every way to split the white space.
 */
const PROLOGUE = /^(?:\s+|<!--[^]*?-->|<\?[^]*?\?>)*/;
const WEB_PAGE = /^<(?:!doctype\s+)?html/i;

/** Refuses a web page. A response whose body is not used may otherwise have any content type and any text. */
function assertNotPage({ body }: Body, setting: string): void {
  const bytes = joined(body);
  const beginning = new TextDecoder(markedUtf16(bytes)).decode(bytes.subarray(0, BEGINNING_BYTES));
  if (!WEB_PAGE.test(beginning.replace(PROLOGUE, ''))) return;
  throw new BadResponseError(
    `Expected XML, got a web page: is the address in ${setting} right? Its path may be wrong.`,
  );
}

/** Refuses HTML and JSON: the address is most likely wrong. */
function assertXmlType({ contentType }: Body, setting: string): void {
  if (contentType === '' || (/[/+]xml\b/i.test(contentType) && !/html/i.test(contentType))) return;
  throw new BadResponseError(
    `Expected XML, got another type of content: is the address in ${setting} right? Its path may be wrong.`,
  );
}

/** Writes an object as elements named by its keys. Leaves out undefined values, and writes null as `nil="true"`. */
function xmlText(value: unknown, path: readonly string[]): string {
  if (isObject(value)) {
    const given = Object.entries(value).filter(([, child]) => child !== undefined);
    return given.map(([name, child]) => xmlTag(name, child, [...path, name])).join('');
  }
  return escapeText(String(value), path);
}

function xmlTag(name: string, value: unknown, path: readonly string[]): string {
  return value === null ? `<${name} nil="true"/>` : `<${name}>${xmlText(value, path)}</${name}>`;
}

const escapeSequences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;', // a plain carriage return would be read as a line feed
};

/** @throws ValidationError for a character that XML 1.0 cannot write, with the name of the field */
function escapeText(text: string, path: readonly string[]): string {
  const field = path.at(-1) ?? '';
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) {
    const reason = 'holds a control character or half of a surrogate pair, which XML cannot carry';
    throw invalidInput(field, reason);
  }
  return text.replaceAll(/[&<>"\r]/g, (character) => escapeSequences[character] ?? character);
}

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
function decodeXmlBytes(bytes: Buffer, contentType: string): string {
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
function markedUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
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
