import {
  AnswerMemoryError,
  BadResponseError,
  type GatewayError,
  type UpstreamCall,
  type WriteOutcome,
} from '../errors.ts';
import type { Format } from '../formats/format.ts';
import { Rows } from '../formats/rows.ts';
import type { CachedResponse, Lookup, PageLists, ResponseCache } from './cache/response-cache.ts';
import type { Generation } from './cache/generations.ts';
import type { CredentialState, CredentialStates } from './credential-states.ts';
import type { KeyedStep } from './keyed-step.ts';
import type { OperationMemory, ReadQueue, Trials } from './operation-reads.ts';
import type { RecordTurns } from './preconditions/record-turns.ts';
import type { ListCap, ReadCost } from './read-cost.ts';
import type { Headers, Method, Parsed, Write } from './requests.ts';
import type { SharedCall, SharedCalls } from './shared-calls.ts';
import type { Way } from './step.ts';
import type { Ticket } from './transport/breaker.ts';
import type { CallBudget } from './transport/call-budget.ts';
import type { SessionTrace } from './transport/call-trace.ts';
import type { Departure } from './transport/departure.ts';
import { type Answer, type ByteLimit, responseHead } from './transport/messages.ts';
import type { Path } from './transport/path.ts';
import type { Upstream } from './transport/upstream.ts';
import type { WriteAttempt, Written } from './write-attempt.ts';
import type { WriteLedger } from './write-ledger.ts';

/** How several records are read by id. `auto` chooses what is predicted to cost less. */
export type BatchReads = 'auto' | 'list' | 'by-id';

/** One API for the life of the process: its settings, its connections, its ways, and what is shared by all callers. */
export interface SharedApi<Body> {
  readonly upstream: Upstream;
  readonly format: Format<Body>;
  readonly credentials: CredentialStates;
  /** Undefined when no response is cached. */
  readonly cache: ResponseCache<Body> | undefined;
  /** The calls that identical reads may join. Undefined when each read has one of its own. */
  readonly calls: SharedCalls<Body> | undefined;
  /** The subjects of each endpoint's responses, by method and template. Responses of an endpoint without an entry are neither cached nor shared. */
  readonly subjects: ReadonlyMap<string, readonly string[]> | undefined;
  /**
   * Makes stale what a write may change, at every API and for every credential.
   *
   * @param endpoint its method and template
   * @returns a promise until it is so in all processes
   */
  readonly invalidate: (endpoint: string) => Promise<void> | undefined;
  /** The name of another API that serves some of the same records: its session forgets them after a write, too. */
  readonly related?: string | undefined;
  /** The headers of the format: `packed` for a read that accepts gzip, `common` for any other request. */
  readonly headers: { readonly common: Headers; readonly packed: Headers };
  /** The way of a read. */
  readonly read: Way<Exchange<Body>, Parsed<Body>>;
  /** The way of a read that is answered by a call of its own alone, up to its response. */
  readonly ask: Way<Exchange<Body>, Exchange<Body>>;
  /** The way of a write. */
  readonly write: Way<WriteExchange<Body>, Written<Body>>;
  readonly readCost: ReadCost;
  readonly maxRecord: ByteLimit;
  readonly maxList: ByteLimit;
  /** The limit for a list that is read instead of records by id. */
  readonly maxJoinedList: ByteLimit;
  /** Maximum number of concurrent reads by id of one operation. */
  readonly readsAtOnce: number;
  readonly batchReads: BatchReads;
  /** Whether a field of the schema has a name: such names are no secrets. */
  readonly isFieldName: (name: string) => boolean;
}

/** The parts of an operation that its sessions share. */
export interface SessionOperation {
  readonly budget: CallBudget;
  /** Receives the outcome of each write. */
  readonly writes: WriteLedger;
  /** The step of writes under an `Idempotency-Key`. Undefined for an operation without one. */
  readonly keyed?: KeyedStep | undefined;
  /** The sessions of the operation, by the name of the API. */
  readonly sessions: Readonly<Record<string, { forget(): void } | undefined>>;
  /** The lists that pages may go on in. */
  readonly pages: PageLists;
  /** Of writes that must find their record unchanged. */
  readonly turns: RecordTurns;
  /** Happens when the caller closes the connection: no call starts after that, and open reads are cancelled. */
  readonly gone: Departure;
  /** Called before a write whose response may hold a text that is given out once, such as a raw token. */
  readonly onSecret: () => void;
  /** Called with the outcome of a write that ends after its caller left or was answered: the caller cannot learn it. */
  readonly onLateWrite: (call: UpstreamCall, outcome: WriteOutcome) => void;
}

/** A session: the API that it calls, for an operation, with the credential of a caller. */
export interface SessionOptions<Body> {
  readonly api: SharedApi<Body>;
  readonly operation: SessionOperation;
  /** The caller's header that holds the credential: named when upstream refuses it. Undefined when none is sent. */
  readonly credential: string | undefined;
  /** Returns the caller's credentials, which are removed from every text of upstream. Called when upstream refuses a call. */
  readonly secrets: () => readonly string[];
  /** The state of the credential at the API. Undefined when none is sent: then no read is shared or cached, and no breaker guards an endpoint. */
  readonly credentialState?: CredentialState | undefined;
  /** Records the calls. Undefined unless the caller asks for it. */
  readonly trace?: SessionTrace | undefined;
  /** Called with each response, a refusal too, before it is parsed. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}

/** The state of one operation at one API: the reads that it has made, and those that wait. */
export interface SessionState<Body> extends SessionOptions<Body> {
  readonly memory: OperationMemory<Body>;
  readonly queue: ReadQueue;
  readonly trials: Trials;
  /** The headers of a request. @param own those that it adds to those of the format */
  headers(own: Headers | undefined, isPacked: boolean): Headers;
  /** Forgets what was read: later reads call upstream again. */
  forget(): void;
}

const NO_ANSWER: Answer = { status: 0, ...responseHead([]), body: [], packedBytes: undefined, headMs: 0, totalMs: 0 };

/** How a request is sent, where it is not a read of one record. */
interface ExchangeOptions<Attempt> {
  readonly isList?: boolean;
  readonly isRead?: boolean;
  /** The bounds of a list that is read instead of records by id. */
  readonly cap?: ListCap | undefined;
  /** Undefined for a read. */
  readonly attempt: Attempt;
}

/** One request of an operation to an upstream, with its response. Each step keeps its findings here for the steps after it. */
export class Exchange<Body, Attempt = undefined> {
  readonly session: SessionState<Body>;
  readonly method: Method;
  readonly request: Write;
  /** The encoded body; null for none. */
  readonly body: string | null;
  readonly limit: ByteLimit;
  /** Whether it changes nothing upstream: it is cancelled when the caller leaves. */
  readonly isRead: boolean;
  readonly isList: boolean;
  readonly cap: ListCap | undefined;
  /** Undefined for a read. */
  readonly attempt: Attempt;
  /** The smaller one of `limit` and `cap`: the response may have no more. */
  readonly callLimit: ByteLimit;
  /** The call as errors and the log name it, with the status once there is a response. */
  call: UpstreamCall;
  /** The generation of the subjects of the response, when the read began. Undefined for a response that is neither cached nor shared. */
  generation: Generation | undefined;
  /** Where the response is stored. Undefined for a response that must not be cached, or came from the cache. */
  lookup: Lookup<Body> | undefined;
  /** Headers that steps add to those of the request. */
  headers: Headers | undefined;
  /** The ticket of the breaker of the endpoint. */
  ticket: Ticket = 0;
  /** Undefined for a call that nobody may join. */
  shared: SharedCall<Body> | undefined;
  /** Whether its call was begun by another read. */
  hasJoined = false;
  /** Of status 0 before the response. */
  answer: Answer = NO_ANSWER;
  /** The cached response that a 304 has confirmed. */
  unchanged: CachedResponse<Body> | undefined;
  /** The size of a list in bytes, and the CPU time of its parsing in milliseconds. */
  bytes = 0;
  parseCpuMs = 0;
  /** Whether this operation is the first to handle the response of a shared call: it updates breakers, pauses and measurements. */
  isFirst = true;

  /** @throws ValidationError for a body that the format cannot encode */
  constructor(
    session: SessionState<Body>,
    method: Method,
    request: Write,
    limit: ByteLimit,
    { isList = false, isRead = method === 'GET', cap, attempt }: ExchangeOptions<Attempt>,
  ) {
    this.session = session;
    this.method = method;
    this.request = request;
    this.body = request.body === undefined ? null : session.api.format.encode(request.body);
    this.limit = limit;
    this.isRead = isRead;
    this.isList = isList;
    this.cap = cap;
    this.attempt = attempt;
    this.callLimit = cap && cap.bytes < limit.bytes ? { ...limit, bytes: cap.bytes } : limit;
    this.call = callOf(session.api, method, request.path);
  }
}

/** A write on its way. */
export type WriteExchange<Body> = Exchange<Body, WriteAttempt<Body>>;

/** The generation of the subjects of an endpoint's responses. Undefined where they are neither cached nor shared. */
export function generationOf<Body>(
  { api, credentialState }: SessionState<Body>,
  endpoint: string,
): Generation | undefined {
  const subjects = api.subjects?.get(endpoint);
  return subjects && credentialState?.generations?.of(subjects);
}

/** Returns the call as errors and the log name it. */
export function callOf({ upstream }: Pick<SharedApi<never>, 'upstream'>, method: Method, path: Path): UpstreamCall {
  return { api: upstream.api.name, endpoint: `${method} ${path.template}` };
}

/** Claims the result of a call. @returns true for the first operation that does, which updates breakers, pauses and measurements */
export function claim(shared: Pick<SharedCall<never>, 'isJudged'> | undefined): boolean {
  const isJudged = shared?.isJudged ?? false;
  if (shared) shared.isJudged = true;
  return !isJudged;
}

/** Whether a response has no body. */
export function isEmpty({ body }: Answer): boolean {
  return body.every(({ length }) => length === 0);
}

/**
 * Runs a decoder. Adds the call to the BadResponseError that it throws, and to the problems of the list that it returns.
 */
export function decodeInContext<T>(call: UpstreamCall, decode: () => T): T {
  try {
    const decoded = decode();
    if (decoded instanceof Rows) decoded.mapProblems((problem) => badResponse(call, problem));
    return decoded;
  } catch (error) {
    throw inContext(call, error);
  }
}

/** Adds the call to a BadResponseError. Returns any other error as it is. */
export function inContext(call: UpstreamCall, error: unknown): unknown {
  if (error instanceof AnswerMemoryError) return new AnswerMemoryError(call);
  return error instanceof BadResponseError ? badResponse(call, error) : error;
}

export function badResponse(call: UpstreamCall, error: GatewayError): BadResponseError {
  return new BadResponseError(`The ${call.api} API: ${error.message}`, call);
}
