import { type MatcherView, XMLParser } from 'fast-xml-parser';
import { BadResponseError } from '../errors.ts';
import { decodeEntities } from './xml-entities.ts';
import { brokenXml, isBlank, MARK, readMarkup, type XmlMarkup, type XmlTag } from './xml-markup.ts';

/** An element of an XML document. */
export interface XmlElement extends Pick<XmlTag, 'name' | 'attributes'> {
  readonly children: readonly XmlElement[];
  /** Its own text, CDATA included, entities decoded once. */
  readonly text: string;
}

/**
 * Parses a text as XML.
 *
 * @throws BadResponseError for a text that is not well-formed, and for any DOCTYPE
 */
export function parseXml(text: string): XmlElement {
  try {
    const document = readMarkup(text.replace(/^\uFEFF/, ''));
    const elements = new ElementBuilder(document);
    parserFor(elements).parse(document.text);
    return elements.root();
  } catch (error) {
    if (error instanceof BadResponseError) throw error;
    throw brokenXml(); // nested too deeply
  }
}

/** The parser allows 100 open elements by itself. One more is around the document. */
const MAX_NESTED_TAGS = 101;

/** Creates a parser that reports tags and texts in the order of the document. It keeps no tree of its own, and converts no text. */
function parserFor(elements: ElementBuilder): XMLParser {
  return new XMLParser({
    preserveOrder: true,
    ignoreAttributes: true,
    parseTagValue: false,
    trimValues: false,
    processEntities: false,
    maxNestedTags: MAX_NESTED_TAGS,
    jPath: false, // the path is given as an object: joining it for every text costs time
    transformTagName: (name) => {
      if (name.startsWith(MARK)) return name;
      elements.end(name);
      return MARK; // any will do, and the parser refuses some, such as `constructor`
    },
    updateTag: (key, path) => {
      elements.start(key, depthOf(path));
      return false; // the parser forgets it
    },
    tagValueProcessor: (_key, text, path) => {
      elements.addText(text, depthOf(path));
      return '';
    },
  });
}

/** The depth of the element that the parser is at. That of the root is 2. */
function depthOf(path: string | MatcherView): number {
  if (typeof path === 'string') throw new TypeError('The option jPath should be off.');
  return path.getDepth();
}

interface OpenElement extends XmlElement {
  readonly children: OpenElement[];
  text: string;
}

/** Builds the elements of a document from what the parser reports, and checks that each one ends by its name. */
class ElementBuilder {
  readonly #markup: XmlMarkup;
  /** The element at each depth that was started last. */
  readonly #path: OpenElement[] = [];
  /** The depth of the innermost element that is open. */
  #depth = 0;

  constructor(markup: XmlMarkup) {
    this.#markup = markup;
  }

  start(key: string, depth: number): void {
    const tag = this.#markup.tags.get(key);
    if (tag === undefined) throw brokenXml();
    const element = { name: tag.name, attributes: tag.attributes, children: [], text: '' };
    this.#path[depth - 1]?.children.push(element);
    this.#path[depth] = element;
    this.#depth = tag.isEmpty ? depth - 1 : depth;
  }

  /** @throws BadResponseError for the name of another element than the one that is open */
  end(name: string): void {
    if (this.#path[this.#depth]?.name !== name) throw brokenXml();
    this.#depth -= 1;
  }

  /** @throws BadResponseError for text beside the root, and for an unknown entity */
  addText(text: string, depth: number): void {
    const element = this.#path[depth];
    if (depth === 1 && !isBlank(text)) throw brokenXml();
    if (element) element.text += decodeEntities(text, this.#markup.cdata);
  }

  /** @throws BadResponseError for none or two of them */
  root(): XmlElement {
    const [root, second] = this.#path[1]?.children ?? [];
    if (root === undefined || second !== undefined) throw brokenXml();
    return root;
  }
}
