import { Refusal, type Reply } from '../replies.ts';
import { type Element, list, textElement, written } from './xml.ts';

// Not documented: the statuses and bodies of refusals, but that 422 lists errors in XML is known. All others are plain text.

/** An XML document. */
export function xml(root: Element, status = 200): Reply {
  return { status, headers: { 'Content-Type': 'application/xml; charset=utf-8' }, body: written(root) };
}

/** Not documented: an empty list does not say what it is a list of. */
export function xmlList(name: string, elements: readonly Element[]): Reply {
  return xml(list(elements.length === 0 ? 'nil-classes' : name, elements));
}

/** 400: the body is no XML, or not the XML that is expected. */
export function badRequest(reason: string): Refusal {
  return plain(reason, 400);
}

/** 401: the login or the password is missing, malformed or wrong. */
export function unauthorized(): Refusal {
  return plain('HTTP Basic: Access denied.', 401, { 'WWW-Authenticate': 'Basic realm="forum"' });
}

/** 404 */
export function notFound(): Refusal {
  return plain('Not Found', 404);
}

/** 413 */
export function tooLarge(): Refusal {
  return plain('The body is larger than 1 MB.', 413);
}

/** 415: the body is sent as something else than XML. */
export function unsupported(): Refusal {
  return plain('The body must be sent as application/xml.', 415);
}

/** 422 */
export function invalid(errors: readonly string[]): Refusal {
  const elements = errors.map((error) => textElement('error', error));
  return new Refusal(xml({ name: 'errors', content: elements }, 422));
}

function plain(text: string, status: number, headers: Readonly<Record<string, string>> = {}): Refusal {
  const reply = { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body: text };
  return new Refusal(reply);
}
