import { BadResponseError } from '../errors.ts';
import { decodeEntities, FORBIDDEN_CHARACTERS } from './xml-entities.ts';

// Checks the markup of an XML document, and shortens it for the parser, which accepts much that is not well-formed, is slow at
// attributes, and takes a quote in an instruction for the begin of a value.

/** The tag that begins an element. */
export interface XmlTag {
  readonly name: string;
  /** By their names. Entities are decoded once, and each white space is a space. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether it is the whole element: `<a/>`. */
  readonly isEmpty: boolean;
}

/** A document whose tags, comments, CDATA and instructions are well-formed. Its elements may still overlap. */
export interface XmlMarkup {
  /**
   * The document within an element without a name, so that the parser reports text beside the root. Start tags are named by
   * their keys, CDATA are entities, and comments and instructions are left out.
   */
  readonly text: string;
  /** The start tags by their keys. Equal ones have one key. */
  readonly tags: ReadonlyMap<string, XmlTag>;
  /** The texts of CDATA by the names of their entities. */
  readonly cdata: ReadonlyMap<string, string>;
}

/**
 * How much each MiB of a document may hold. Not documented (A254). A MiB of suggestions, comments or users has 35,000 tags at most, 14 of
 * them distinct, and 16,000 CDATA sections where every text is one. A tag costs 1 to 2 µs, a distinct one 5 µs more, an attribute of
 * that 1 µs and a CDATA section 2 µs: a MiB of nothing else blocked the event loop for up to six times as long as a page does.
 */
const LIMITS = {
  tags: 60_000,
  'distinct tags': 5_000,
  'attributes in distinct tags': 15_000,
  'CDATA sections': 30_000,
};

const MEBIBYTE = 2 ** 20;

/** Begins the keys of tags and CDATA. No document can hold it. */
export const MARK = '\u0001';

/** Stands in the place of a comment or an instruction until it is known that none is within a tag or an entity. */
const ASIDE = '\u0002';

/** The element around the document. */
const AROUND: XmlTag = { name: '', attributes: {}, isEmpty: false };

const space = String.raw`[ \t\r\n]`;
const name = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.\-]*`;
const equals = `${space}*=${space}*`;
const value = `(?:"[^"<${MARK}${ASIDE}]*"|'[^'<${MARK}${ASIDE}]*')`;

/** Not documented (A253): blank lines before it, which pages of PHP have, and XML 1.0 forbids. */
const DECLARATION = new RegExp(
  `^${space}*<\\?xml${space}+version${equals}(?:"1\\.\\d+"|'1\\.\\d+')` +
    `(?:${space}+encoding${equals}(?:"[\\w.-]+"|'[\\w.-]+'))?` +
    `(?:${space}+standalone${equals}(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);

/** Matches what may hold any `<`. One that does not end is matched up to the end of the document, not to be searched again. */
const SECTION = /<(?:!--[^]*?(?:-->?|$)|!\[CDATA\[[^]*?(?:\]\]>|$)|\?[^]*?(?:\?>|$))/g;
const COMMENT = /^<!--[^]*-->$/;
const CDATA = /^<!\[CDATA\[([^]*)\]\]>$/;
const INSTRUCTION = new RegExp(String.raw`^<\?(?![xX][mM][lL][ \t\r\n?])${name}(?:${space}[^]*)?\?>$`, 'u');

const START_TAG = new RegExp(`<${name}(?:${space}+${name}${equals}${value})*${space}*/?>`, 'gu');
/** Matches one attribute after the other. */
const ATTRIBUTE = new RegExp(`${space}+(${name})${equals}(${value})`, 'guy');

/** Matches a `<` that begins neither a start tag that was read nor an end tag, the last one of which has no name. */
const OTHER_MARKUP = new RegExp(`<(?!${MARK}|/${name}${space}*>|/>$)`, 'u');

/** Matches an entity that a comment or an instruction cuts in two. */
const CUT_ENTITY = new RegExp(`&[^&;<]*${ASIDE}`);

/** Whether a text holds nothing but white space as XML defines it. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** The error for a document that is not well-formed. */
export function brokenXml(): BadResponseError {
  return new BadResponseError('Expected XML, got something that is broken or cut off.');
}

/**
 * Checks the markup of a document, and reads its start tags and CDATA.
 *
 * @throws BadResponseError for markup that is not well-formed, for more than the limits allow, and for any DOCTYPE: it could define
 * entities of any size
 */
export function readMarkup(document: string): XmlMarkup {
  if (FORBIDDEN_CHARACTERS.test(document) || !document.isWellFormed()) throw brokenXml();
  const check = limitCheck(document.length);
  const cdata = new Map<string, string>();
  const tags = new Tags(check);
  const lines = document.replace(DECLARATION, '').split(/\r\n?/).join('\n'); // `replaceAll` takes three times as long
  const text = `<${MARK}>${lines}</>`
    .replaceAll(SECTION, (section) => withoutSection(section, cdata, check))
    .replaceAll(START_TAG, (source) => tags.keyed(source));
  const other = OTHER_MARKUP.exec(text);
  if (other && /^<!DOCTYPE/i.test(text.slice(other.index)))
    throw new BadResponseError('Expected XML without a DOCTYPE.');
  if (other || text.includes(']]>') || CUT_ENTITY.test(text)) throw brokenXml();
  return { text: text.replaceAll(ASIDE, ''), tags: tags.byKey, cdata };
}

/** Checks how many of a part there are so far. @throws BadResponseError for more than its limit */
type LimitCheck = (part: keyof typeof LIMITS, count: number) => void;

function limitCheck(length: number): LimitCheck {
  const mebibytes = Math.ceil(length / MEBIBYTE); // more than one where MAX_XML_BYTES was raised
  return (part, count) => {
    const limit = LIMITS[part] * mebibytes;
    if (count <= limit) return;
    throw new BadResponseError(`Expected XML with at most ${limit} ${part}, got more.`);
  };
}

/** Returns what stands in the place of a section. One that is not well-formed stays, and is refused as other markup. */
function withoutSection(section: string, cdata: Map<string, string>, check: LimitCheck): string {
  if (COMMENT.test(section) || INSTRUCTION.test(section)) return ASIDE;
  const [, text] = CDATA.exec(section) ?? [];
  if (text === undefined) return section;
  const key = `${MARK}${cdata.size}`;
  cdata.set(key, text);
  check('CDATA sections', cdata.size);
  return `&${key};`;
}

/** The start tags of a document. */
class Tags {
  readonly byKey = new Map([[MARK, AROUND]]);
  readonly #keyed = new Map<string, string>();
  readonly #check: LimitCheck;
  #count = 0;
  #attributeCount = 0;

  constructor(check: LimitCheck) {
    this.#check = check;
  }

  /** Returns a tag that is named by its key. */
  keyed(source: string): string {
    this.#check('tags', (this.#count += 1));
    const known = this.#keyed.get(source);
    if (known !== undefined) return known;
    const tag = this.#read(source);
    const key = `${MARK}${this.byKey.size}`;
    const keyed = tag.isEmpty ? `<${key}/>` : `<${key}>`;
    this.byKey.set(key, tag);
    this.#keyed.set(source, keyed);
    this.#check('distinct tags', this.#keyed.size);
    return keyed;
  }

  /** @throws BadResponseError for an attribute that occurs twice, for more than the limit, and for an unknown entity */
  #read(source: string): XmlTag {
    const [name = ''] = /[^ \t\r\n/<>]+/.exec(source) ?? [];
    const attributes = new Map<string, string>();
    for (const [, key = '', quoted = ''] of source.slice(name.length + 1).matchAll(ATTRIBUTE)) {
      if (attributes.has(key)) throw brokenXml();
      this.#check('attributes in distinct tags', (this.#attributeCount += 1));
      attributes.set(key, decodeEntities(quoted.slice(1, -1).split('\t').join(' ').split('\n').join(' ')));
    }
    return { name, attributes: Object.fromEntries(attributes), isEmpty: source.endsWith('/>') };
  }
}
