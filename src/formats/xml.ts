import { isObject, type JsonObject } from './decode.ts';
import { BadResponseError, invalidInput } from '../errors.ts';
import type { Body, Format, Hold } from './format.ts';
import { assertUnpacked, json } from './json.ts';
import { byteLength, joined } from './utf8.ts';
import { parseXml, type XmlElement } from './xml-document.ts';
import { decodeXmlBytes, markedUtf16 } from './xml-encoding.ts';
import { FORBIDDEN_CHARACTERS } from './xml-entities.ts';

/** Encodes requests as XML and parses responses that should be XML. */
export const xml: Format<XmlElement> = {
  accept: 'application/xml',
  contentType: 'application/xml',
  encode: (body) => `<?xml version="1.0" encoding="UTF-8"?>\n${xmlText(body, [])}`,
  parse: parseAnswer,
  parseRefusal: (answer, setting) => {
    try {
      return refusalIn(parseAnswer(answer, setting));
    } catch {
      return plainText(answer, setting);
    }
  },
  salvage: () => undefined, // no text of the forum is handed out once
  refusalIn,
  assertNotWebPage: assertNotPage,
};

/**
 * Reads the plain text of a refusal. Not documented (A170): where it is no XML. One with `<` is none: markup is not shown, and the
 * redactor would not find a secret that CDATA sections split.
 */
function plainText(answer: Body, setting: string): string | undefined {
  const refusal = json.parseRefusal(answer, setting);
  return typeof refusal === 'string' && !refusal.includes('<') ? refusal : undefined;
}

/**
 * Converts an answer to the shape that a refusal has in JSON. Not documented (A219, A200): an element may have `status`, `message`,
 * `error` and `errors` as JSON has. `<errors>` has a text in each element, and as the root it is a refusal.
 */
function refusalIn(root: XmlElement): unknown {
  if (root.name === 'errors' || root.name === 'error') return { errors: textsIn(root) };
  return fieldsOf(root, 1);
}

/** Records are at most so deep: `<hash><post><id>`. */
const MAX_FIELD_DEPTH = 3;

function fieldsOf(element: XmlElement, depth: number): JsonObject {
  return Object.fromEntries(element.children.map((child) => [child.name, valueOf(child, depth)]));
}

function valueOf(element: XmlElement, depth: number): unknown {
  if (element.attributes['nil'] === 'true') return null;
  if (element.name === 'errors') return textsIn(element);
  return element.children.length > 0 && depth < MAX_FIELD_DEPTH ? fieldsOf(element, depth + 1) : element.text.trim();
}

/** The texts of the elements inside, or the element's own one. */
function textsIn({ children, text }: XmlElement): string[] {
  return [text, ...children.map((child) => child.text)].map((each) => each.trim()).filter((each) => each !== '');
}

/** The memory of the parsed elements for each byte of XML, an upper bound: an ordinary page of 1 MB takes 7 MB. */
const MEMORY_PER_BYTE = 20;

function parseAnswer(answer: Body, setting: string, hold: Hold = () => {}): XmlElement {
  assertUnpacked(answer);
  assertXmlType(answer, setting);
  hold(byteLength(answer.body) * MEMORY_PER_BYTE);
  const text = decodeXmlBytes(joined(answer.body), answer.contentType);
  if (text.trim() === '') throw new BadResponseError('Expected XML, got an empty body.');
  return parseXml(text);
}

/** The first element of a web page is looked for within this many bytes. */
const BEGINNING_BYTES = 200;

const WEB_PAGE = /<(?:!doctype\s+)?html/iy;

/** Refuses a web page. A response whose body is not used may otherwise have any content type and any text. */
function assertNotPage({ body }: Body, setting: string): void {
  const bytes = joined(body);
  const beginning = new TextDecoder(markedUtf16(bytes)).decode(bytes.subarray(0, BEGINNING_BYTES));
  WEB_PAGE.lastIndex = endOfPrologue(beginning);
  if (!WEB_PAGE.test(beginning)) return;
  throw new BadResponseError(
    `Expected XML, got a web page: is the address in ${setting} right? Its path may be wrong.`,
  );
}

/** The position after the leading white space, comments and processing instructions of a text. */
function endOfPrologue(text: string): number {
  let end = 0;
  while (end < text.length) {
    const rest = text.slice(end);
    const opening = ['<!--', '<?'].find((mark) => rest.startsWith(mark));
    if (opening === undefined) {
      const content = rest.trimStart();
      if (content.length === rest.length) return end;
      end = text.length - content.length;
      continue;
    }
    const closing = opening === '<?' ? '?>' : '-->';
    const closed = rest.indexOf(closing, opening.length);
    if (closed === -1) return end;
    end += closed + closing.length;
  }
  return end;
}

/** Refuses HTML and JSON: the address is most likely wrong. */
function assertXmlType({ contentType }: Body, setting: string): void {
  if (contentType === '' || (/[/+]xml\b/i.test(contentType) && !/html/i.test(contentType))) return;
  throw new BadResponseError(
    `Expected XML, got another type of content: is the address in ${setting} right? Its path may be wrong.`,
  );
}

/** Writes an object as elements named by its keys. Leaves out undefined values, and writes null as `nil="true"`. */
function xmlText(value: unknown, path: readonly string[]): string {
  if (isObject(value)) {
    const given = Object.entries(value).filter(([, child]) => child !== undefined);
    return given.map(([name, child]) => xmlTag(name, child, [...path, name])).join('');
  }
  return escapeText(String(value), path);
}

function xmlTag(name: string, value: unknown, path: readonly string[]): string {
  return value === null ? `<${name} nil="true"/>` : `<${name}>${xmlText(value, path)}</${name}>`;
}

const escapeSequences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;', // a plain carriage return would be read as a line feed
};

/** @throws ValidationError for a character that XML 1.0 cannot write, with the name of the field */
function escapeText(text: string, path: readonly string[]): string {
  const field = path.at(-1) ?? '';
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) {
    const reason = 'holds a control character or half of a surrogate pair, which XML cannot carry';
    throw invalidInput(field, reason);
  }
  return text.replaceAll(/[&<>"\r]/g, (character) => escapeSequences[character] ?? character);
}
