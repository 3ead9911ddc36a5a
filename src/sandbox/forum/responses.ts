import { HttpError, type HttpResponse } from '../responses.ts';
import { type Element, listElement, serializeXml, textElement } from './xml.ts';

// Not documented (A170): the statuses and bodies of refusals, but that 422 lists errors in XML is known. All others are
// plain text.

/** A response with an XML document, and the root that it was written from. */
interface XmlResponse extends HttpResponse {
  readonly root: Element;
}

/** An XML document. */
export function xml(root: Element, status = 200): XmlResponse {
  return { status, headers: { 'Content-Type': 'application/xml; charset=utf-8' }, body: serializeXml(root), root };
}

/** The root of the XML document in a response, undefined when it has none. */
export function rootOf(response: HttpResponse): Element | undefined {
  return isXmlResponse(response) ? response.root : undefined;
}

function isXmlResponse(response: HttpResponse): response is XmlResponse {
  return 'root' in response;
}

/** Not documented (A177): an empty list does not say what it is a list of. */
export function xmlList(name: string, elements: readonly Element[]): HttpResponse {
  return xml(listElement(elements.length === 0 ? 'nil-classes' : name, elements));
}

/** 400: the body is no XML, or not the XML that is expected. */
export function badRequest(reason: string): HttpError {
  return plainTextError(reason, 400);
}

/** 401: the login or the password is missing, malformed or wrong. */
export function unauthorized(): HttpError {
  return plainTextError('HTTP Basic: Access denied.', 401, { 'WWW-Authenticate': 'Basic realm="forum"' });
}

/** 404 */
export function notFound(): HttpError {
  return plainTextError('Not Found', 404);
}

/** 413 */
export function payloadTooLarge(): HttpError {
  return plainTextError('The body is larger than 1 MB.', 413);
}

/** 415: the body is sent as something else than XML. */
export function unsupportedMediaType(): HttpError {
  return plainTextError('The body must be sent as application/xml.', 415);
}

/** 422 */
export function invalid(errors: readonly string[]): HttpError {
  const elements = errors.map((error) => textElement('error', error));
  return new HttpError(xml({ name: 'errors', content: elements }, 422));
}

function plainTextError(text: string, status: number, headers: Readonly<Record<string, string>> = {}): HttpError {
  const response = { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body: text };
  return new HttpError(response);
}
