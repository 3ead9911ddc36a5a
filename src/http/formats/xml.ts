import { isUtf8 } from 'node:buffer';
import { XMLParser } from 'fast-xml-parser';
import { isObject, type JsonObject, recordId, type UpstreamRecord } from './decode.ts';
import { BadResponseError, invalidInput } from '../errors.ts';
import type { Body, Format } from './format.ts';
import { isBlank, FORBIDDEN_CHARACTERS, checkWellFormed } from './well-formed.ts';

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, CDATA included, entities decoded once. */
  readonly text: string;
}

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

// The parser converts no text: the attributes tell which element is null or a list. It keeps the order of the document, so
// that a list of one item and nested elements of one name stay distinct.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false, // `decodeEntities` decodes them once, and not in CDATA
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false, // the path is not used, and joining it for every text and attribute costs time
  onDangerousProperty: (name) => name, // `toString` is a normal name here
});

/**
 * Parses a text as XML.
 *
 * @throws BadResponseError for a text that is not well-formed, and for any DOCTYPE: it could define entities of any size
 * @internal exported for the tests
 */
export function parseXml(text: string): XmlElement {
  const document = text.replace(/^\uFEFF/, '');
  const { whole, rest } = checkWellFormed(document);
  if (/^<!DOCTYPE/i.test(rest)) throw new BadResponseError('Expected XML without a DOCTYPE.');
  if (!whole) throw brokenXml();
  const [root] = contentOf(parseNodes(document)).children;
  if (root === undefined) throw brokenXml();
  return root;
}

function brokenXml(): BadResponseError {
  return new BadResponseError('Expected XML, got something that is broken or cut off.');
}

function parseNodes(text: string): unknown {
  try {
    return parser.parse(text);
  } catch {
    throw brokenXml(); // nested too deeply, or a name such as `__proto__`
  }
}

/** The content of an element. */
type Content = Pick<XmlElement, 'children' | 'text'>;

/** Converts the parser's nodes to elements. Nodes look like `[{ post: [...], ':@': { type: 'array' } }, { '#text': '…' }]`. */
function contentOf(nodes: unknown): Content {
  if (!Array.isArray(nodes)) throw brokenXml();
  const children: XmlElement[] = [];
  let text = '';
  for (const node of nodes.filter(isObject)) {
    const name = nameOf(node);
    if (name === TEXT) text += decodeEntities(String(node[name]));
    else if (name === CDATA) text += rawText(node[name]);
    else if (name !== undefined) {
      const { children: inner, text: innerText } = contentOf(node[name]);
      children.push({ name, attributes: attributesOf(node[ATTRIBUTES]), children: inner, text: innerText });
    }
  }
  return { children, text };
}

function nameOf(node: JsonObject): string | undefined {
  for (const key in node) if (key !== ATTRIBUTES) return key;
  return undefined;
}

function attributesOf(attributes: unknown): Record<string, string> {
  if (!isObject(attributes)) return {};
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, decodeEntities(String(value).replaceAll(/[\t\n]/g, ' '))]),
  );
}

/** The text of CDATA, in which nothing is decoded. */
function rawText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((node) => (isObject(node) ? String(node[TEXT] ?? '') : '')).join('');
}

const namedEntities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Decodes entities once: `&amp;lt;` becomes `&lt;`. Without a DOCTYPE there are five named entities, and numeric ones. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([^&;]*);?/g, (reference, name: string) => {
    const character = namedEntities.get(name) ?? numericEntity(name);
    if (character !== undefined && reference.endsWith(';')) return character;
    throw new BadResponseError('Expected XML, got an entity or a character that it does not have.');
  });
}

/** Returns the character of a numeric entity such as `#65` or `#x41`. */
function numericEntity(name: string): string | undefined {
  const [, hex, digits] = /^#(?:x0*([0-9a-fA-F]{1,6})|0*(\d{1,7}))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(digits ?? Number.NaN) : Number.parseInt(hex, 16);
  const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\0';
  return FORBIDDEN_CHARACTERS.test(character) || !character.isWellFormed() ? undefined : character;
}

/**
 * Converts an element to a JSON value: `nil="true"` to null, `type="array"` to a list, an element with child elements to
 * an object. Every other element becomes text, which the decoders of leaves.ts read.
 *
 * @internal exported for the tests
 */
export function xmlValue(element: XmlElement): unknown {
  if (element.attributes['nil'] === 'true') return null;
  if (element.attributes['type'] === 'array') return xmlItems(element).map(xmlValue);
  if (element.children.length === 0) return element.text;
  return xmlObject(element);
}

/** Converts the child elements to an object keyed by their names. @throws BadResponseError as `xmlParts` does */
export function xmlObject(element: XmlElement): JsonObject {
  return Object.fromEntries(byName(element, xmlValue));
}

/**
 * Returns the child elements by their names.
 *
 * @throws BadResponseError for text between them, and for a name that occurs twice: one of them would be lost
 */
export function xmlParts(element: XmlElement): ReadonlyMap<string, XmlElement> {
  return byName(element, (child) => child);
}

function byName<T>(element: XmlElement, read: (child: XmlElement) => T): ReadonlyMap<string, T> {
  const parts = new Map<string, T>();
  const children = xmlItems(element);
  for (const child of children) parts.set(child.name, read(child));
  if (parts.size === children.length) return parts;
  throw new BadResponseError(`An element comes twice in <${element.name}>.`);
}

/** Returns the child elements in order. @throws BadResponseError for text between them */
export function xmlItems(element: XmlElement): readonly XmlElement[] {
  if (isBlank(element.text)) return element.children;
  throw new BadResponseError(`Expected elements in <${element.name}>, got text beside them.`);
}

/** Returns the element. @throws BadResponseError when it has another name */
export function xmlElement(element: XmlElement, name: string): XmlElement {
  if (element.name === name) return element;
  throw new BadResponseError(`Expected <${name}>, got another element.`);
}

/**
 * Decodes the records of a list.
 *
 * @param item the name of each item's element
 * @throws BadResponseError for other elements, and for an item without an id
 */
export function xmlRecords(element: XmlElement, item: string): UpstreamRecord[] {
  return xmlItems(element).map((child) => xmlRecord(xmlElement(child, item)));
}

/** Decodes a record. @throws BadResponseError for an element without an id */
export function xmlRecord(element: XmlElement): UpstreamRecord {
  const fields = xmlObject(element);
  return Object.assign(fields, { id: recordId(fields['id']) });
}

/** Encodes requests as XML and parses responses that should be XML. */
export const xml: Format<XmlElement> = {
  accept: 'application/xml',
  contentType: 'application/xml; charset=utf-8',
  encode: (body) => `<?xml version="1.0" encoding="UTF-8"?>\n${xmlText(body, [])}`,
  parse: parseAnswer,
  parseRefusal: (answer, setting) => {
    try {
      const { name, children } = parseAnswer(answer, setting);
      const messages = children.map(({ text }) => text.trim()).filter((text) => text !== '');
      return name === 'errors' && messages.length > 0 ? { status: 'error', message: messages.join('; ') } : undefined;
    } catch {
      return undefined; // the status alone tells why the call was refused
    }
  },
  assertNotWebPage: assertNotPage,
};

function parseAnswer(answer: Body, setting: string): XmlElement {
  if (!['', 'identity'].includes(answer.contentEncoding)) {
    throw new BadResponseError('Expected an answer without compression, for none was asked for.');
  }
  assertXmlType(answer, setting);
  const bytes = Buffer.concat(answer.body);
  const text = bytes.toString();
  const [, encoding = 'utf-8'] = /^\uFEFF?<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/.exec(text) ?? [];
  if (!isUtf8(bytes) || !/^(utf-8|us-ascii)$/i.test(encoding)) {
    throw new BadResponseError('Expected XML in UTF-8, got other bytes.');
  }
  if (text.trim() === '') throw new BadResponseError('Expected XML, got an empty body.');
  return parseXml(text);
}

/** The first element of a web page is looked for within this many bytes. */
const BEGINNING_BYTES = 200;

const WEB_PAGE = /<(?:!doctype\s+)?html/iy;

/** Refuses a web page. A response whose body is not used may otherwise have any content type and any text. */
function assertNotPage({ body }: Body, setting: string): void {
  const beginning = Buffer.concat(body).toString('utf8', 0, BEGINNING_BYTES);
  WEB_PAGE.lastIndex = endOfPrologue(beginning);
  if (!WEB_PAGE.test(beginning)) return;
  throw new BadResponseError(`Expected XML, got a web page: is the address in ${setting} right?`);
}

/** The position after the leading white space, comments and processing instructions of a text. */
function endOfPrologue(text: string): number {
  let end = 0;
  while (end < text.length) {
    const rest = text.slice(end);
    const opening = ['<!--', '<?'].find((mark) => rest.startsWith(mark));
    if (opening === undefined) {
      const content = rest.trimStart();
      if (content.length === rest.length) return end;
      end = text.length - content.length;
      continue;
    }
    const closing = opening === '<?' ? '?>' : '-->';
    const closed = rest.indexOf(closing, opening.length);
    if (closed === -1) return end;
    end += closed + closing.length;
  }
  return end;
}

/** Refuses HTML and JSON: the address is most likely wrong. */
function assertXmlType({ contentType }: Body, setting: string): void {
  if (contentType === '' || (/[/+]xml\b/i.test(contentType) && !/html/i.test(contentType))) return;
  throw new BadResponseError(`Expected XML, got another type of content: is the address in ${setting} right?`);
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
