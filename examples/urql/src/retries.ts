import { retryExchange } from '@urql/exchange-retry';
import { type CombinedError, type Exchange, makeOperation, mapExchange, type Operation } from 'urql';

/** Gives a write its key, once for all attempts. A form may give its own in the context: two clicks are then one write, too. */
const keyed = mapExchange({
  onOperation: (operation) => (operation.kind === 'mutation' ? withKey(operation) : operation),
});

function withKey(operation: Operation): Operation {
  const { kind, context } = operation;
  const options = typeof context.fetchOptions === 'function' ? context.fetchOptions() : context.fetchOptions;
  const headers = new Headers(options?.headers);
  if (!headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
  return makeOperation(kind, operation, { ...context, fetchOptions: { ...options, headers } });
}

/**
 * Whether a write may have been made, or the gateway cannot tell now whether an earlier attempt was. With its key it is looked into
 * when it is sent again, and not made again.
 */
const isOpen = ({ graphQLErrors }: CombinedError) =>
  graphQLErrors.some(({ extensions: { outcome, code } }) => {
    return outcome === 'UNKNOWN' || code === 'IDEMPOTENCY_UNAVAILABLE';
  });

/**
 * Sends a request again after a network error, a write with the same key, and asks again what became of a write that may have been
 * made. Stands behind the exchange that sends the token: a write under another token has another key.
 *
 * @param delayMs half the milliseconds before the second attempt, about
 */
export const retries = ({ attempts = 5, delayMs = 150 } = {}): Exchange[] => [
  keyed,
  retryExchange({
    initialDelayMs: delayMs,
    maxNumberAttempts: attempts,
    retryIf: (error) => error.networkError !== undefined || isOpen(error),
  }),
];
