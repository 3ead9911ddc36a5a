/** The caller's data that public methods of a database may receive. */
export interface VisitorOptions {
  /** The caller's address. */
  readonly address: string;
  /** The caller's `Cookie` header. */
  readonly cookies: string;
  /** Names of the cookies to forward in both directions. The gateway forwards no other cookie. */
  readonly passing: readonly string[];
  /** Adds a `Set-Cookie` header to the response to the caller. */
  readonly setCookie: (header: string) => void;
  /** Is given the name of each cookie that is not forwarded. */
  readonly onUnlisted: (name: string) => void;
}

const MAX_REPORTED_NAMES = 20;
const MAX_REPORTED_NAME_LENGTH = 64;

/** Creates a function that reports each name once: the first 64 characters of the first 20 names. */
export function reportingOnce(report: (name: string) => void): VisitorOptions['onUnlisted'] {
  const reported = new Set<string>();
  return (name) => {
    const shown = name.slice(0, MAX_REPORTED_NAME_LENGTH);
    if (reported.has(shown) || reported.size >= MAX_REPORTED_NAMES) return;
    reported.add(shown);
    report(shown);
  };
}

/** Not documented (A221): how long a key is at least. A key of the sandbox has 32 characters. */
const MIN_KEY_LENGTH = 8;

/** The caller of public methods: its address and its allow-listed cookies, without any credential. */
export class Visitor {
  readonly #options: VisitorOptions;
  readonly #cookies: Map<string, string>;
  readonly #values: Set<string>;

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.#cookies = new Map(parseCookies(options.cookies).filter(([name]) => options.passing.includes(name)));
    this.#values = new Set(this.#cookies.values());
  }

  /** Whether the caller has all allow-listed cookies; true when the list is empty. */
  get isKnown(): boolean {
    return this.#options.passing.every((name) => this.#cookies.has(name));
  }

  /**
   * The values of all cookies, replaced ones too, and what they are in percent-encoding and in UTF-8: each may be the key of a
   * browser's records, or of a session. A shorter value is no key, and its characters may be anywhere in a text.
   */
  secrets(): readonly string[] {
    const values = [...this.#values].flatMap((value) => [value, percentDecoded(value), utf8Of(value)]);
    return values.filter(({ length }) => length >= MIN_KEY_LENGTH);
  }

  /** The request headers of a public call: `x-forwarded-for`, and `cookie` when there is one. */
  headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { 'x-forwarded-for': this.#options.address, ...(cookie !== '' && { cookie }) };
  }

  /**
   * Stores each allow-listed cookie for later calls, and sets it in the response to the caller, for the gateway's host.
   *
   * @param setCookies values of upstream's `Set-Cookie` headers
   */
  receive(setCookies: readonly string[]): void {
    for (const header of setCookies) {
      const [pair = '', ...attributes] = header.split(';').map(withoutBlanks);
      const [[name, value] = ['', '']] = parseCookies(pair);
      if (!this.#options.passing.includes(name)) {
        if (name !== '') this.#options.onUnlisted(name);
        continue;
      }
      this.#cookies.set(name, value);
      this.#values.add(value);
      const forwardedAttributes = attributes.filter((attribute) =>
        /^(max-age|expires|httponly|secure|samesite)\b/i.test(attribute),
      );
      this.#options.setCookie([pair, 'Path=/', ...forwardedAttributes].join('; '));
    }
  }
}

function parseCookies(cookies: string): [name: string, value: string][] {
  return cookies.split(';').flatMap((pair): [string, string][] => {
    const [, name, value] = /^([^= \t]+)=([^ \t]*)$/.exec(withoutBlanks(pair)) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/** Removes the white space of HTTP. A header has a character for each byte: \xa0 may be a part of one of UTF-8. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
}

function utf8Of(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // it is not encoded so
  }
}
