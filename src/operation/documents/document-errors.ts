import { GraphQLError } from 'graphql';

// The errors of requests that name their document by an id. Their status is that of all documents that are
// refused: `responses/status.ts` tells it.

function refusal(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

export const malformedId = (message: string): GraphQLError => refusal('BAD_USER_INPUT', message);

/** urql knows by this message that it may send no ids. */
export const notSupported = (): GraphQLError => refusal('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');

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
