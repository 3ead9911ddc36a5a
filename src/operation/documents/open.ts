import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Plugin } from 'graphql-yoga';
import { type Config, ConfigError } from '../../config.ts';
import { type Pipeline, readDocuments } from './check.ts';
import { ManifestError } from './manifest.ts';
import { PersistedDocuments } from './persisted-documents.ts';
import { idRequired, mismatch, noDocument, notFound, notTrusted } from './document-errors.ts';
import { checkedHash, idOfRequest } from './requested-id.ts';

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
