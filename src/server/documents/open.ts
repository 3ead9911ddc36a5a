import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { isPromise, type Plugin } from 'graphql-yoga';
import { type Config, ConfigError } from '../../config.ts';
import { REDIS } from '../../config/setting.ts';
import type { SharedStore } from '../../redis/shared-store.ts';
import { checkDocuments, type Pipeline } from './check.ts';
import { ManifestError, readManifest, type TrustedDocument, TrustedFiles } from './manifest.ts';
import { PersistedDocuments } from './persisted-documents.ts';
import { idRequired, mismatch, noDocument, notFound, notTrusted } from './document-errors.ts';
import { checkedHash, idOfRequest } from './requested-id.ts';

/** The documents of a process that requests name by an id. */
export interface OpenDocuments {
  readonly documents: PersistedDocuments;
  /** Yoga's plugins, which execute these documents. */
  readonly plugins: readonly Plugin[];
  /** Checks that each trusted document could be executed. @throws ConfigError when one could not be */
  check(pipeline: Pipeline): void;
}

/**
 * Reads the trusted documents of TRUSTED_DOCUMENTS, and makes room for automatic persisted queries. Those in Redis are read
 * when a request names them.
 *
 * @param store what gateways share; undefined without REDIS_URL
 * @throws ConfigError for a manifest that cannot be used
 */
export async function openDocuments(config: Config, store: SharedStore | undefined): Promise<OpenDocuments> {
  if (store && config.TRUSTED_DOCUMENTS.includes(REDIS)) {
    const { TrustedRedis } = await import('./trusted-redis.ts');
    return openWith(new PersistedDocuments(config, new TrustedRedis(store)), []);
  }
  const trusted = namingTheSetting(() => config.TRUSTED_DOCUMENTS.flatMap(readManifest));
  const source = trusted.length > 0 ? namingTheSetting(() => new TrustedFiles(trusted)) : undefined;
  return openWith(new PersistedDocuments(config, source), trusted);
}

function openWith(documents: PersistedDocuments, trusted: readonly TrustedDocument[]): OpenDocuments {
  return {
    documents,
    plugins: usePersistedDocuments(documents),
    check: (pipeline) => namingTheSetting(() => checkDocuments(trusted, pipeline)),
  };
}

function namingTheSetting<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof ManifestError) throw new ConfigError(`TRUSTED_DOCUMENTS: ${error.message}`);
    throw error;
  }
}

/** Executes the documents that requests name by an id, and refuses those that have to be named, and are not. */
function usePersistedDocuments(documents: PersistedDocuments): Plugin[] {
  const { trustedOnly } = documents;
  return [
    useSentDocuments(documents),
    usePersistedOperations({
      allowArbitraryOperations: !trustedOnly,
      extractPersistedOperationId: (params, request) => idOfRequest(params, request) ?? null,
      getPersistedOperation: async (id) => (await documents.find(id)) ?? null,
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
      if (id === undefined || typeof query !== 'string') return undefined;
      const check = (known: string | undefined) => {
        if (known !== undefined) {
          if (known !== query) throw mismatch();
          setParams({ ...params, query: '' }); // the id suffices
          return;
        }
        const hash = checkedHash(id, query, params);
        if (hash !== undefined) hashes.set(context, hash);
      };
      const known = documents.find(id);
      if (!isPromise(known)) return check(known);
      return known.then(check, (error: unknown) => {
        if (documents.trustedOnly) throw error;
        check(undefined); // the document is there, whatever is known of its id
      });
    },
    onValidate:
      ({ context, params: { documentAST } }) =>
      ({ valid }) => {
        const hash = hashes.get(context);
        if (valid && hash !== undefined && documentAST.loc) documents.remember(hash, documentAST.loc.source.body);
      },
  };
}
