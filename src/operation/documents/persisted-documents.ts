import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.ts';
import type { TrustedFiles } from './manifest.ts';
import { type DocumentParameters, requestedId, statedHash } from './requested-id.ts';

/** Memory of a persisted query, beside that of its text and its hash. */
const ENTRY_BYTES = 250;

/** Finds the documents that requests name by an id: trusted documents, and automatic persisted queries. */
export class PersistedDocuments {
  /** Whether documents that are not trusted are refused. */
  readonly trustedOnly: boolean;
  #trusted: TrustedFiles | undefined;
  /** Automatic persisted queries, by the SHA-256 of their texts. */
  readonly #queries: LRUCache<string, string> | undefined;

  constructor({ TRUSTED_DOCUMENTS_ONLY, APQ_CACHE_BYTES }: Config) {
    this.trustedOnly = TRUSTED_DOCUMENTS_ONLY === 'true';
    this.#queries = APQ_CACHE_BYTES > 0 ? createQueryCache(APQ_CACHE_BYTES) : undefined;
  }

  /** Takes these trusted documents in place of those before. */
  trust(documents: TrustedFiles): void {
    this.#trusted = documents;
  }

  /**
   * The text of the document that a request sends or names, when it may be executed.
   *
   * @returns undefined for a request that has to be refused
   */
  textOf(parameters: DocumentParameters): string | undefined {
    const { query } = parameters;
    const id = idOrRefused(parameters);
    if (id === undefined) return typeof query === 'string' && !this.trustedOnly ? query : undefined;
    const text = id === REFUSED ? undefined : this.find(id);
    return query === null || query === undefined || query === text ? text : undefined;
  }

  /** The text of the document with an id. */
  find(id: string): string | undefined {
    return this.#trusted?.find(id) ?? (this.#queries && this.#queries.get(statedHash(id) ?? id));
  }

  /** The id of a trusted document. Undefined for any other one. */
  trustedId({ loc }: DocumentNode): string | undefined {
    return loc && this.#trusted?.idOf(loc.source.body);
  }

  /** Keeps a valid document as an automatic persisted query, if these are accepted. */
  remember(hash: string, text: string): void {
    this.#queries?.set(hash, text);
  }
}

/** Stands for an id that is refused: no request can send it. */
const REFUSED = '';

function idOrRefused(parameters: DocumentParameters): string | undefined {
  try {
    return requestedId(parameters);
  } catch {
    return REFUSED;
  }
}

function createQueryCache(maxBytes: number): LRUCache<string, string> {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (text, hash) => (text.length + hash.length) * 2 + ENTRY_BYTES,
  });
}
