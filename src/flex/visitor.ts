/** What the public methods of a database may learn of whoever calls them. */
export interface VisitorOptions {
  /** The caller's address. */
  readonly address: string;
  /** The caller's `Cookie` header. */
  readonly cookies: string;
  /** The names of the cookies that pass, in both directions; all others stay here. */
  readonly passing: readonly string[];
  /** Takes a `Set-Cookie` header to the caller. */
  readonly setCookie: (header: string) => void;
}

/** The browser behind an operation: its address, and the allow-listed ones of its cookies. Never a credential. */
export class Visitor {
  readonly #options: VisitorOptions;
  readonly #cookies: Map<string, string>;

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.#cookies = new Map(pairsOf(options.cookies).filter(([name]) => options.passing.includes(name)));
  }

  /** Whether upstream knows this browser, or can never get to know it: one listed cookie does not stand for another. */
  get isKnown(): boolean {
    return this.#options.passing.every((name) => this.#cookies.has(name));
  }

  headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { 'x-forwarded-for': this.#options.address, ...(cookie !== '' && { cookie }) };
  }

  /** Remembers an allow-listed cookie for the calls that follow, and hands it to the caller, for the gateway's own host. */
  receive(setCookies: readonly string[]): void {
    for (const header of setCookies) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const [[name, value] = ['', '']] = pairsOf(pair);
      if (!this.#options.passing.includes(name)) continue;
      this.#cookies.set(name, value);
      const kept = attributes.filter((attribute) => /^(max-age|expires|httponly|secure|samesite)\b/i.test(attribute));
      this.#options.setCookie([pair, 'Path=/', ...kept].join('; '));
    }
  }
}

function pairsOf(cookies: string): [name: string, value: string][] {
  return cookies.split(';').flatMap((pair): [string, string][] => {
    const [, name, value] = /^\s*([^=\s]+)=(\S*)\s*$/.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
