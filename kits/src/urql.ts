import { Client, type Exchange, fetchExchange, makeOperation, type Operation, type OperationResult } from '@urql/core';
import { filter, fromPromise, fromValue, makeSubject, map, merge, mergeMap, pipe, type Source, takeUntil } from 'wonka';
import { type Connection, headersOf, newKey, renewals } from './connection.ts';
import { failuresOf, isOpen, isUnauthenticated } from './outcome.ts';

/**
 * A client for the user of the connection. Another user gets one of their own, as its cache holds what this one may see.
 *
 * @param cache `createCache()` of `trivium-kits/graphcache`, or urql's `cacheExchange`, which keeps whole answers
 */
export function connect(connection: Connection, cache: Exchange): Client {
  return new Client({
    url: connection.url,
    preferGetMethod: false,
    exchanges: [askAgain, cache, sending(connection), fetchExchange],
  });
}

/**
 * What a query could not read is asked for again when it is shown the next time: either cache keeps an answer that lacks it, and
 * graphcache takes a deferred part that it lacks for one that is on its way. Stands before the cache.
 */
export const askAgain: Exchange = ({ forward }) => {
  const failed = new Set<number>();
  const shown = new Set<number>();

  const passCache = (operation: Operation): Operation => {
    const { kind, key, context } = operation;
    const isVisit = kind === 'query' && !shown.has(key);
    if (kind === 'teardown') shown.delete(key);
    else shown.add(key);
    if (!isVisit || !failed.has(key) || context.requestPolicy !== 'cache-first') return operation;
    return makeOperation(kind, operation, { ...context, requestPolicy: 'cache-and-network' });
  };
  const noteFailure = (result: OperationResult): OperationResult => {
    const { key, context } = result.operation;
    const isCached = ['hit', 'partial'].includes(context.meta?.cacheOutcome ?? 'miss');
    if (result.error) failed.add(key);
    else if (!isCached) failed.delete(key);
    // urql sends graphcache's request for a deferred part only where the answer is stale.
    return isCached && result.hasNext ? { ...result, stale: true } : result;
  };
  return (operations) => pipe(operations, map(passCache), forward, map(noteFailure));
};

/** The last attempt of an operation, in its context. */
interface Attempt {
  readonly number: number;
  /** The headers of the credentials. */
  readonly sent: Record<string, string>;
}

/**
 * Sends operations with the credentials: under the next ones when these were refused, and again after a network error or with an
 * unknown outcome. A mutation has a new `Idempotency-Key`, unless the headers of its context have one. Stands before `fetchExchange`.
 */
export function sending(connection: Connection): Exchange {
  const { attempts = 5, delayMs = 300 } = connection;
  const renew = renewals(connection);

  const attempt = (operation: Operation, number: number): Operation => {
    const { kind, context } = operation;
    if (kind === 'teardown') return operation;
    const attempt: Attempt = { number, sent: headersOf(connection.credentials()) };
    const options = typeof context.fetchOptions === 'function' ? context.fetchOptions() : context.fetchOptions;
    const headers = new Headers(options?.headers);
    for (const [name, value] of Object.entries(attempt.sent)) headers.set(name, value);
    if (kind === 'mutation' && !headers.has('idempotency-key')) headers.set('idempotency-key', newKey());
    return makeOperation(kind, operation, { ...context, attempt, fetchOptions: { ...options, headers } });
  };

  /** Resolves with the next attempt when it is due, or with nothing where the result is the answer. */
  const next = async ({ error, operation }: OperationResult): Promise<Operation | undefined> => {
    const { number, sent }: Attempt = operation.context['attempt'];
    const failures = failuresOf(error);
    if (number >= attempts) return undefined;
    if (failures.some(isUnauthenticated)) return (await renew(sent)) ? attempt(operation, number + 1) : undefined;
    if (!error?.networkError && !failures.some(isOpen)) return undefined;
    await new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** (number - 1)));
    return attempt(operation, number + 1);
  };

  return ({ forward }) =>
    (operations) => {
      const { source: again, next: send } = makeSubject<Operation>();
      const settle = (result: OperationResult): Source<OperationResult> => {
        if (!result.error) return fromValue(result);
        const isReplaced = ({ kind, key }: Operation) => kind !== 'mutation' && key === result.operation.key;
        return pipe(
          fromPromise(next(result)),
          takeUntil(pipe(operations, filter(isReplaced))),
          filter((operation) => {
            if (operation) send(operation);
            return !operation;
          }),
          map(() => result),
        );
      };
      const begun = pipe(
        operations,
        map((operation) => attempt(operation, 1)),
      );
      return pipe(merge([begun, again]), forward, mergeMap(settle));
    };
}
