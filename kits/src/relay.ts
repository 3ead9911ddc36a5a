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
import { type Connection, headersOf, isRepeatable, newKey, renewals } from './connection.ts';
import { asksForCredentials, failuresOf, isOpen, refusesKey, type Result } from './outcome.ts';

/**
 * An environment for one user; another user gets one of their own, as its store holds what this one may see. What could not be
 * read is asked for again when it is shown the next time: the store keeps the null of a field that failed, so an answer with errors
 * makes all of it stale.
 *
 * A mutation has an `Idempotency-Key`, a new one under new credentials, unless its `cacheConfig` has one:
 * `{ metadata: { idempotencyKey } }`. One that is not known to keep to a key is sent once, and one that takes no key a last time,
 * without one.
 *
 * @param config what the environment gets besides the network, such as a store or missing field handlers
 */
export function connect(connection: Connection, config: Partial<EnvironmentConfig> = {}): Environment {
  const { attempts = 5 } = connection;
  const renew = renewals(connection);
  const network = Network.create(({ text, operationKind }, variables, { metadata }) =>
    Observable.create<GraphQLSingularResponse>((sink) => {
      const left = new AbortController();
      const isWrite = operationKind === 'mutation';
      const keyOf = () => (isWrite ? String(metadata?.['idempotencyKey'] ?? newKey()) : undefined);
      const body = JSON.stringify({ query: text, variables });
      const request = {
        body,
        isWrite,
        attempts: isWrite && !isRepeatable(rootFields(text ?? ''), connection) ? 1 : attempts,
        keyOf,
        signal: left.signal,
        renew,
      };

      const send = async () => {
        const before = counted;
        let isStale = false;
        for await (const part of answers(connection, request, authorize(connection, request, 1))) {
          const failures = failuresIn(part);
          isStale ||= failures.some((each) => !isWrite || each.extensions?.['outcome'] !== 'REFUSED' || isOpen(each));
          // With the null of a next page the store would drop the rows before it.
          const isNextPage = !isWrite && (variables['after'] ?? variables['before']);
          const lost = isNextPage && failures.find(({ path }) => path?.every((step) => typeof step === 'string'));
          if (lost) throw new Error(lost.message);
          for (const payload of payloadsOf(part)) {
            if (isWrite) take(environment, payload, sink);
            else sink.next(payload);
          }
        }
        sink.complete();
        // A query that was under way during a write may have been answered before it.
        if (isStale || (!isWrite && before !== counted)) invalidate(environment);
      };
      send().catch((error: Error) => {
        if (!sink.closed) sink.error(error);
        if (isWrite) invalidate(environment);
      });
      return () => isWrite || left.abort(); // a write is made whether or not its page is left
    }),
  );
  const environment = new Environment({ network, ...config });
  return environment;
}

const invalidate = (environment: Environment) => commitLocalUpdate(environment, (store) => store.invalidateStore());

/** The names of the root fields of the operation, which is the first definition. A fragment or a directive among them is a further name. */
function rootFields(document: string): readonly string[] {
  let text = document.replace(/"(?:\\.|[^"\\])*"|#.*|__typename/g, '');
  for (let last = ''; last !== text;) text = (last = text).replace(/\([^()]*\)|(\{[^{}]*)\{[^{}]*\}/g, '$1 ');
  return text.split(/[{}]/)[1]?.match(/[\w@.]+\b(?!\s*:)/g) ?? [];
}

interface Request {
  readonly body: string;
  readonly isWrite: boolean;
  /** One for a write that is not known to keep to its key. */
  readonly attempts: number;
  readonly keyOf: () => string | undefined;
  readonly signal: AbortSignal;
  readonly renew: ReturnType<typeof renewals>;
}

interface Attempt {
  readonly number: number;
  readonly credentials: Record<string, string>;
  /** Holds for these credentials: under others the write would be made again. */
  readonly key: string | undefined;
}

/** A part of an answer. The first has `data`; later ones have the deferred fragments in `incremental`. */
type Part = GraphQLSingularResponse & {
  readonly incremental?: readonly GraphQLSingularResponse[];
  readonly hasNext?: boolean;
};

const failuresIn = (part: Part) => [part, ...(part.incremental ?? [])].flatMap((payload) => failuresOf(payload));

/**
 * Sends an operation until it is answered: under the next credentials when these were refused, and again, with the same, after a
 * lost connection.
 *
 * @yields the parts of the answer
 */
async function* answers(connection: Connection, request: Request, attempt: Attempt): AsyncGenerator<Part> {
  const { isWrite, attempts, signal } = request;
  let isAnswered = false;
  let next: Attempt | undefined;
  try {
    for await (const part of partsOf(await post(connection.url, request, attempt))) {
      // The first part of a write tells its outcome.
      if (!isWrite || !isAnswered) next = await nextAfter(part, connection, request, attempt);
      if (next) break;
      isAnswered = true;
      yield part;
    }
    if (!next) return;
  } catch (error) {
    // The store takes a query's first part twice.
    if (attempt.number >= attempts || signal.aborted || (isAnswered && isWrite)) throw error;
  }
  const { delayMs = 300 } = connection;
  const pause = delayMs * 2 ** (attempt.number - 1);
  if (next?.number !== Infinity) await new Promise((resolve) => setTimeout(resolve, pause));
  yield* answers(connection, request, next ?? again(attempt));
}

/** Resolves with the attempt that is due after this part, or with nothing where the part is the answer. */
async function nextAfter(
  part: Part,
  connection: Connection,
  request: Request,
  attempt: Attempt,
): Promise<Attempt | undefined> {
  const { isWrite, attempts, renew } = request;
  const failures = failuresIn(part);
  if (attempt.key && refusesKey(part.data, failures)) return { ...attempt, number: Infinity, key: undefined };
  if (attempt.number >= attempts) return undefined;
  const isRenewed = asksForCredentials(part.data, failures, isWrite) && (await renew(attempt.credentials));
  if (isRenewed) return authorize(connection, request, attempt.number + 1);
  return failures.some(isOpen) ? again(attempt) : undefined;
}

/** @throws TypeError for a login with a colon */
function authorize({ credentials }: Connection, { keyOf }: Request, number: number): Attempt {
  return { number, credentials: headersOf(credentials()), key: keyOf() };
}

const again = (attempt: Attempt): Attempt => ({ ...attempt, number: attempt.number + 1 });

function post(url: string, { body, signal }: Request, { credentials, key }: Attempt): Promise<Response> {
  const headers = {
    ...credentials,
    accept: 'multipart/mixed; deferSpec=20220824, application/json',
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  };
  return fetch(url, { method: 'POST', headers, body, signal });
}

/**
 * Reads an answer of one part or of several.
 *
 * @yields each part. JSON has no line breaks but escaped ones, so no part holds a boundary
 * @throws Error for what is no answer, such as a proxy's, and for one that ends early
 */
async function* partsOf(response: Response): AsyncGenerator<Part> {
  const boundary = /boundary="?([^"\s;]+)/i.exec(String(response.headers.get('content-type')))?.[1];
  if (!boundary || !response.body) return yield partOf(await response.json());
  const end = `\r\n--${boundary}`;
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const parts = (rest + read.value).split(end);
      rest = parts.pop() ?? '';
      for (const part of parts.filter((part) => part.includes('{')))
        yield partOf(JSON.parse(part.slice(part.indexOf('{'))));
    }
  } finally {
    await reader.cancel(); // an answer that is left early would go on
  }
  if (!rest.startsWith('--')) throw new Error('The answer ends early.');
}

/** @throws Error for what is no answer, such as a proxy's */
function partOf(value: Part): Part {
  if (['data', 'errors', 'incremental', 'hasNext'].some((name) => name in Object(value))) return value;
  throw new Error('The gateway was not reached: this is no answer of GraphQL.');
}

/** Relay takes each deferred fragment as an answer of its own, and wants to know the last. */
function payloadsOf(part: Part): GraphQLSingularResponse[] {
  const payloads = part.incremental ?? ('data' in part || 'errors' in part ? [part] : []);
  return payloads.map((payload, index) => ({
    ...payload,
    extensions: { ...payload.extensions, is_final: !part.hasNext && index === payloads.length - 1 },
  }));
}

/** Another one for each write. Undefined while a write is taken that may have been counted before. */
let counted: object | undefined = {};

/**
 * Ids of the lists that a change of a row leaves as they are: one of a `@connection`, whose pages are lists, too; a counter; one without
 * a filter, in an order that no change moves a row in.
 */
const STAYS = /:__|^client:root:[^{]*(first:0|By:[^}]*"(CREATED_AT|ID)"}]?)\)$/;

/** In the fields of the query: what a write may have changed besides lists. That is what was null by an id, or found by an external id. */
const OPEN = /\)":null|By[A-Z]|[[,]null[\],]/;

interface Member {
  readonly __typename: string;
  readonly id?: string;
  readonly deletedIds?: readonly string[];
}

/** Gives the answer of a write to the store, and makes stale what it may have changed besides the lists of its updater. */
function take(
  environment: Environment,
  payload: GraphQLSingularResponse,
  sink: { readonly next: (payload: GraphQLSingularResponse) => void },
): void {
  const source = () => environment.getStore().getSource();
  const members = Object.values<Member | null>({ ...payload.data }).flat();
  const rows = members.flatMap((row) => (row && !/Error$|^NotAttempted$/.test(row.__typename) ? row : []));
  const ids = rows.flatMap(({ id, deletedIds = [id] }) => deletedIds.map(String));
  const isFirst = !/"RE[CP]/.test(JSON.stringify(payload.extensions));
  const isChange = isFirst && rows.every(({ id }) => id && source().get(id));
  counted = isFirst ? {} : undefined;
  sink.next(payload);
  counted = {};
  if (!ids[0]) return;
  commitLocalUpdate(environment, (store) => {
    for (const { deletedIds = [] } of rows) for (const id of deletedIds) store.delete(id);
    for (const id of source().getRecordIDs()) {
      const list = store.get(id);
      const isOfType = ['Search:', ...ids].some((each) => list?.getType() === each.replace(/:.*/, 'Connection'));
      if (isOfType && !(isChange && STAYS.test(id))) list?.invalidateRecord();
    }
    // Records of other types are shown by lists that are no connections, and under other ids.
    if (OPEN.test(JSON.stringify(source().get('client:root'))) || !ids.every((id) => /^(Client|Deal|Post):/.test(id)))
      store.invalidateStore();
  });
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

type Update = (store: RecordSourceSelectorProxy, field: string, lists: readonly string[]) => void;

/** Changes lists by the result of a mutation. */
const updater = (): Update => (store, field, lists) => {
  let records: readonly (RecordProxy | null)[];
  try {
    records = [store.getRootField(field)];
  } catch {
    records = store.getPluralRootField(field) ?? []; // of a bulk mutation
  }
  for (const record of records) {
    const deletedIds = record?.getValue('deletedIds');
    for (const id of [deletedIds ?? record?.getDataID()].flat().map(String)) {
      for (const list of lists) change(store, store.get(list), id, deletedIds ? null : record);
      if (deletedIds) store.delete(id);
    }
  }
};

type Nullable<Value> = Value | null | undefined;

/** Takes a row out of a list of its type, or puts it first. A refusal has an id of no type. */
function change(
  store: RecordSourceSelectorProxy,
  list: Nullable<RecordProxy>,
  id: string,
  added: Nullable<RecordProxy>,
): void {
  if (list?.getType() !== id.replace(/:.*/, 'Connection')) return;
  const edges = list.getLinkedRecords('edges') ?? [];
  let next = edges.filter((edge) => edge?.getLinkedRecord('node')?.getDataID() !== id);
  if (added) {
    if (!counted || next.length < edges.length) return;
    // Without a cursor the store would miss it, and read the list again.
    const edge = ConnectionHandler.createEdge(store, list, added, `${added.getType()}Edge`).setValue('', 'cursor');
    next = [edge, ...edges];
  }
  list.setLinkedRecords(next, 'edges');
  const total = list.getValue('totalCount');
  if (typeof total === 'number') list.setValue(total + next.length - edges.length, 'totalCount');
}

/**
 * For the `updater` of a creation: puts the new records first in lists. A refusal is no row of any list.
 *
 * @param field name of the mutation
 * @param lists `__id` of each connection, or `ConnectionHandler.getConnectionID(…)`
 */
export const addToLists: Update = updater();

/** For the `updater` of a deletion, whose result selects `deletedIds`: takes what is gone out of the store and of lists. */
export const removeFromLists: Update = updater();
