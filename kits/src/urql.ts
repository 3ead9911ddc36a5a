import {
  Client,
  type Exchange,
  fetchExchange,
  makeErrorResult,
  makeOperation,
  type Operation,
  type OperationContext,
  type OperationResult,
} from '@urql/core';
import {
  empty,
  filter,
  fromPromise,
  fromValue,
  makeSubject,
  map,
  merge,
  mergeMap,
  pipe,
  type Source,
  takeUntil,
} from 'wonka';
import { type Connection, headersOf, isRepeatable, newKey, renewals, rootFields } from './connection.ts';
import { asksForCredentials, failuresOf, isOpen, refusesKey } from './outcome.ts';

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
 * A query asks again for the fields that it could not read, when it is shown the next time: either cache keeps an answer without them, and
 * graphcache takes a deferred part that it lacks for one that is on its way. Stands before the cache.
 */
export const askAgain: Exchange = ({ forward }) => {
  const failed = new Set<number>();
  const shown = new Set<number>();

  const passCache = (operation: Operation): Operation => {
    const { kind, key, context } = operation;
    const isVisit = kind === 'query' && !shown.has(key);
    if (kind === 'teardown') shown.delete(key);
    else if (kind === 'query') shown.add(key);
    if (!isVisit || !failed.has(key) || context.requestPolicy !== 'cache-first') return operation;
    return makeOperation(kind, operation, { ...context, requestPolicy: 'cache-and-network' });
  };
  const noteFailure = (result: OperationResult): OperationResult => {
    const { kind, key, context } = result.operation;
    if (kind !== 'query') return result;
    const isCached = ['hit', 'partial'].includes(context.meta?.cacheOutcome ?? 'miss');
    if (result.error) failed.add(key);
    else if (!isCached) failed.delete(key);
    // urql sends graphcache's request for a deferred part only where the answer is stale.
    return isCached && result.hasNext ? { ...result, stale: true } : result;
  };
  return (operations) => pipe(operations, map(passCache), forward, map(noteFailure));
};

/** The last attempt of an operation, in its context. */
class Attempt {
  /** Infinity without a key: nothing is sent after it. */
  readonly number: number;
  /** The headers of the credentials. */
  readonly sent: Record<string, string>;
  /** The options of the operation, without what the attempts add. */
  readonly given: RequestInit;

  constructor(number: number, sent: Record<string, string>, given: RequestInit) {
    this.number = number;
    this.sent = sent;
    this.given = given;
  }
}

/**
 * Sends operations with the credentials: under the next ones when these were refused, and again, with the same, after a network error
 * or with an unknown outcome. A mutation has an `Idempotency-Key`, a new one under new credentials, unless the headers of its context
 * have one; what is not known to keep to a key is sent once, and what takes no key a last time, without one. Stands before `fetchExchange`.
 */
export function sending(connection: Connection): Exchange {
  const { attempts = 5, delayMs = 300 } = connection;
  const renew = renewals(connection);

  /** @throws TypeError for credentials that are no headers */
  const authorize = (operation: Operation, number: number, given: RequestInit): Operation => {
    const sent = headersOf(connection.credentials());
    const headers = new Headers(given.headers);
    for (const [name, value] of Object.entries(sent)) headers.set(name, value);
    if (number === Infinity) headers.delete('idempotency-key');
    else if (operation.kind === 'mutation' && !headers.has('idempotency-key')) headers.set('idempotency-key', newKey());
    const fetchOptions = { ...given, headers };
    return withContext(operation, { attempt: new Attempt(number, sent, given), fetchOptions });
  };

  /** Resolves with the next attempt when it is due, or with nothing where the result is the answer. */
  const next = async ({ data, error, operation }: OperationResult): Promise<Operation | undefined> => {
    const last: unknown = operation.context['attempt'];
    const isWrite = operation.kind === 'mutation';
    if (!(last instanceof Attempt)) return undefined;
    const { number, sent, given } = last;
    const failures = failuresOf(error);
    if (number < Infinity && refusesKey(data, failures)) return authorize(operation, Infinity, given);
    if (number >= attempts || (isWrite && !isRepeatable(rootFields(operation.query), connection))) return undefined;
    if (asksForCredentials(data, failures, isWrite)) {
      return (await renew(sent)) ? authorize(operation, number + 1, given) : undefined;
    }
    if (!error?.networkError && !failures.some(isOpen)) return undefined;
    await new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** (number - 1)));
    // A key holds for the credentials that it was sent with: under others the write would be made again.
    return withContext(operation, { attempt: new Attempt(number + 1, sent, given) });
  };

  return ({ forward }) =>
    (operations) => {
      const { source: again, next: send } = makeSubject<Operation>();
      const { source: unsent, next: refuse } = makeSubject<OperationResult>();
      const begin = (operation: Operation): Source<Operation> => {
        const { kind, context } = operation;
        if (kind === 'teardown') return fromValue(operation);
        try {
          const options = typeof context.fetchOptions === 'function' ? context.fetchOptions() : context.fetchOptions;
          return fromValue(authorize(operation, 1, options ?? {}));
        } catch (error) {
          // Thrown in the stream, it would leave the operation without an answer for good.
          refuse(makeErrorResult(operation, error instanceof Error ? error : new Error(String(error))));
          return empty;
        }
      };
      const settle = (result: OperationResult): Source<OperationResult> => {
        if (!result.error) return fromValue(result);
        const isReplaced = ({ kind, key }: Operation) => kind !== 'mutation' && key === result.operation.key;
        return pipe(
          fromPromise(next(result).catch(() => undefined)),
          takeUntil(pipe(operations, filter(isReplaced))),
          filter((operation) => {
            if (operation) send(operation);
            return !operation;
          }),
          map(() => result),
        );
      };
      const answers = pipe(merge([pipe(operations, mergeMap(begin)), again]), forward, mergeMap(settle));
      return merge([unsent, answers]);
    };
}

const withContext = (operation: Operation, context: Partial<OperationContext>) =>
  makeOperation(operation.kind, operation, { ...operation.context, ...context });
