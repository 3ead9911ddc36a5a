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

const kept = 10_000;

/** The last requests, oldest first. */
export class CallLog {
  #calls: RecordedCall[] = [];

  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  add(call: RecordedCall): void {
    const query = Object.fromEntries(
      Object.entries(call.query).map(([name, value]) => [name, hidden(name) ? veil : value]),
    );
    this.#calls.push({ ...call, query, headers: withoutPassword(call.headers), body: veiled(call.body) });
    if (this.#calls.length > kept) this.#calls.shift();
  }

  forget(): void {
    this.#calls = [];
  }
}

/** What stands in a secret's place. */
const veil = '…';

/** Whether a field holds a credential. */
function hidden(name: string): boolean {
  return name === 'api_token' || /\bpassword\b/i.test(name);
}

/** A bearer token stays, for tests to look at; any other credential may hold a password. */
function withoutPassword(headers: RecordedCall['headers']): RecordedCall['headers'] {
  const { authorization } = headers;
  if (authorization === undefined || /^Bearer\b/i.test(authorization)) return headers;
  return { ...headers, authorization: /^Basic\b/i.test(authorization) ? `Basic ${veil}` : veil };
}

/** The account API wraps the fields of a token in a key of the same name: an object is looked into, not veiled. */
function veiled(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 1) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      hidden(name) && (typeof member !== 'object' || Array.isArray(member)) ? veil : veiled(member, depth + 1),
    ]),
  );
}
