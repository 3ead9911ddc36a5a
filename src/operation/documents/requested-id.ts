import { createHash } from 'node:crypto';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { isObject } from '../../formats/decode.ts';
import { GraphQLError } from 'graphql';

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
  const persisted = persistedOf(extensions);
  const hash = persisted === undefined ? undefined : hashOf(persisted);
  if (documentId === null || documentId === undefined) return hash;
  if (typeof documentId !== 'string' || documentId === '') throw malformedId('`documentId` takes a text.');
  if (hash !== undefined && hash !== documentId && statedHash(hash) !== (statedHash(documentId) ?? null))
    throw malformedId('`documentId` and `extensions.persistedQuery` name two documents.');
  return documentId;
}

/** The id by which a request that Yoga has parsed names its document, see `requestedId`. */
export function idOfRequest(params: GraphQLParams, { method, url }: Request): string | undefined {
  if (method !== 'GET') return requestedId(params);
  const [documentId, ...others] = new URL(url).searchParams.getAll('documentId'); // Yoga does not read it
  if (others.length > 0) throw malformedId('The request has several `documentId`. Send one.');
  return requestedId({ ...params, documentId: documentId || undefined });
}

/** Undefined for extensions that name no document. */
function persistedOf(extensions: unknown): unknown {
  return (isObject(extensions) ? extensions['persistedQuery'] : undefined) ?? undefined;
}

function hashOf(persisted: unknown): string {
  const { version, sha256Hash } = isObject(persisted) ? persisted : {};
  if (version === 1 && typeof sha256Hash === 'string' && sha256Hash !== '') return sha256Hash;
  throw malformedId('`extensions.persistedQuery` takes `version: 1` and `sha256Hash`, a text.');
}

/** The SHA-256 that an id states, in hexadecimal digits of lower case. Undefined for an id that is none. */
export function statedHash(id: string): string | undefined {
  return /^(?:sha256:)?([\da-f]{64})$/i.exec(id)?.[1]?.toLowerCase();
}

/**
 * Compares a document with the id that its request sends along. A `documentId` that is not a hash may be any id of the client.
 *
 * @returns the hash of the document, when the id states it
 * @throws GraphQLError when the id states another hash, and for a `sha256Hash` that is not a hash
 */
export function checkedHash(id: string, query: string, { extensions }: DocumentParameters): string | undefined {
  const hash = statedHash(id);
  const isOther = hash === undefined ? persistedOf(extensions) !== undefined : hash !== sha256(query);
  if (isOther) throw mismatch();
  return hash;
}

/** The SHA-256 of a document's text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Refuses requests that name their document by an id, where no setting makes any known. */
export function useNoDocuments(): Plugin {
  return {
    onParams: ({ params, request }) => {
      const id = idOfRequest(params, request);
      if (id === undefined) return;
      if ('documentId' in params || typeof params.query !== 'string') throw notSupported();
      checkedHash(id, params.query, params);
    },
  };
}

// The errors of requests that name their document by an id. Their status is that of all documents that are
// refused: `responses/plugin.ts` tells it.

function refusal(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

const malformedId = (message: string): GraphQLError => refusal('BAD_USER_INPUT', message);

/** urql knows by this message that it may send no ids. */
const notSupported = (): GraphQLError => refusal('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');

/** urql knows by this message that it has to send the text, too. */
export const notFound = (): GraphQLError => refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

export const notTrusted = (): GraphQLError =>
  refusal(
    'PERSISTED_QUERY_NOT_IN_LIST',
    'No trusted document has this id, and only trusted documents are executed: its manifest has to be deployed first.',
  );

export const idRequired = (): GraphQLError =>
  refusal('PERSISTED_QUERY_ID_REQUIRED', 'Only trusted documents are executed: send `documentId` in place of `query`.');

export const noDocument = (): GraphQLError =>
  refusal('BAD_USER_INPUT', 'The request has no `query` and no `documentId`.');

export const mismatch = (): GraphQLError =>
  refusal('PERSISTED_QUERY_MISMATCH', '`query` is not the document of this id. Send one of them.');
