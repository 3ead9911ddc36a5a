import type { Plugin } from 'graphql-yoga';
import { notSupported } from './refusals.ts';
import { idOfRequest } from './requested-id.ts';

/** Refuses requests that name their document by an id, where no setting makes any known. */
export function useNoDocuments(): Plugin {
  return {
    onParams: ({ params, request }) => {
      if ('documentId' in params || typeof params.query !== 'string') {
        if (idOfRequest(params, request) !== undefined) throw notSupported();
      }
    },
  };
}
