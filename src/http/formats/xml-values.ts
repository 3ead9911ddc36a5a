import { type JsonObject, onceById, readableRows, recordId, type UpstreamRecord } from './decode.ts';
import { BadResponseError } from '../errors.ts';
import { isExact } from './leaves.ts';
import type { Rows } from '../rows.ts';
import type { XmlElement } from './xml-document.ts';
import { isBlank } from './xml-markup.ts';

/** Values of `type` whose elements are no texts. */
const TRIMMED_TYPES: ReadonlySet<string> = new Set([
  'integer',
  'float',
  'double',
  'decimal',
  'datetime',
  'dateTime',
  'date',
  'time',
  'boolean',
]);

/**
 * Converts an element to a JSON value: `nil="true"` to null, as also `xsi:nil` and `nil="1"`, `type="array"` to a list, an element with child elements to
 * an object. Every other element becomes text, which the decoders of leaves.ts read. Not
 * documented (A208): white space around values; that of a `type` that is no text is removed.
 */
export function xmlValue(element: XmlElement): unknown {
  if (isNil(element)) return null;
  if (element.attributes['type'] === 'array') return xmlItems(element).map(xmlValue);
  if (element.children.length > 0) return xmlObject(element);
  return TRIMMED_TYPES.has(element.attributes['type'] ?? '') ? element.text.trim() : element.text;
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
  return Object.assign(fields, { id: recordId(typeof id === 'string' ? id.trim() : id), [ELEMENT]: element });
}

/** The key of the element of a record. Copies of the record keep it. */
const ELEMENT = Symbol('element');

/** A record that was decoded from an element. */
export interface XmlRecord {
  readonly [ELEMENT]?: XmlElement;
}

/** The fields of a decoded record by the names of their elements, each as the attributes of its element say. */
export function typedFields({ [ELEMENT]: element }: XmlRecord): JsonObject {
  return element ? Object.fromEntries(element.children.map((child) => [child.name, typedValue(child)])) : {};
}

/** Converts an element as `xmlValue` does, and its text by its `type`: numbers that JavaScript holds exactly, and booleans. */
function typedValue(element: XmlElement): unknown {
  const { children, attributes } = element;
  if (attributes['type'] === 'array') return xmlItems(element).map(typedValue);
  if (children.length > 0) return Object.fromEntries(children.map((child) => [child.name, typedValue(child)]));
  const value = xmlValue(element);
  const read = READ_BY_TYPE.get(attributes['type'] ?? '');
  return read && typeof value === 'string' ? (read(value) ?? value) : value;
}

const exactNumber = (text: string) => (text !== '' && isExact(Number(text)) ? Number(text) : undefined);
const trueOrFalse = (text: string) => (/^(?:true|false)$/.test(text) ? text === 'true' : undefined);

/** Undefined for a text that is none of the type. */
const READ_BY_TYPE: ReadonlyMap<string, (text: string) => unknown> = new Map<string, (text: string) => unknown>([
  ...['integer', 'float', 'double', 'decimal'].map((type) => [type, exactNumber] as const),
  ['boolean', trueOrFalse],
]);
