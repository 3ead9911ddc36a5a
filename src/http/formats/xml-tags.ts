import { decodeEntities } from './xml-entities.ts';
import { brokenXml } from './xml-syntax.ts';

/** The tag that begins an element. */
export interface XmlTag {
  readonly name: string;
  /** By their names. Entities are decoded once, and each white space is a space. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether it is the whole element: `<a/>`. */
  readonly isEmpty: boolean;
}

const name = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.\-]*`;
const space = String.raw`[ \t\r\n]`;
const equals = `${space}*=${space}*`;

const NAME = new RegExp(`^${name}$`, 'u');
const TAG = new RegExp(`^(${name})((?:${space}+${name}${equals}(?:"[^<"]*"|'[^<']*'))*)${space}*(/?)$`, 'u');
/** Matches one attribute after the other. */
const ATTRIBUTES = new RegExp(`${space}+(${name})${equals}(?:"([^<"]*)"|'([^<']*)')`, 'guy');

/** Names that could reach a prototype. The parser refuses them for elements only. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads the tag that begins an element.
 *
 * @param source the tag without `<` and `>`
 * @throws BadResponseError for a tag that is not well-formed, an attribute that occurs twice, and an unknown entity
 */
export function readTag(source: string): XmlTag {
  const [, name, attributes = '', slash] = TAG.exec(source) ?? [];
  if (name === undefined) throw brokenXml();
  return { name, attributes: readAttributes(attributes), isEmpty: slash === '/' };
}

/** Whether a text can be the name of an element, an attribute or an instruction. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

function readAttributes(source: string): Record<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', quoted, singleQuoted = ''] of source.matchAll(ATTRIBUTES)) {
    if (attributes.has(name) || RESERVED_NAMES.has(name)) throw brokenXml();
    attributes.set(name, decodeEntities((quoted ?? singleQuoted).replaceAll(/\r\n?|[\t\n]/g, ' ')));
  }
  return Object.fromEntries(attributes);
}
