import { LRUCache } from 'lru-cache';
import { isObject } from '../../http/formats/decode.ts';
import { AWAY, type SharedStore } from '../../redis/shared-store.ts';
import type { TrustedDocument } from './manifest.ts';
import type { TrustedSource } from './persisted-documents.ts';
import { unavailable } from './document-errors.ts';
import { sha256, statedHash } from './requested-id.ts';

/** Memory of the documents that were read, in bytes, and of each of them beside its texts. */
const CACHE_BYTES = 32 * 1024 ** 2;
const ENTRY_BYTES = 250;

/** Longer ids are not asked for: no manifest has any. */
const MAX_ID_LENGTH = 300;

/** The number of documents that are written in one action: it has to end within the time of one. */
const DOCUMENTS_AT_ONCE = 20;

/** A document in Redis. */
interface StoredDocument {
  /** Its id in the manifest. */
  readonly id: string;
  readonly text: string;
}

/**
 * The trusted documents that several gateways share in Redis. Those that a process has read stay in its memory, and are
 * served while Redis is away.
 */
export class TrustedRedis implements TrustedSource {
  readonly #store: SharedStore;
  /** By the id of the request. */
  readonly #documents = new LRUCache<string, StoredDocument>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ text }, id) => (text.length + id.length) * 2 + ENTRY_BYTES,
  });
  /** The ids of these documents by their texts. */
  readonly #ids = new LRUCache<string, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (_id, text) => text.length * 2 + ENTRY_BYTES,
  });

  constructor(store: SharedStore) {
    this.#store = store;
  }

  cached(id: string): string | undefined {
    return this.#documents.get(id)?.text;
  }

  async find(id: string): Promise<string | undefined> {
    const known = this.cached(id);
    if (known !== undefined || id.length > MAX_ID_LENGTH) return known;
    const names = [id, `sha256:${statedHash(id) ?? id}`];
    const values = await this.#store.run((redis) => redis.mget(names.map((name) => keyOf(name, this.#store))));
    if (values === AWAY || !Array.isArray(values)) throw unavailable(this.#store.report.redis); // or it is no Redis
    const [document] = names.flatMap((name, index) => readValue(values[index], name, this.#store) ?? []);
    if (!document) return undefined;
    this.#documents.set(id, document);
    this.#ids.set(document.text, document.id);
    return document.text;
  }

  idOf(text: string): string | undefined {
    return this.#ids.get(text);
  }
}

/** Why documents were not written, or not all of them. The message is one line. */
export class PushError extends Error {}

/**
 * Writes documents to Redis, by their ids and by the hashes of their texts. What is there already stays.
 *
 * @throws PushError when Redis is away, or has another document by one of the ids. What was written until then stays
 */
export async function pushDocuments(documents: readonly TrustedDocument[], store: SharedStore): Promise<void> {
  for (let from = 0; from < documents.length; from += DOCUMENTS_AT_ONCE) {
    const entries = documents
      .slice(from, from + DOCUMENTS_AT_ONCE)
      .flatMap(({ id, text }) => [id, `sha256:${sha256(text)}`].map((name) => ({ name, document: { id, text } })));
    const other = await store.run(async (redis) => {
      const before = await redis.mget(entries.map(({ name }) => keyOf(name, store)));
      const differs = entries.find(({ name, document }, index) => {
        const { text = document.text } = readValue(before[index], name, store) ?? {};
        return text !== document.text;
      });
      if (differs) return differs;
      await redis.mset(entries.flatMap(({ name, document }) => [keyOf(name, store), valueOf(document, name, store)]));
      return undefined;
    });
    if (other === AWAY) {
      const state = store.report.redis === 'refusing' ? `refuses commands (${store.report.redisReason})` : 'is away';
      throw new PushError(`Redis ${state}: ${from} of ${documents.length} documents were written.`);
    }
    if (other) throw new PushError(`Redis has another document with the id ${JSON.stringify(other.name)}.`);
  }
}

function keyOf(name: string, store: SharedStore): string {
  return store.key('document', name);
}

/** Nobody without HASH_SECRET can write a value that is read as a document, or move one to another id. */
function sealOf({ id, text }: StoredDocument, name: string, store: SharedStore): string {
  return store.key('document-seal', JSON.stringify([name, id, text]));
}

function valueOf({ id, text }: StoredDocument, name: string, store: SharedStore): string {
  return JSON.stringify({ id, text, seal: sealOf({ id, text }, name, store) });
}

/** Reads what Redis has by a name. Undefined for anything but a document that `pushDocuments` has written there. */
function readValue(value: unknown, name: string, store: SharedStore): StoredDocument | undefined {
  const stored = typeof value === 'string' ? parsed(value) : undefined;
  if (!isObject(stored)) return undefined;
  const { id, text, seal } = stored;
  if (typeof id !== 'string' || typeof text !== 'string') return undefined;
  return seal === sealOf({ id, text }, name, store) ? { id, text } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
