import { XMLParser } from 'fast-xml-parser';
import { isObject, type JsonObject } from './decode.ts';
import { BadResponseError } from '../errors.ts';
import { checkWellFormed } from './well-formed.ts';
import { decodeEntities } from './xml-entities.ts';

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
