import { isUtf8 } from 'node:buffer';
import { XMLParser } from 'fast-xml-parser';
import { isObject, type JsonObject, recordId, type UpstreamRecord } from './decode.ts';
import { BadResponseError, invalidInput } from '../errors.ts';
import type { Body, Format } from './format.ts';
import { isBlank, FORBIDDEN_CHARACTERS, checkWellFormed } from './well-formed.ts';

/** An element of an XML document, as it was written: nothing is guessed from its name. */
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

// Text stays text: what is a number, or nothing, the attributes say. In the order of the document, so that a list of one
// and a comment in a comment are what they are.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false, // decoded here, once, and not in CDATA
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false, // nobody reads the path, which is joined anew for every text and attribute
  onDangerousProperty: (name) => name, // `toString` is a name like any other here
});

/**
 * Parses a text as XML.
 *
 * @throws BadResponseError for what is not well-formed, and for any DOCTYPE: it could define entities of any size
 * @internal exported for the tests
 */
export function parseXml(text: string): XmlElement {
  const document = text.replace(/^\uFEFF/, '');
  const { whole, rest } = checkWellFormed(document);
  if (/^<!DOCTYPE/i.test(rest)) throw new BadResponseError('Expected XML without a DOCTYPE.');
  if (!whole) throw broken();
  const [root] = contentOf(parsed(document)).children;
  if (root === undefined) throw broken();
  return root;
}

function broken(): BadResponseError {
  return new BadResponseError('Expected XML, got something that is broken or cut off.');
}

function parsed(text: string): unknown {
  try {
    return parser.parse(text);
  } catch {
    throw broken(); // too deep, or a name that JavaScript would trip over
  }
}

/** The content of an element. */
type Content = Pick<XmlElement, 'children' | 'text'>;

/** The parser's nodes as elements: `[{ post: [...], ':@': { type: 'array' } }, { '#text': '…' }]`. */
function contentOf(nodes: unknown): Content {
  if (!Array.isArray(nodes)) throw broken();
  const children: XmlElement[] = [];
  let text = '';
  for (const node of nodes.filter(isObject)) {
    const name = nameOf(node);
    if (name === TEXT) text += decoded(String(node[name]));
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
    Object.entries(attributes).map(([name, value]) => [name, decoded(String(value).replaceAll(/[\t\n]/g, ' '))]),
  );
}

/** CDATA holds its text as it is. */
function rawText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((node) => (isObject(node) ? String(node[TEXT] ?? '') : '')).join('');
}

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Entities are decoded once: `&amp;lt;` is `&lt;`. Without a DOCTYPE there are five names, and numbers. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([^&;]*);?/g, (reference, name: string) => {
    const character = named.get(name) ?? numbered(name);
    if (character !== undefined && reference.endsWith(';')) return character;
    throw new BadResponseError('Expected XML, got an entity or a character that it does not have.');
  });
}

/** The character that `#65` or `#x41` stands for. */
function numbered(name: string): string | undefined {
  const [, hex, digits] = /^#(?:x0*([0-9a-fA-F]{1,6})|0*(\d{1,7}))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(digits ?? Number.NaN) : Number.parseInt(hex, 16);
  const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\0';
  return FORBIDDEN_CHARACTERS.test(character) || !character.isWellFormed() ? undefined : character;
}

/**
 * A value as its attributes say: `nil="true"` is null, `type="array"` a list, what has elements an object by their
 * names. All other values are text, for the leaves to read.
 *
 * @internal exported for the tests
 */
export function xmlValue(element: XmlElement): unknown {
  if (element.attributes['nil'] === 'true') return null;
  if (element.attributes['type'] === 'array') return xmlItems(element).map(xmlValue);
  if (element.children.length === 0) return element.text;
  return xmlObject(element);
}

export function xmlObject(element: XmlElement): JsonObject {
  return Object.fromEntries(byName(element, xmlValue));
}

/**
 * The elements in an element, by their names.
 *
 * @throws BadResponseError for text beside them, and for a name that comes twice: one of them would be lost
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

/** The elements of a list, however many there are. */
export function xmlItems(element: XmlElement): readonly XmlElement[] {
  if (isBlank(element.text)) return element.children;
  throw new BadResponseError(`Expected elements in <${element.name}>, got text beside them.`);
}

/** An element of this name. */
export function xmlElement(element: XmlElement, name: string): XmlElement {
  if (element.name === name) return element;
  throw new BadResponseError(`Expected <${name}>, got another element.`);
}

/** The records of a list whose items bear this name. */
export function xmlRecords(element: XmlElement, item: string): UpstreamRecord[] {
  return xmlItems(element).map((child) => xmlRecord(xmlElement(child, item)));
}

export function xmlRecord(element: XmlElement): UpstreamRecord {
  const fields = xmlObject(element);
  return Object.assign(fields, { id: recordId(fields['id']) });
}

/** XML, as it is sent and as it is met. */
export const xml: Format<XmlElement> = {
  accept: 'application/xml',
  contentType: 'application/xml; charset=utf-8',
  encode: (body) => `<?xml version="1.0" encoding="UTF-8"?>\n${xmlText(body, [])}`,
  parse: parseAnswer,
  parseNothing: () => {
    throw new BadResponseError('Expected XML, got an empty body.');
  },
  parseRefusal: (answer, setting) => {
    try {
      const { name, children } = parseAnswer(answer, setting);
      const said = children.map(({ text }) => text.trim()).filter((text) => text !== '');
      return name === 'errors' && said.length > 0 ? { status: 'error', message: said.join('; ') } : undefined;
    } catch {
      return undefined; // a refusal's status says enough
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

/** How far into an answer its first element is looked for, in bytes. */
const BEGINNING = 200;

const WEB_PAGE = /<(?:!doctype\s+)?html/iy;

/** What nobody reads may come in any type, and be a single space: but a web page is no answer of the API. */
function assertNotPage({ body }: Body, setting: string): void {
  const beginning = Buffer.concat(body).toString('utf8', 0, BEGINNING);
  WEB_PAGE.lastIndex = endOfPrologue(beginning);
  if (!WEB_PAGE.test(beginning)) return;
  throw new BadResponseError(`Expected XML, got a web page: is the address in ${setting} right?`);
}

/** Where the white space, the comments and the processing instructions end that a text begins with. */
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

/** A page of HTML, or JSON: most likely the address is wrong. */
function assertXmlType({ contentType }: Body, setting: string): void {
  if (contentType === '' || (/[/+]xml\b/i.test(contentType) && !/html/i.test(contentType))) return;
  throw new BadResponseError(`Expected XML, got another type of content: is the address in ${setting} right?`);
}

/** An object as elements by its keys, which are ours. What is undefined is left out, null is `nil`. */
function xmlText(value: unknown, path: readonly string[]): string {
  if (isObject(value)) {
    const given = Object.entries(value).filter(([, child]) => child !== undefined);
    return given.map(([name, child]) => xmlTag(name, child, [...path, name])).join('');
  }
  return escaped(String(value), path);
}

function xmlTag(name: string, value: unknown, path: readonly string[]): string {
  return value === null ? `<${name} nil="true"/>` : `<${name}>${xmlText(value, path)}</${name}>`;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;', // else it would be read as a line feed
};

/** @throws ValidationError for what XML 1.0 has no way to write, with the name of the field */
function escaped(text: string, path: readonly string[]): string {
  const field = path.at(-1) ?? '';
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) {
    const reason = 'holds a control character or half of a surrogate pair, which XML cannot carry';
    throw invalidInput(field, reason);
  }
  return text.replaceAll(/[&<>"\r]/g, (character) => references[character] ?? character);
}
