import {
  ApolloClient,
  ApolloLink,
  type FieldPolicy,
  HttpLink,
  InMemoryCache,
  type TypePolicies,
  type TypePolicy,
} from '@apollo/client';
import { Defer20220824Handler, type GraphQLCodegenIncremental } from '@apollo/client/incremental';
import { RetryLink } from '@apollo/client/link/retry';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { concatMap, from, type Observable, of, timer } from 'rxjs';
import { type Connection, headersOf, newKey, renewals } from './connection.ts';
import { type Failure, isOpen, isUnauthenticated } from './outcome.ts';
import { connections, parts, possibleTypes } from './possible-types.ts';

type Answers = Observable<ApolloLink.Result>;

/**
 * A client for the user of the connection. An API that is down costs its own fields only, which are asked for again at the next
 * visit: the cache keeps their null, and not the error beside it.
 */
export function connect(connection: Connection, cache: InMemoryCache = createCache()): ApolloClient {
  return new ApolloClient({
    link: createLink(connection),
    cache,
    incrementalHandler: new Defer20220824Handler(), // the gateway's form of @defer and @stream
    defaultOptions: {
      watchQuery: { errorPolicy: 'all', fetchPolicy: 'cache-and-network' },
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
  });
}

/** Sends operations with their credentials, a write with a key, and again as long as there is no answer. */
export function createLink(connection: Connection): ApolloLink {
  const { url, attempts = 5, delayMs = 300 } = connection;
  return ApolloLink.from([
    authorized(connection), // outside: under other credentials a write has another key
    keyed,
    askAgain(attempts, delayMs),
    new RetryLink({ attempts: { max: attempts }, delay: { initial: delayMs } }),
    new HttpLink({ uri: url }),
  ]);
}

function authorized(connection: Connection): ApolloLink {
  const renew = renewals(connection);
  return new ApolloLink((operation, forward) => {
    const { headers } = operation.getContext();
    const send = (): Answers => {
      const sent = headersOf(connection.credentials());
      operation.setContext({ headers: { ...headers, ...sent } });
      const sendAgain = async (result: ApolloLink.Result) => ((await renew(sent)) ? send() : of(result));
      return forward(operation).pipe(
        concatMap((result) =>
          failuresIn(result).some(isUnauthenticated) ? from(sendAgain(result)).pipe(concatMap((it) => it)) : of(result),
        ),
      );
    };
    return send();
  });
}

/** One key for all attempts. A form may give its own in the context's headers, so that two clicks are one write, too. */
const keyed = new ApolloLink((operation, forward) => {
  if (operation.operationType === OperationTypeNode.MUTATION) {
    operation.setContext(({ headers }) => ({ headers: { 'idempotency-key': newKey(), ...headers } }));
  }
  return forward(operation);
});

/** Asks what became of a write that may have been made: with its key it is looked into, and not made again. */
function askAgain(attempts: number, delayMs: number): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const ask = (attempt: number): Answers =>
      forward(operation).pipe(
        concatMap((result) => {
          if (attempt === attempts || !failuresIn(result).some(isOpen)) return of(result);
          return timer(delayMs * 2 ** (attempt - 1)).pipe(concatMap(() => ask(attempt + 1)));
        }),
      );
    return ask(1);
  });
}

function failuresIn(result: ApolloLink.Result): readonly Failure[] {
  return 'errors' in result ? (result.errors ?? []) : [];
}

/**
 * A cache that knows the schema: fragments on interfaces and unions, all pages of a connection as one list, and objects
 * without an id as parts of their records.
 *
 * @param policies more of them, such as those of typed databases
 */
export function createCache(policies: TypePolicies = {}): InMemoryCache {
  const merged = parts.map((type): [string, TypePolicy] => [type, { merge: true }]);
  const paged = Object.entries(connections).map(([type, names]): [string, TypePolicy] => [
    type,
    { fields: Object.fromEntries(names.map((name) => [name, pages()])) },
  ]);
  const cache = new InMemoryCache({ possibleTypes, typePolicies: Object.fromEntries([...merged, ...paged]) });
  cache.policies.addTypePolicies(policies);
  return cache;
}

const pageArguments: readonly string[] = ['after', 'before', 'first', 'last'];

/** All pages of a connection as one list; other arguments make another list. One that could not be read is null, and not empty. */
export function pages(): FieldPolicy {
  const { merge, ...policy } = relayStylePagination((args) =>
    Object.keys(args ?? {})
      .filter((name) => !pageArguments.includes(name))
      .sort(),
  );
  if (typeof merge !== 'function') return policy;
  return { ...policy, merge: (old, page, options) => (page ? merge(old, page, options) : (old ?? null)) };
}

declare module '@apollo/client' {
  // The parts of an answer, and the types that codegen makes of deferred fragments
  interface TypeOverrides extends Defer20220824Handler.TypeOverrides, GraphQLCodegenIncremental.TypeOverrides {}

  // oxlint-disable-next-line typescript/no-namespace -- where Apollo Client looks for them
  namespace ApolloClient.DeclareDefaultOptions {
    interface WatchQuery {
      errorPolicy: 'all';
    }
    interface Query {
      errorPolicy: 'all';
    }
    interface Mutate {
      errorPolicy: 'all';
    }
  }
}
