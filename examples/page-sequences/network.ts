import type { Ids } from './writes.ts';
import type { Variables } from './kit.ts';

/** What becomes of a write: its answer comes, is lost, or the request is; or the API does not tell the gateway. */
export const fates = ['answered', 'answer lost', 'request lost', 'unknown'] as const;
export type Fate = (typeof fates)[number];

const isId = /"((\w+):[^"\s]+)"/g;
const types = ['Client', 'Deal', 'Post', 'FlexRecord', 'TrackerTask'];
/** Those of the seed that are numbers; others are known once they have been read. */
const seeded = (type: string) =>
  /^[CDP]/.test(type) ? Array.from({ length: 9 }, (_, index) => `${type}:${index + 1}`) : [];

/** Stands for `fetch`: counts the requests that are under way, and loses some. */
export class Network {
  readonly #ids = new Map<string, string[]>(types.map((type) => [type, seeded(type)]));
  readonly #fetch = globalThis.fetch;
  #lose: Fate = 'answered';
  underWay = 0;

  /** @param endpoint whose requests are meant; others go on as they are */
  begin(endpoint: string): void {
    globalThis.fetch = (url, options) =>
      String(url) === endpoint ? this.#send(endpoint, options) : this.#fetch(url, options);
  }

  end(): void {
    globalThis.fetch = this.#fetch;
  }

  /** What becomes of the next mutation. */
  loseNext(fate: Fate): void {
    this.#lose = fate;
  }

  /** All ids that were seen, in their order. */
  ids(): Ids {
    return this.#ids;
  }

  /** @returns the data of an answer past all kits */
  async ask(url: string, body: { readonly query: string; readonly variables: Variables }): Promise<Variables> {
    const headers = { authorization: 'Bearer demo-admin', 'content-type': 'application/json' };
    const response = await this.#fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { readonly data?: Variables; readonly errors?: unknown };
    if (answer.errors !== undefined || !answer.data)
      throw new Error(`${JSON.stringify(answer.errors)} to ${body.query}`);
    return answer.data;
  }

  async #send(url: string, options: RequestInit | undefined): Promise<Response> {
    this.underWay += 1;
    try {
      const isWrite = String(options?.body).includes('mutation');
      const fate = isWrite ? this.#lose : 'answered';
      if (isWrite) this.#lose = 'answered';
      if (fate === 'request lost') throw new TypeError('The request is lost.');
      const response = await this.#fetch(url, { ...options, signal: null });
      const text = await response.text();
      if (fate === 'answer lost') throw new TypeError('The answer is lost.');
      this.#note(text);
      const { status, headers } = response;
      return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
    } finally {
      this.underWay -= 1;
    }
  }

  #note(text: string): void {
    for (const [, id = '', type = ''] of text.matchAll(isId)) {
      const known = this.#ids.get(type);
      if (known && !known.includes(id)) known.push(id);
    }
  }
}
