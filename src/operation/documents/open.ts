import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Plugin } from 'graphql-yoga';
import { type Config, ConfigError } from '../../config.ts';
import { type Pipeline, readDocuments } from './check.ts';
import { ManifestError, type TrustedFiles } from './manifest.ts';
import {
  checkedHash,
  type DocumentParameters,
  idOfRequest,
  idRequired,
  mismatch,
  noDocument,
  notFound,
  notTrusted,
  requestedId,
  statedHash,
} from './requested-id.ts';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The documents of a process that requests name by an id. */
export interface OpenDocuments {
  readonly documents: PersistedDocuments;
  /** Yoga's plugins, which execute these documents. */
  readonly plugins: readonly Plugin[];
  /**
   * Reads the manifests of TRUSTED_DOCUMENTS, at the start and again. Their documents take the place of those before.
   *
   * @throws ConfigError for a manifest that cannot be used, and a document that could not be executed. All stays as it was then
   */
  read(pipeline: Pipeline): Promise<void>;
}

/** Makes room for trusted documents, which `read` reads, and for automatic persisted queries. */
export function openDocuments(config: Config): OpenDocuments {
  const documents = new PersistedDocuments(config);
  return {
    documents,
    plugins: usePersistedDocuments(documents),
    read: async (pipeline) => {
      try {
        documents.trust(await readDocuments(config.TRUSTED_DOCUMENTS, pipeline));
      } catch (error) {
        if (error instanceof ManifestError) throw new ConfigError(`TRUSTED_DOCUMENTS: ${error.message}`);
        throw error;
      }
    },
  };
}

/** Executes the documents that requests name by an id, and refuses those that have to be named, and are not. */
function usePersistedDocuments(documents: PersistedDocuments): Plugin[] {
  const { trustedOnly } = documents;
  return [
    useSentDocuments(documents),
    usePersistedOperations({
      allowArbitraryOperations: !trustedOnly,
      extractPersistedOperationId: (params, request) => idOfRequest(params, request) ?? null,
      getPersistedOperation: (id) => documents.find(id) ?? null,
      customErrors: {
        notFound: trustedOnly ? notTrusted : notFound,
        keyNotFound: trustedOnly ? idRequired : noDocument,
        persistedQueryOnly: idRequired,
      },
    }),
  ];
}

/**
 * Checks requests that send a document and its id, and keeps their valid documents as automatic persisted queries. The
 * plugin of Yoga would refuse all of them, or execute the document without a look at the id.
 */
function useSentDocuments(documents: PersistedDocuments): Plugin {
  const hashes = new WeakMap<object, string>();
  return {
    onParams: ({ params, request, context, setParams }) => {
      const id = idOfRequest(params, request);
      const { query } = params;
      if (id === undefined || typeof query !== 'string') return;
      const known = documents.find(id);
      if (known === undefined) {
        const hash = checkedHash(id, query, params);
        if (hash !== undefined) hashes.set(context, hash);
        return;
      }
      if (known !== query) throw mismatch();
      setParams({ ...params, query: '' }); // the id suffices
    },
    onValidate:
      ({ context, params: { documentAST } }) =>
      ({ valid }) => {
        const hash = hashes.get(context);
        if (valid && hash !== undefined && documentAST.loc) documents.remember(hash, documentAST.loc.source.body);
      },
  };
}

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
