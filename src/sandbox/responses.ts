import { stringifyJson } from './json-text.ts';

/** An HTTP response; the body is text in UTF-8. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error that carries its HTTP response. Throwing it rolls back the transaction of the request. */
export class HttpError extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`${response.status} ${response.body}`);
    this.name = 'Refusal';
    this.response = response;
  }
}

/** A response with a JSON body. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: stringifyJson(body),
  };
}

/** A response without a body. */
export function empty(status = 204): HttpResponse {
  return { status, headers: {}, body: '' };
}

/** 400: the request cannot be read. */
export function badRequest(error: string): HttpError {
  return new HttpError(json({ error }, 400));
}

/** 401. Not documented (A1): the status for a missing, invalid, inactive or expired token, and its body. */
export function unauthorized(): HttpError {
  return new HttpError(json({ error: 'login_required' }, 401));
}

/** 403. Not documented (A2): the body. */
export function forbidden(): HttpError {
  return new HttpError(json({ error: 'forbidden' }, 403));
}

/** 404. Not documented (A2): the body. */
export function notFound(): HttpError {
  return new HttpError(json({ error: 'not_found' }, 404));
}

/** 405. Not documented (A2, A3): that a known path refuses other methods with it, and its body. */
export function methodNotAllowed(allowed: readonly string[]): HttpError {
  return new HttpError(json({ error: 'method_not_allowed' }, 405, { Allow: allowed.join(', ') }));
}

/** 413. Not documented (A2, A4): that there is a limit on bodies, and the answer beyond it. */
export function payloadTooLarge(): HttpError {
  return new HttpError(json({ error: 'too_large' }, 413));
}

/** 422, in the documented shape: messages by field. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): HttpError {
  return new HttpError(json({ errors }, 422));
}
