import { ApolloLink } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import { OperationTypeNode } from 'graphql';
import { concatMap, type Observable, of, timer } from 'rxjs';

/** Gives a write its key, once for all attempts. A form may give its own in the context: two clicks are then one write, too. */
const keyed = new ApolloLink((operation, forward) => {
  if (operation.operationType !== OperationTypeNode.MUTATION) return forward(operation);
  const key = crypto.randomUUID();
  operation.setContext(({ headers }) => ({ headers: { 'idempotency-key': key, ...headers } }));
  return forward(operation);
});

/** Asks again what became of a write that may have been made. With its key it is looked into, and not made again. */
const askAgain = (attempts: number, delayMs: number) =>
  new ApolloLink((operation, forward) => {
    const ask = (attempt: number): Observable<ApolloLink.Result> => {
      const again = () => timer(delayMs * 2 ** attempt).pipe(concatMap(() => ask(attempt + 1)));
      return forward(operation).pipe(
        concatMap((result) => (attempt + 1 < attempts && isOpen(result) ? again() : of(result))),
      );
    };
    return ask(0);
  });

/** Whether a write may have been made, or the gateway cannot tell now whether an earlier attempt was. */
const isOpen = (result: ApolloLink.Result) =>
  'errors' in result &&
  (result.errors ?? []).some(({ extensions: { outcome, code } = {} }) => {
    return outcome === 'UNKNOWN' || code === 'IDEMPOTENCY_UNAVAILABLE';
  });

/**
 * Sends a request again after a network error, a write with the same key. Stands behind the link that sends the token: a write
 * under another token has another key.
 *
 * @param delayMs milliseconds before the second attempt, about
 */
export const retries = ({ attempts = 5, delayMs = 300 } = {}) =>
  ApolloLink.from([
    keyed,
    askAgain(attempts, delayMs),
    new RetryLink({ attempts: { max: attempts }, delay: { initial: delayMs } }),
  ]);
