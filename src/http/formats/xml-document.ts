import { type MatcherView, XMLParser } from 'fast-xml-parser';
import { BadResponseError } from '../errors.ts';
import { checkWellFormed } from './well-formed.ts';
import { decodeEntities } from './xml-entities.ts';
import { brokenXml } from './xml-syntax.ts';
import type { XmlTag } from './xml-tags.ts';

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
  const document = checkWellFormed(text.replace(/^\uFEFF/, ''));
  const elements = new ElementBuilder(document.tags);
  try {
    parserFor(elements).parse(document.text);
  } catch (error) {
    if (error instanceof BadResponseError) throw error;
    throw brokenXml(); // nested too deeply, or a name such as `__proto__`
  }
  return elements.root();
}

/**
 * Creates a parser that reports elements and texts in the order of the document. It keeps no tree of its own, converts no
 * text and reads no attribute: the check has read them, and they tell which element is null or a list.
 */
function parserFor(elements: ElementBuilder): XMLParser {
  return new XMLParser({
    preserveOrder: true,
    ignoreAttributes: true,
    ignorePiTags: true,
    parseTagValue: false,
    trimValues: false,
    entityDecoder, // it is not called for CDATA
    jPath: false, // the path is given as an object: joining it for every text costs time
    onDangerousProperty: (name) => name, // `toString` is a normal name here
    updateTag: (name, path) => {
      elements.start(name, depthOf(path));
      return false; // the parser forgets it
    },
    tagValueProcessor: (_name, text, path) => {
      elements.addText(text, depthOf(path));
      return '';
    },
  });
}

/** The depth of the element that the parser is at. That of the root is 1. */
function depthOf(path: string | MatcherView): number {
  if (typeof path === 'string') throw new TypeError('The option jPath should be off.');
  return path.getDepth();
}

const entityDecoder = {
  decode: decodeEntities,
  // Without a DOCTYPE there are no entities but those that it knows.
  reset: () => undefined,
  setXmlVersion: () => undefined,
  addInputEntities: () => undefined,
  setExternalEntities: () => undefined,
};

interface OpenElement extends XmlElement {
  readonly children: OpenElement[];
  text: string;
}

/** Builds the elements of a document from what the parser reports. */
class ElementBuilder {
  readonly #tags: readonly XmlTag[];
  /** The element at each depth that was started last. The root is at depth 1. */
  readonly #path: OpenElement[] = [];
  #count = 0;

  constructor(tags: readonly XmlTag[]) {
    this.#tags = tags;
  }

  /** @throws BadResponseError when the parser read another tag than the check */
  start(name: string, depth: number): void {
    const tag = this.#tags[this.#count++];
    if (tag?.name !== name) throw brokenXml();
    const element = { name: tag.name, attributes: tag.attributes, children: [], text: '' };
    this.#path[depth] = element;
    this.#path[depth - 1]?.children.push(element);
  }

  addText(text: string, depth: number): void {
    const element = this.#path[depth];
    if (element) element.text += text;
  }

  root(): XmlElement {
    const root = this.#path[1];
    if (root === undefined || this.#count !== this.#tags.length) throw brokenXml();
    return root;
  }
}
