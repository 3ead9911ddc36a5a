import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { isPromise, type Plugin } from 'graphql-yoga';
import type { PersistedDocuments } from './persisted-documents.ts';
import { idRequired, noDocument, notFound, notTrusted } from './refusals.ts';
import { idOfRequest } from './requested-id.ts';

/** Executes the documents that requests name by an id, and refuses those that have to be named, and are not. */
export function usePersistedDocuments(documents: PersistedDocuments): Plugin[] {
  const { isClosed } = documents;
  return [
    useSentDocuments(documents),
    usePersistedOperations({
      allowArbitraryOperations: !isClosed,
      extractPersistedOperationId: (params, request) => idOfRequest(params, request) ?? null,
      getPersistedOperation: async (id) => (await documents.find(id)) ?? null,
      customErrors: {
        notFound: isClosed ? notTrusted : notFound,
        keyNotFound: isClosed ? idRequired : noDocument,
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
        const hash = documents.newHash(id, query, known);
        if (known !== undefined) setParams({ ...params, query: '' }); // the id suffices
        else if (hash !== undefined) hashes.set(context, hash);
      };
      const known = documents.find(id);
      if (!isPromise(known)) return check(known);
      return known.then(check, (error: unknown) => {
        if (documents.isClosed) throw error;
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
