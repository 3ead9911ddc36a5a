import { createHash } from 'node:crypto';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { isObject } from '../../http/formats/decode.ts';
import { malformedId, notSupported } from './document-errors.ts';

/** The parameters of a request that name its document. They come from outside, so they may be of any type. */
export interface DocumentParameters {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/**
 * The id by which a request names its document: `documentId` of GraphQL over HTTP, or
 * `extensions.persistedQuery.sha256Hash`, as Apollo Client and urql send it.
 *
 * @returns undefined when the request names none
 * @throws GraphQLError for an id that is no text, and for two that differ
 */
export function requestedId({ documentId, extensions }: DocumentParameters): string | undefined {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  const hash = persisted === null || persisted === undefined ? undefined : hashOf(persisted);
  if (documentId === null || documentId === undefined) return hash;
  if (typeof documentId !== 'string' || documentId === '') throw malformedId('`documentId` takes a text.');
  if (hash !== undefined && hash !== documentId && `sha256:${hash}` !== documentId)
    throw malformedId('`documentId` and `extensions.persistedQuery` name two documents.');
  return documentId;
}

/** The id by which a request that Yoga has parsed names its document, see `requestedId`. */
export function idOfRequest(params: GraphQLParams, { method, url }: Request): string | undefined {
  if (method !== 'GET') return requestedId(params);
  const documentId = new URL(url).searchParams.get('documentId') || undefined; // Yoga does not read it
  return requestedId({ ...params, documentId });
}

function hashOf(persisted: unknown): string {
  const { version, sha256Hash } = isObject(persisted) ? persisted : {};
  if (version === 1 && typeof sha256Hash === 'string' && sha256Hash !== '') return sha256Hash;
  throw malformedId('`extensions.persistedQuery` takes `version: 1` and `sha256Hash`, a text.');
}

/** The SHA-256 that an id states, in hexadecimal digits. Undefined for an id that is none. */
export function statedHash(id: string): string | undefined {
  return /^(?:sha256:)?([\da-f]{64})$/.exec(id)?.[1];
}

/** The SHA-256 of a document's text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

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
