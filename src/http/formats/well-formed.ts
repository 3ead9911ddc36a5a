import { BadResponseError } from '../errors.ts';
import { brokenXml, FORBIDDEN_CHARACTERS, isBlank } from './xml-syntax.ts';
import { isName, readTag, type XmlTag } from './xml-tags.ts';

// Checks whether a text is well-formed XML. The parser accepts many texts that are not.

/** A document that is well-formed. */
export interface CheckedDocument {
  /** The tags that begin an element, in the order of the document. */
  readonly tags: readonly XmlTag[];
  /** The document with empty instructions: the parser would misread a quote in one. */
  readonly text: string;
}

const space = String.raw`[ \t\r\n]`;

const DECLARATION = new RegExp(
  `^<\\?xml${space}+version${space}*=${space}*(?:"1\\.\\d+"|'1\\.\\d+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[\\w.-]+"|'[\\w.-]+'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);

/** Matches the rest of a tag. A `>` between quotes is no end of it. */
const TAG = /[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y;

/**
 * Checks a text.
 *
 * @throws BadResponseError for a text that is not well-formed, and for any DOCTYPE: it could define entities of any size
 */
export function checkWellFormed(text: string): CheckedDocument {
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) throw brokenXml();
  return new Check(text.replace(DECLARATION, '')).run();
}

/** Reads a text once. Each `read` method reads the piece that begins at `start`, and returns the position after it. */
class Check {
  readonly #text: string;
  readonly #tags: XmlTag[] = [];
  /** Tags by their source: most tags of a document are equal to an earlier one. */
  readonly #knownTags = new Map<string, XmlTag>();
  /** The names of the open elements. */
  readonly #open: string[] = [];
  /** The position of the next `]]>` from the last text on. */
  #cdataEnd = -1;
  /** The text up to `#copiedLength`, with empty instructions. */
  #copy = '';
  #copiedLength = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): CheckedDocument {
    let position = 0;
    for (let next = this.#text.indexOf('<'); next !== -1; next = this.#text.indexOf('<', position)) {
      this.#checkText(position, next);
      position = this.#readMarkup(next);
    }
    this.#checkText(position, this.#text.length);
    if (this.#open.length > 0 || this.#tags.length === 0) throw brokenXml();
    return { tags: this.#tags, text: this.#copy + this.#text.slice(this.#copiedLength) };
  }

  #checkText(start: number, end: number): void {
    const isAllowed = this.#open.length > 0 ? this.#nextCdataEnd(start) >= end : isBlank(this.#text.slice(start, end));
    if (!isAllowed) throw brokenXml();
  }

  /** Returns the position of the next `]]>`, which a text must not hold. It is looked for once, not for each text. */
  #nextCdataEnd(start: number): number {
    if (this.#cdataEnd >= start) return this.#cdataEnd;
    const found = this.#text.indexOf(']]>', start);
    this.#cdataEnd = found === -1 ? this.#text.length : found;
    return this.#cdataEnd;
  }

  #readMarkup(start: number): number {
    switch (this.#text[start + 1]) {
      case '/':
        return this.#readEnd(start + 2);
      case '?':
        return this.#readInstruction(start + 2);
      case '!':
        return this.#readCommentOrCdata(start);
      default:
        return this.#readStart(start + 1);
    }
  }

  #readStart(start: number): number {
    TAG.lastIndex = start;
    const isSecondRoot = this.#open.length === 0 && this.#tags.length > 0;
    if (isSecondRoot || !TAG.test(this.#text)) throw brokenXml();
    const end = TAG.lastIndex;
    const tag = this.#tagOf(this.#text.slice(start, end - 1));
    this.#tags.push(tag);
    if (!tag.isEmpty) this.#open.push(tag.name);
    return end;
  }

  #tagOf(source: string): XmlTag {
    const known = this.#knownTags.get(source);
    if (known) return known;
    const tag = readTag(source);
    this.#knownTags.set(source, tag);
    return tag;
  }

  #readEnd(start: number): number {
    const name = this.#open.pop();
    if (name === undefined || !this.#text.startsWith(name, start)) throw brokenXml();
    const end = this.#find('>', start + name.length);
    if (!isBlank(this.#text.slice(start + name.length, end))) throw brokenXml();
    return end + 1;
  }

  #readCommentOrCdata(start: number): number {
    if (this.#text.startsWith('<!--', start)) {
      const end = this.#find('--', start + 4);
      if (this.#text[end + 2] !== '>') throw brokenXml();
      return end + 3;
    }
    const isCdata = this.#text.startsWith('<![CDATA[', start) && this.#open.length > 0;
    if (isCdata) return this.#find(']]>', start) + 3;
    if (/^<!DOCTYPE/i.test(this.#text.slice(start))) throw new BadResponseError('Expected XML without a DOCTYPE.');
    throw brokenXml();
  }

  #readInstruction(start: number): number {
    const end = this.#find('?>', start);
    const [name = ''] = this.#text.slice(start, end).split(/[ \t\r\n]/, 1);
    if (!isName(name) || name.toLowerCase() === 'xml') throw brokenXml(); // a declaration only begins a document
    this.#copy += this.#text.slice(this.#copiedLength, start);
    this.#copiedLength = end;
    return end + 2;
  }

  #find(mark: string, start: number): number {
    const found = this.#text.indexOf(mark, start);
    if (found === -1) throw brokenXml();
    return found;
  }
}
