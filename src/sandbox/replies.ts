/** An answer over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer that ends a request early: thrown, so that whatever the request had changed is undone. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`${reply.status} ${reply.body}`);
    this.name = 'Refusal';
    this.reply = reply;
  }
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** An answer without a body. */
export function empty(status = 204): Reply {
  return { status, headers: {}, body: '' };
}

/** 400: the request cannot be read. */
export function badRequest(error: string): Refusal {
  return new Refusal(json({ error }, 400));
}

/** 401. Not documented: the status for a missing, invalid, inactive or expired token, and its body. */
export function unauthorized(): Refusal {
  return new Refusal(json({ error: 'login_required' }, 401));
}

/** 403. Not documented: the body. */
export function forbidden(): Refusal {
  return new Refusal(json({ error: 'forbidden' }, 403));
}

/** 404. Not documented: the body. */
export function notFound(): Refusal {
  return new Refusal(json({ error: 'not_found' }, 404));
}

/** 405. Not documented: that a known path refuses other methods with it, and its body. */
export function methodNotAllowed(allowed: readonly string[]): Refusal {
  return new Refusal(json({ error: 'method_not_allowed' }, 405, { Allow: allowed.join(', ') }));
}

/** 413. Not documented: that there is a limit on bodies, and the answer beyond it. */
export function tooLarge(): Refusal {
  return new Refusal(json({ error: 'too_large' }, 413));
}

/** 422, in the documented shape: messages by field. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): Refusal {
  return new Refusal(json({ errors }, 422));
}
