import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';

/** An element to serialize. Null content is written as `nil="true"`. */
export interface Element {
  readonly name: string;
  readonly type?: 'datetime' | 'integer' | 'array';
  readonly content: string | null | readonly Element[];
}

export function textElement(name: string, text: string | null): Element {
  return { name, content: text };
}

export function integerElement(name: string, integer: number | null): Element {
  return { name, type: 'integer', content: integer === null ? null : String(integer) };
}

/** Not documented (A179): to the second, in UTC. */
export function datetimeElement(name: string, stamp: string): Element {
  return { name, type: 'datetime', content: stamp.replace(/\.\d+Z$/, 'Z') };
}

export function listElement(name: string, elements: readonly Element[]): Element {
  return { name, type: 'array', content: elements };
}

/** Serializes a document, with its XML declaration. */
export function serializeXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${serializeElement(root, '')}`;
}

function serializeElement({ name, type, content }: Element, indent: string): string {
  const tag = `${indent}<${name}${type === undefined ? '' : ` type="${type}"`}`;
  if (content === null) return `${tag} nil="true"/>\n`;
  if (typeof content === 'string') return `${tag}>${escapeText(content)}</${name}>\n`;
  if (content.length === 0) return `${tag}/>\n`;
  return `${tag}>\n${content.map((element) => serializeElement(element, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/** A character that XML 1.0 forbids, even as a reference: most control characters, and halves of surrogate pairs. */
const forbiddenCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const forbiddenCharacters = new RegExp(forbiddenCharacter, 'gu');

const charactersToEscape = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['\r', '&#13;'],
]);

/** Escapes a text and removes the characters that XML forbids. */
function escapeText(text: string): string {
  return text
    .replaceAll(forbiddenCharacters, '')
    .replaceAll(/[&<>\r]/g, (character) => charactersToEscape.get(character) ?? character);
}

/** A parsed element: its text and its child elements. */
export interface ParsedElement {
  readonly name: string;
  /** Null with `nil="true"`. */
  readonly text: string | null;
  readonly elements: readonly ParsedElement[];
}

/** A document that cannot be parsed. The message is for the caller. */
export class XmlError extends Error {}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false, // `decodeReferences` does it
  cdataPropName: '#cdata',
});

type Node = Readonly<Record<string, unknown>>;
const nodes = z.array(z.record(z.string(), z.unknown()));
const attributes = z.record(z.string(), z.string());

/**
 * Parses a document. The parser accepts much that is not XML, so this function checks for it.
 *
 * @returns the root element
 * @throws XmlError
 */
export function parseXml(source: string): ParsedElement {
  if (/<!DOCTYPE/i.test(withoutCdata(source))) throw new XmlError('A DOCTYPE is not accepted.');
  if (forbiddenCharacter.test(source)) throw new XmlError('The body holds a character that XML does not have.');
  if (XMLValidator.validate(source) !== true) throw malformed();
  const [declaration = ''] = /^<\?xml\s.*?\?>/s.exec(source) ?? [];
  const [, encoding = 'UTF-8'] = /\sencoding\s*=\s*["'](.*?)["']/.exec(declaration) ?? [];
  if (encoding.toUpperCase() !== 'UTF-8') throw new XmlError('The body must be UTF-8.');

  // The parser drops text that follows the root. Inside another element nothing is dropped.
  const [document = {}] = parseNodes(`<document>${source.slice(declaration.length)}</document>`);
  const members = nodes.parse(document['document']).filter((node) => !nameOf(node).startsWith('?') && !isSpace(node));
  const [root] = members;
  if (root === undefined || members.length > 1 || nameOf(root).startsWith('#')) throw malformed();
  return toElement(root);
}

function malformed(): XmlError {
  return new XmlError('The body is not well-formed XML.');
}

function withoutCdata(source: string): string {
  const [first = '', ...rest] = source.split('<![CDATA[');
  return first + rest.map((part) => part.slice(part.indexOf(']]>'))).join('');
}

function parseNodes(source: string): Node[] {
  try {
    return nodes.parse(parser.parse(source));
  } catch {
    throw malformed(); // or nested too deeply
  }
}

function toElement(node: Node): ParsedElement {
  const name = nameOf(node);
  const members = nodes.parse(node[name]);
  const nil = attributes.safeParse(node[':@']).data?.['nil'] === 'true';
  return {
    name,
    text: nil ? null : members.map(textOf).join(''),
    elements: members.filter((member) => !/^[#?]/.test(nameOf(member))).map(toElement),
  };
}

/** `#text`, `#cdata`, `?name` of an instruction, or the name of an element. */
function nameOf(node: Node): string {
  return Object.keys(node).find((name) => name !== ':@') ?? '';
}

function isSpace(node: Node): boolean {
  return nameOf(node) === '#text' && /^[ \t\n]*$/.test(String(node['#text']));
}

function textOf(node: Node): string {
  const name = nameOf(node);
  if (name === '#text') return decodeReferences(String(node[name]));
  return name === '#cdata'
    ? nodes
        .parse(node[name])
        .map((part) => String(part['#text']))
        .join('')
    : '';
}

const predefinedEntities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Decodes references once, so that `&amp;lt;` is `&lt;`. XML without a DOCTYPE has five named entities, and numbers. */
function decodeReferences(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (reference, name: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
    const code = hex === undefined ? Number(decimal ?? 'NaN') : Number.parseInt(hex, 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : predefinedEntities.get(name);
    if (character === undefined || !reference.endsWith(';') || forbiddenCharacter.test(character)) {
      throw new XmlError('The body refers to a character that there is not.');
    }
    return character;
  });
}
