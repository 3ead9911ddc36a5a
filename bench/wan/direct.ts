// What a careful hand-written client reaches: it asks for gzip, keeps what it has read and asks whether that still holds, and
// cuts all pages from one list.
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { at, equals, list } from '../workloads/checks.ts';
import { hasName, type Journeys } from './journeys.ts';

interface Kept {
  readonly etag: string;
  readonly value: unknown;
}

/** Reads paths of upstream, each with the entity tag that it has got for it, on connections that are kept open. */
class DirectClient {
  readonly #origin: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #kept = new Map<string, Kept>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async get(path: string): Promise<unknown> {
    const kept = this.#kept.get(path);
    const headers = { 'accept-encoding': 'gzip', ...(kept && { 'if-none-match': kept.etag }) };
    const url = new URL(path, this.#origin);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { agent: this.#agent, headers }, resolve).on('error', reject).end();
    });
    const bytes = await buffer(response);
    if (response.statusCode === 304 && kept) return kept.value;
    if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}.`);
    const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const value: unknown = JSON.parse(text.toString());
    this.#kept.set(path, { etag: response.headers.etag ?? '', value });
    return value;
  }

  close(): void {
    this.#agent.destroy();
  }
}

const POSTS = 20;

/** @param clients how many clients upstream lists */
export function directJourneys(origin: string, clients: number) {
  const client = new DirectClient(origin);
  const all = async () => list(clients, { all: await client.get('/app/clients.json') }, 'all');
  const one = async (id: unknown) => {
    equals(`client${id}@example.test`, await client.get(`/app/clients/${id}.json`), 'email');
  };
  const readAll = async () => {
    await all();
  };
  const journeys: Journeys = {
    'first page of 20 of 2,000 clients': readAll,
    'ten pages, one after another': readAll,
    'the same page again': readAll,
    async 'the same page, one client changed'(changed) {
      hasName(changed, await all());
    },
    'one client': () => one(9),
    'the same client again': () => one(9),
    async '20 posts with their clients'() {
      const posts = await client.get('/app.json');
      const ids = Array.from({ length: POSTS }, (_none, index) => at(posts, index, 'client_id'));
      await Promise.all([...new Set(ids)].map(one));
    },
    'one client after 10 s of silence': () => one(311),
  };
  return { journeys, stop: async () => client.close() };
}
