import {
  commitLocalUpdate,
  commitMutation,
  ConnectionHandler,
  Environment,
  type EnvironmentConfig,
  type GraphQLSingularResponse,
  type MutationConfig,
  type MutationParameters,
  Network,
  Observable,
  type RecordProxy,
  type RecordSourceSelectorProxy,
} from 'relay-runtime';
import { type Connection, headersOf, newKey, renewals } from './connection.ts';
import { failuresOf, isOpen, isUnauthenticated, type Result } from './outcome.ts';

/**
 * An environment for one user; another user gets one of their own, as its store holds what this one may see. What could not be
 * read is asked for again when it is shown the next time: the store keeps the null of a field that failed, so an answer with errors
 * makes all of it stale.
 *
 * A mutation has a new `Idempotency-Key`, unless its `cacheConfig` has one: `{ metadata: { idempotencyKey } }`.
 *
 * @param config what the environment gets besides the network, such as a store or missing field handlers
 */
export function connect(connection: Connection, config: Partial<EnvironmentConfig> = {}): Environment {
  const renew = renewals(connection);
  const network = Network.create(({ text, operationKind }, variables, { metadata }) =>
    Observable.create<GraphQLSingularResponse>((sink) => {
      const left = new AbortController();
      const isWrite = operationKind === 'mutation';
      const key = isWrite ? String(metadata?.['idempotencyKey'] ?? newKey()) : undefined;
      const request = { body: JSON.stringify({ query: text, variables }), key, signal: left.signal, renew };
      const isNextPage = typeof variables['after'] === 'string';

      const send = async () => {
        let hasFailed = false;
        for await (const part of answers(connection, request)) {
          const failures = failuresIn(part);
          hasFailed ||= failures.length > 0;
          // With the null of a next page the store would drop the rows before it.
          const lost = isNextPage && failures.find(({ path }) => path?.every((step) => typeof step === 'string'));
          if (lost) throw new Error(lost.message);
          for (const payload of payloadsOf(part)) sink.next(payload);
        }
        sink.complete();
        if (hasFailed) commitLocalUpdate(environment, (store) => store.invalidateStore());
      };
      send().catch((error: Error) => sink.closed || sink.error(error));
      return () => isWrite || left.abort(); // a write is made whether or not its page is left
    }),
  );
  const environment = new Environment({ network, ...config });
  return environment;
}

interface Request {
  readonly body: string;
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  readonly renew: ReturnType<typeof renewals>;
}

/** A part of an answer. The first has `data`; later ones have the deferred fragments in `incremental`. */
type Part = GraphQLSingularResponse & {
  readonly incremental?: readonly GraphQLSingularResponse[];
  readonly hasNext?: boolean;
};

const failuresIn = (part: Part) => [part, ...(part.incremental ?? [])].flatMap((payload) => failuresOf(payload));

/**
 * Sends an operation until it is answered: under the next credentials when these were refused, and again after a lost connection.
 *
 * @yields the parts of the answer
 */
async function* answers(connection: Connection, request: Request, attempt = 1): AsyncGenerator<Part> {
  const { url, attempts = 5 } = connection;
  const { key, signal, renew } = request;
  const sent = headersOf(connection.credentials());
  const isLast = attempt >= attempts;
  let isAnswered = false;
  try {
    for await (const part of partsOf(await post(url, request, sent))) {
      const failures = failuresIn(part);
      const isRenewed = !isLast && failures.some(isUnauthenticated) && (await renew(sent));
      isAnswered = isLast || !(isRenewed || failures.some(isOpen));
      if (!isAnswered) break;
      yield part;
    }
    if (isAnswered) return;
  } catch (error) {
    // The first part of a write tells its outcome. The store takes a query's first part twice.
    if (isLast || signal.aborted || (isAnswered && key !== undefined)) throw error;
  }
  await pause(connection, attempt);
  yield* answers(connection, request, attempt + 1);
}

function pause({ delayMs = 300 }: Connection, attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** (attempt - 1)));
}

function post(url: string, { body, key, signal }: Request, credentials: Record<string, string>): Promise<Response> {
  const headers = {
    ...credentials,
    accept: 'multipart/mixed; deferSpec=20220824, application/json',
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  return fetch(url, { method: 'POST', headers, body, signal });
}

/**
 * Reads an answer of one part or of several.
 *
 * @yields each part. JSON has no line breaks but escaped ones, so no part holds a boundary
 */
async function* partsOf(response: Response): AsyncGenerator<Part> {
  const [, boundary] = response.headers.get('content-type')?.split('boundary=') ?? [];
  if (boundary === undefined || !response.body) return yield await response.json();
  const end = `\r\n--${boundary.replaceAll('"', '')}`;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (rest + read.value).split(end);
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.includes('{')) yield JSON.parse(part.slice(part.indexOf('{')));
  }
  if (!rest.startsWith('--')) throw new Error('The answer ends before its last part.');
}

/** Relay takes each deferred fragment as an answer of its own, and wants to know the last. */
function payloadsOf(part: Part): GraphQLSingularResponse[] {
  const payloads = part.incremental ?? ('data' in part || 'errors' in part ? [part] : []);
  return payloads.map((payload, index) => ({
    ...payload,
    extensions: { ...payload.extensions, is_final: !part.hasNext && index === payloads.length - 1 },
  }));
}

/** Sends a mutation. Resolves with the argument of `outcomeOf`, also when there is no answer. */
export function write<Operation extends MutationParameters>(
  environment: Environment,
  config: Omit<MutationConfig<Operation>, 'onCompleted' | 'onError'>,
): Promise<Result<Operation['response']>> {
  return new Promise((resolve) => {
    commitMutation<Operation>(environment, {
      ...config,
      onCompleted: (data, error) => resolve({ data, error }),
      onError: (error) => resolve({ error }),
    });
  });
}

/**
 * For the `updater` of a creation: puts the new record first in lists. A refusal is no row of any list.
 *
 * @param field name of the mutation
 * @param lists `__id` of each connection, or `ConnectionHandler.getConnectionID(…)`
 */
export function addToLists(store: RecordSourceSelectorProxy, field: string, lists: readonly string[]): void {
  const record = store.getRootField(field);
  for (const list of connectionsOf(store, lists)) {
    if (!record || record.getType() !== rowTypeOf(list)) continue;
    const edge = ConnectionHandler.createEdge(store, list, record, `${record.getType()}Edge`);
    edge.setValue('', 'cursor'); // the store would miss it, and read the list again
    ConnectionHandler.insertEdgeBefore(list, edge);
    count(list, 1);
  }
}

/** For the `updater` of a deletion, whose result selects `deletedIds`: takes what is gone out of the store and of lists. */
export function removeFromLists(store: RecordSourceSelectorProxy, field: string, lists: readonly string[]): void {
  const ids = store.getRootField(field)?.getValue('deletedIds');
  const deleted = Array.isArray(ids) ? ids.map(String) : [];
  for (const list of connectionsOf(store, lists)) {
    for (const id of deleted.filter((id) => id.startsWith(`${rowTypeOf(list)}:`))) {
      ConnectionHandler.deleteNode(list, id);
      count(list, -1);
    }
  }
  for (const id of deleted) store.delete(id);
}

const connectionsOf = (store: RecordSourceSelectorProxy, lists: readonly string[]) =>
  lists.flatMap((id) => store.get(id) ?? []);

/** `Client` of a `ClientConnection`. */
const rowTypeOf = (list: RecordProxy) => list.getType().slice(0, -'Connection'.length);

function count(list: RecordProxy, change: number): void {
  const total = list.getValue('totalCount');
  if (typeof total === 'number') list.setValue(total + change, 'totalCount');
}
