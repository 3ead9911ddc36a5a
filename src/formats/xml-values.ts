import { type JsonObject, onceById, readableRows, recordId, type UpstreamRecord } from './decode.ts';
import { BadResponseError } from '../errors.ts';
import type { Rows } from './rows.ts';
import type { XmlElement } from './xml-document.ts';
import { isBlank } from './xml-markup.ts';

/**
 * Converts an element to a JSON value: `nil="true"` to null, as also `xsi:nil` and `nil="1"`, `type="array"` to a list, an element with child elements to
 * an object, and numbers and booleans by their types. Every other element becomes text, which the decoders of leaves.ts read. Not
 * documented (A208): white space around values; that of a `type` that is no text is removed.
 */
export function xmlValue(element: XmlElement): unknown {
  if (isNil(element)) return null;
  if (element.attributes['type'] === 'array') return xmlItems(element).map(xmlValue);
  if (element.children.length > 0) return xmlObject(element);
  return typedText(element.attributes['type'] ?? '', element.text);
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'float', 'double', 'decimal']);

/** Values of `type` whose elements are no texts. */
const TRIMMED_TYPES = new Set([...NUMBER_TYPES, 'datetime', 'dateTime', 'date', 'time', 'boolean']);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** The value of a text of this type; the text itself where JavaScript would write it in another way. */
function typedText(type: string, written: string): string | number | boolean {
  if (!TRIMMED_TYPES.has(type)) return written;
  const value = written.trim();
  if (type === 'boolean') return BOOLEANS.get(value) ?? value;
  return NUMBER_TYPES.has(type) && String(Number(value)) === value && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** Whether it says that it has no value. Not documented (A253): as XML Schema does, in a namespace and with two ways to write true. */
function isNil({ attributes }: XmlElement): boolean {
  for (const name in attributes)
    if (name === 'nil' || name.endsWith(':nil')) return /^(?:true|1)$/.test(attributes[name] ?? '');
  return false;
}

/** Converts the child elements to an object keyed by their names. @throws BadResponseError as `xmlParts` does */
export function xmlObject(element: XmlElement): JsonObject {
  return Object.fromEntries(Array.from(xmlParts(element), ([name, child]) => [name, xmlValue(child)]));
}

/**
 * Returns the child elements by their names.
 *
 * @throws BadResponseError for text between them, and for a name that occurs twice: one of them would be lost
 */
export function xmlParts(element: XmlElement): ReadonlyMap<string, XmlElement> {
  const children = xmlItems(element);
  const parts = new Map(children.map((child) => [child.name, child]));
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
 * Decodes the records of a list. Items that are no record are left out, and are a problem of the list.
 *
 * @param item the name of each item's element
 * @throws BadResponseError for text between the items
 */
export function xmlRecords(element: XmlElement, item: string): Rows<UpstreamRecord> {
  const read = onceById((child: XmlElement) => {
    const hasId = child.children.some(({ name }) => name === 'id');
    return hasId ? xmlRecord(child) : 'A record has no id.';
  });
  return readItems(element, item, read);
}

/** Decodes the objects of a list, as `xmlRecords` decodes records. */
export function xmlObjects(element: XmlElement, item: string): Rows<JsonObject> {
  return readItems(element, item, xmlObject);
}

/** Reads the items that can be read. `read` gives a text that says why one cannot, or throws a BadResponseError. */
function readItems<T extends object>(
  element: XmlElement,
  item: string,
  read: (child: XmlElement) => T | string | undefined,
): Rows<T> {
  return readableRows(xmlItems(element), (child) => {
    if (child.name !== item) return `Expected <${item}>, got another element.`;
    try {
      return read(child);
    } catch (error) {
      if (error instanceof BadResponseError) return error.message;
      throw error;
    }
  });
}

/** Decodes a record. White space around its id is no part of it. @throws BadResponseError for an element without an id */
export function xmlRecord(element: XmlElement): UpstreamRecord {
  const fields = xmlObject(element);
  const { id } = fields;
  return Object.assign(fields, { id: recordId(typeof id === 'string' ? id.trim() : id) });
}
