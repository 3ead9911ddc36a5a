/** One request that the sandbox received, and how it was answered. Passwords, and the tokens of a body or a query, are left out. */
export interface RecordedCall {
  readonly method: string;
  /** The pattern of the path, null when none matched. */
  readonly route: string | null;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when none was sent, or one that could not be read. */
  readonly body: unknown;
  readonly status: number;
}

const maxCalls = 10_000;

/** The last requests, oldest first. */
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

/** What stands in a secret's place. */
const redacted = '…';

/** Whether a field holds a credential. */
function isSecretField(name: string): boolean {
  return name === 'api_token' || /\bpassword\b/i.test(name);
}

/** A bearer token stays, for tests to look at; any other credential may hold a password. */
function redactAuthorization(headers: RecordedCall['headers']): RecordedCall['headers'] {
  const { authorization } = headers;
  if (authorization === undefined || /^Bearer\b/i.test(authorization)) return headers;
  return { ...headers, authorization: /^Basic\b/i.test(authorization) ? `Basic ${redacted}` : redacted };
}

/** The account API wraps the fields of a token in a key of the same name: an object is looked into, not veiled. */
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
