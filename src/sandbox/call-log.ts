/** One request that the sandbox received, with the status of its response. Passwords, and tokens in a body or a query, are redacted. */
export interface RecordedCall {
  readonly method: string;
  /** The path of the matching route, null when no route matched. */
  readonly route: string | null;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when no body was sent, or when it could not be parsed. */
  readonly body: unknown;
  /** Null when a fault cut the connection before the request was carried out. */
  readonly status: number | null;
  /** Whether the request met a fault. */
  readonly fault?: true;
}

const maxCalls = 10_000;

/** The last 10,000 requests, oldest first. */
export class CallLog {
  #calls: RecordedCall[] = [];

  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  add(call: RecordedCall): void {
    const query = Object.fromEntries(
      Object.entries(call.query).map(([name, value]) => [name, isSecretField(name) ? redacted : value]),
    );
    this.#calls.push({ ...call, query, headers: redactAuthorization(call.headers), body: redactSecrets(call.body) });
    if (this.#calls.length > maxCalls) this.#calls.shift();
  }

  clear(): void {
    this.#calls = [];
  }
}

/** The text that replaces a secret. */
const redacted = '…';

/** Whether a field holds a credential. */
function isSecretField(name: string): boolean {
  return name === 'api_token' || /\bpassword\b/i.test(name);
}

/** Keeps a bearer token, because tests assert on it. Any other credential may hold a password and is redacted. */
function redactAuthorization(headers: RecordedCall['headers']): RecordedCall['headers'] {
  const { authorization } = headers;
  if (authorization === undefined || /^Bearer\b/i.test(authorization)) return headers;
  return { ...headers, authorization: /^Basic\b/i.test(authorization) ? `Basic ${redacted}` : redacted };
}

/** The account API wraps the fields of a token in a key of the same name: an object is searched, not redacted. */
function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 1) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretField(name) && (typeof member !== 'object' || Array.isArray(member))
        ? redacted
        : redactSecrets(member, depth + 1),
    ]),
  );
}
