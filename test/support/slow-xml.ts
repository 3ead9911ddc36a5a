import { XMLParser } from 'fast-xml-parser';
import { BadResponseError } from '../../src/errors.ts';
import { isObject, type JsonObject } from '../../src/formats/decode.ts';
import type { XmlElement } from '../../src/formats/xml-document.ts';
import { decodeEntities } from '../../src/formats/xml-entities.ts';

// A second, slow way to read XML, which tests compare with the first: one pattern checks the whole document, the parser
// builds an ordered tree with all attributes, and the tree is converted.

const TEXT = '#text';
const CDATA = '#cdata';
const COMMENT = '#comment';
const PARSED_ATTRIBUTES = ':@';
/** Begins each name, perhaps twice, as the parser refuses some, such as `constructor`. */
const MARK = '\u0001';

// The parser converts no text: the attributes tell which element is null or a list. It keeps the order of the document, so
// that a list of one item and nested elements of one name stay distinct.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false, // `decodeEntities` decodes them once, and not in CDATA
  cdataPropName: CDATA,
  commentPropName: COMMENT, // else the texts around a comment would be joined, and half an entity with its other half
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false, // the path is not used, and joining it for every text and attribute costs time
  transformTagName: (name) => MARK + name,
  attributeNamePrefix: MARK,
});

/**
 * Parses a text as XML.
 *
 * @throws BadResponseError for a text that is not well-formed, and for any DOCTYPE: it could define entities of any size
 */
export function slowXml(text: string): XmlElement {
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
    throw brokenXml(); // nested too deeply
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
    else if (name !== undefined && name !== COMMENT) {
      const { children: inner, text: innerText } = contentOf(node[name]);
      children.push({
        name: name.replaceAll(MARK, ''),
        attributes: attributesOf(node[PARSED_ATTRIBUTES]),
        children: inner,
        text: innerText,
      });
    }
  }
  return { children, text };
}

function nameOf(node: JsonObject): string | undefined {
  for (const key in node) if (key !== PARSED_ATTRIBUTES) return key;
  return undefined;
}

function attributesOf(attributes: unknown): Record<string, string> {
  if (!isObject(attributes)) return {};
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.slice(MARK.length),
      decodeEntities(String(value).replaceAll(/[\t\n]/g, ' ')),
    ]),
  );
}

/** The text of CDATA, in which nothing is decoded. */
function rawText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((node) => (isObject(node) ? String(node[TEXT] ?? '') : '')).join('');
}

/** Characters that XML 1.0 cannot write, not even as a reference. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

const name = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.\-]*`;
const space = String.raw`[ \t\r\n]`;
const value = `${space}*=${space}*(?:"[^<"]*"|'[^<']*')`;
/** Matches one attribute after the other. Sticky, so that each character is read once. */
const ATTRIBUTES = new RegExp(`${space}+(${name})${value}`, 'guy');

const DECLARATION = new RegExp(
  `^${space}*<\\?xml${space}+version${space}*=${space}*(?:"1\\.\\d+"|'1\\.\\d+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[\\w.-]+"|'[\\w.-]+'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);

/**
 * Matches one piece of a document: text, a tag, CDATA, a comment or an instruction. A DOCTYPE does not match. Groups are
 * numbered: named groups would create an object per piece.
 */
const PIECES = new RegExp(
  [
    '([^<]+)',
    `<(${name})((?:${space}+${name}${value})*)${space}*(/?)>`,
    `</(${name})${space}*>`,
    String.raw`(<!\[CDATA\[)[^]*?\]\]>`,
    '<!--([^]*?)-->',
    String.raw`<\?(${name})(?:${space}[^]*?)?\?>`,
  ].join('|'),
  'uy',
);

/** Checks a text: `whole` when all of it is one XML document, else `rest` is the text from the first unknown piece on. */
function checkWellFormed(text: string): { readonly whole: boolean; readonly rest: string } {
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) return { whole: false, rest: '' };
  const document = text.replace(DECLARATION, '');
  const open: string[] = [];
  let rootCount = 0;
  let checkedLength = 0;
  PIECES.lastIndex = 0;
  for (let piece = PIECES.exec(document); piece !== null; piece = PIECES.exec(document)) {
    if (open.length === 0 && piece[2] !== undefined) rootCount += 1;
    if (!isAllowed(piece, open)) return { whole: false, rest: '' };
    checkedLength = PIECES.lastIndex;
  }
  const rest = document.slice(checkedLength);
  return { whole: rest === '' && rootCount === 1 && open.length === 0, rest };
}

/** Whether a piece is allowed at its place. Updates `open`, the names of the open elements. */
function isAllowed(piece: RegExpExecArray, open: string[]): boolean {
  const [, text, openedName, attributes = '', empty, closedName, cdata, comment, instruction] = piece;
  if (text !== undefined) return open.length > 0 ? !text.includes(']]>') : isBlank(text);
  if (closedName !== undefined) return open.pop() === closedName;
  if (cdata !== undefined) return open.length > 0;
  if (comment !== undefined) return !`${comment}-`.includes('--');
  if (instruction !== undefined) return !/^xml$/i.test(instruction);
  if (openedName !== undefined && empty === '') open.push(openedName);
  return namesAreUnique(attributes);
}

function namesAreUnique(attributes: string): boolean {
  if (attributes.indexOf('=') === attributes.lastIndexOf('=')) return true; // at most one attribute
  const names = Array.from(attributes.matchAll(ATTRIBUTES), ([, key]) => key);
  return new Set(names).size === names.length;
}

/** Whether a text holds nothing but white space as XML defines it. */
function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
