import {
  ApolloClient,
  ApolloLink,
  type FieldPolicy,
  HttpLink,
  InMemoryCache,
  type PossibleTypesMap,
  ServerError,
  type TypePolicies,
  type TypePolicy,
} from '@apollo/client';
import { Defer20220824Handler, type GraphQLCodegenIncremental } from '@apollo/client/incremental';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import {
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
  dematerialize,
  EMPTY,
  finalize,
  from,
  map,
  materialize,
  type Observable,
  type ObservableNotification,
  of,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { isUncertain, linked } from './apollo-lists.ts';
import { type Connection, headersOf, isRepeatable, newKey, renewals, rootFields } from './connection.ts';
import { asksForCredentials, type Failure, failuresOf, isOpen, refusesKey } from './outcome.ts';
import { connections, parts, possibleTypes } from './possible-types.ts';

type Answers = Observable<ApolloLink.Result>;
type AnswerEvent = ObservableNotification<ApolloLink.Result>;
type Headers = Readonly<Record<string, string>>;

/** Whoever is to wait longer, in seconds, gets the answer instead. */
const maxSeconds = 10;

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
  return ApolloLink.from([forgetting, sending(connection), new HttpLink({ uri: connection.url })]);
}

/** After a write of which nobody knows what it has changed, all is read again: once an optimistic answer is gone, too. */
const forgetting = new ApolloLink((operation, forward) => {
  const { cache } = operation.client;
  let isLost = operation.operationType === OperationTypeNode.MUTATION;
  linked.add(cache);
  return forward(operation).pipe(
    map((answer) => {
      isLost &&= 'incremental' in answer || isUncertain(answer);
      return { extensions: {}, ...answer };
    }),
    finalize(() => isLost && void cache.reset()),
  );
});

/**
 * Counts all attempts of an operation. After a lost answer and an open outcome the next one has the credentials and the key of the
 * one before, so that a write is looked into, and not made again. After a renewal it has new ones. What takes no key
 * is sent a last time, without one.
 */
function sending(connection: Connection): ApolloLink {
  const { attempts = 5, delayMs = 300 } = connection;
  const renew = renewals(connection);
  return new ApolloLink((operation, forward) => {
    const { headers: own } = operation.getContext(); // a form may give its own key, so that two clicks are one write, too
    const isMutation = operation.operationType === OperationTypeNode.MUTATION;
    const most = isMutation && !isRepeatable(rootFields(operation.query), connection) ? 1 : attempts;

    const begin = (number: number): Answers => {
      const sent = headersOf(connection.credentials());
      return send(number, sent, { ...(isMutation && { 'idempotency-key': newKey() }), ...own, ...sent });
    };
    const send = (number: number, sent: Headers, headers: Headers): Answers => {
      let hasAnswered = false;
      /** Emits once, when the next attempt is due. Without one the event is the answer. */
      const again = (event: AnswerEvent): Observable<() => Answers> => {
        const failures = failuresIn(event);
        const data = dataIn(event);
        if (number < Infinity && !hasAnswered && refusesKey(data, failures))
          return of(() => send(Infinity, sent, withoutKey(headers)));
        if (number >= most) return EMPTY;
        if (asksForCredentials(data, failures, isMutation) && !(isMutation && hasAnswered))
          return from(renew(sent)).pipe(concatMap((isRenewed) => (isRenewed ? of(() => begin(number + 1)) : EMPTY)));
        const seconds = Math.max(0, ...failures.map(({ extensions }) => Number(extensions?.['retryAfter'] ?? 0)));
        const isLost = event.kind === 'E' || (failures.some(isOpen) && (isMutation || !data));
        if (!isLost || seconds > maxSeconds) return EMPTY;
        const backOff = delayMs * 2 ** (number - 1) * (0.5 + Math.random());
        return timer(Math.max(backOff, seconds * 1000)).pipe(map(() => () => send(number + 1, sent, headers)));
      };
      operation.setContext({ headers });
      return forward(operation).pipe(
        catchError(errorsOf),
        materialize(),
        // The end of the next attempt is that of this one, too: no deferred part comes after it.
        concatMap((event) =>
          again(event).pipe(
            concatMap((next) => next().pipe(materialize())),
            defaultIfEmpty(event),
          ),
        ),
        dematerialize(),
        tap(() => (hasAnswered = true)),
      );
    };
    return defer(() => begin(1));
  });
}

const withoutKey = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'));

/** The errors of a refused request: Apollo Client reads them in `application/graphql-response+json` alone. */
function errorsOf(error: unknown): Answers {
  const errors = ServerError.is(error) ? failuresOf(parsed(error.bodyText)) : [];
  if (errors.length === 0) return throwError(() => error);
  return of({ errors: errors.map(({ message, extensions }) => ({ message, extensions: { ...extensions } })) });
}

/** Null where the text is no JSON, such as the page of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Those of deferred parts, too. */
function failuresIn(event: AnswerEvent): readonly Failure[] {
  if (event.kind !== 'N') return [];
  const parts = 'incremental' in event.value ? (event.value.incremental ?? []) : [];
  return [event.value, ...parts].flatMap((part) => ('errors' in part ? (part.errors ?? []) : []));
}

/** The data of an answer, or its deferred parts. */
function dataIn(event: AnswerEvent): unknown {
  if (event.kind !== 'N') return undefined;
  if ('incremental' in event.value) return event.value.incremental;
  return 'data' in event.value ? event.value.data : undefined;
}

/**
 * A cache that knows the schema: fragments on interfaces and unions, all pages of a connection as one list, and objects
 * without an id as parts of their records.
 *
 * @param policies more of them, such as those of typed databases
 * @param members behind a router, those that other subgraphs add to interfaces and unions: `{ Node: ['Invoice'] }`
 */
export function createCache(policies: TypePolicies = {}, members: PossibleTypesMap = {}): InMemoryCache {
  const merged = parts.map((type): [string, TypePolicy] => [type, { merge: true }]);
  const paged = Object.entries(connections).map(([type, names]): [string, TypePolicy] => [
    type,
    { fields: Object.fromEntries(names.map((name) => [name, pages()])) },
  ]);
  const cache = new InMemoryCache({ possibleTypes, typePolicies: Object.fromEntries([...merged, ...paged]) });
  cache.policies.addTypePolicies(policies);
  cache.policies.addPossibleTypes(members);
  return cache;
}

/** What the cache has of a connection. */
interface List {
  readonly pageInfo?: object;
  readonly edges?: readonly ({ readonly cursor?: string } | null)[];
  /** The pages behind cursors, for queries that read one of them alone. */
  readonly at?: Readonly<Record<string, List>>;
}

/**
 * All pages of a connection as one list; other arguments, `first` and `last` among them, make another list. A query with a cursor
 * reads that page alone. A list that could not be read is null, and not empty.
 */
export function pages(): FieldPolicy<List | null> {
  const { read, merge, ...policy }: FieldPolicy = relayStylePagination((args) =>
    Object.keys(args ?? {})
      .filter((name) => name !== 'after' && name !== 'before')
      .sort(),
  );
  return {
    ...policy,
    read(list, options) {
      const cursor = cursorIn(options.args);
      return cursor ? list?.at?.[cursor] : list?.edges ? read?.(list, options) : list;
    },
    merge(list, page, options) {
      if (!page) return list ?? null;
      const cursor = cursorIn(options.args);
      const at = cursor && { at: { ...list?.at, [cursor]: page } };
      const hasPlace = !cursor || list?.edges?.some((edge) => edge?.cursor === cursor);
      if (!page.edges || !hasPlace || typeof merge !== 'function') return { ...list, ...(at || page) };
      const known = { edges: [], ...list, pageInfo: page.pageInfo && list?.pageInfo }; // not the ends of other rows
      return { ...merge(known, page, options), ...at };
    },
  };
}

const cursorIn = (args: Readonly<Record<string, string>> | null) => args?.['after'] ?? args?.['before'];

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
