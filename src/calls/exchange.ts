import {
  AnswerMemoryError,
  asError,
  BadResponseError,
  BreakerOpenError,
  CallerGoneError,
  type GatewayError,
  LateEndpointError,
  NotFoundError,
  RateLimitedError,
  UnavailableError,
  type UpstreamCall,
} from '../errors.ts';
import { type Refusal, refusalInResults, refusalOfRead, refusalOfWrite, type SentWrite } from '../formats/written.ts';
import { Rows } from '../formats/rows.ts';
import type { Ticket } from './transport/breaker.ts';
import type { Answer, ByteLimit, Deadlines, Outgoing } from './transport/messages.ts';
import type { Path } from './transport/path.ts';
import { createRedactor } from './transport/redaction.ts';
import { refusalError } from './transport/refusal.ts';
import type { HeldAnswer } from './transport/answer-memory.ts';
import type { KeepableRead } from './credential-states.ts';
import type { Get, KeptAnswer, Method, Parsed, Received, SharedRead, Write } from './requests.ts';
import type { SessionOptions } from './session-options.ts';

/** A call under way, which other operations may have joined. */
interface CallUnderWay<Body> {
  readonly call: UpstreamCall;
  /** Its ticket at the breaker of its endpoint. */
  readonly ticket: Ticket;
  readonly request: Write;
  /** Undefined for a call that nobody may join. */
  readonly shared: SharedRead<Body> | undefined;
  /** The kept answer that it asks about. */
  readonly kept: KeptAnswer<Body> | undefined;
  readonly answering: Promise<Answer>;
}

/** How a request is sent. */
interface Sending<Body> {
  /** Whether it changes nothing upstream: it is cancelled when the caller leaves. */
  readonly isRead: boolean;
  /** Whether it may join the call of an identical one, and others may join its own. */
  readonly mayJoin: boolean;
  readonly keepable?: KeepableRead<Body> | undefined;
}

type Headers = Readonly<Record<string, string>>;

const NO_TEXTS: readonly string[] = [];

/** A part of what was asked for (RFC 9110, 15.3.7). No request asks for one. Not documented (A252): a write with it was carried out. */
const PARTIAL = 206;

/** Several results (RFC 4918, 13). */
const RESULTS = 207;

/** Sends requests to one API for one caller: counts each call, and turns each refusal into an error. */
export class Exchange<Body> {
  readonly #options: SessionOptions<Body>;
  readonly #formatHeaders: Headers;
  /** Those of a read that asks for a packed answer. */
  readonly #packedHeaders: Headers;
  /** The headers of the last request, and those that were sent for them: most requests of a session have the same. */
  #lastGiven: Headers | undefined;
  #lastCommon: Headers | undefined;
  #lastSent: Headers;
  /** How many reads are under way, and the refused ones that wait for one of them to end. */
  #reading = 0;
  #refused: (() => void)[] = [];

  constructor(options: SessionOptions<Body>) {
    const { accept, contentType } = options.api.format;
    this.#options = options;
    this.#formatHeaders = { accept, 'content-type': contentType };
    this.#packedHeaders = { ...this.#formatHeaders, 'accept-encoding': 'gzip' };
    this.#lastSent = this.#formatHeaders;
  }

  /**
   * Sends a request and receives its response without parsing it.
   *
   * @param isRead true when the request changes nothing upstream: it is cancelled when the caller leaves
   * @throws GatewayError for every status but 2xx, for a failure of the network, and when the budget is spent
   */
  async send(method: Method, request: Write, limit: ByteLimit, isRead = method === 'GET'): Promise<Received<Body>> {
    const begun = this.#begin(method, request, limit, { isRead, mayJoin: false });
    try {
      return this.#accept(await begun.answering, begun);
    } catch (error) {
      this.#judgeLate(error, begun);
      throw error;
    }
  }

  /**
   * Sends a GET request, or joins the call of an identical one, and receives its response without parsing it. A call that is
   * joined counts like any other one. While an API or endpoint is not called because it failed, one read is sent to try it: the other
   * reads of the session wait for that one, and go on or fail together.
   *
   * @param keepable asks whether a kept answer still holds: the response has the status 304 then
   * @param mayWait whether the read may wait for another one
   * @throws GatewayError as `send` does
   */
  async read(request: Get, limit: ByteLimit, keepable?: KeepableRead<Body>, mayWait = true): Promise<Received<Body>> {
    let wasRefused = false;
    let begun: CallUnderWay<Body> | undefined;
    this.#reading += 1;
    try {
      begun = this.#begin('GET', request, limit, { isRead: true, mayJoin: true, keepable });
      return this.#accept(await begun.answering, begun);
    } catch (error) {
      this.#judgeLate(error, begun);
      wasRefused = error instanceof BreakerOpenError;
      if (!wasRefused || !mayWait || this.#reading === 1) throw error;
    } finally {
      this.#reading -= 1;
      if (this.#refused.length > 0 && (!wasRefused || this.#reading === 0)) {
        for (const goOn of this.#refused.splice(0)) goOn();
      }
    }
    await new Promise<void>((resolve) => this.#refused.push(resolve));
    return this.read(request, limit, keepable, false);
  }

  /** @throws GatewayError when the call must not be made: the caller has left, upstream is not to be called for it now, or the budget is spent */
  #begin(method: Method, request: Write, limit: ByteLimit, sending: Sending<Body>): CallUnderWay<Body> {
    const { api, operation, known, trace } = this.#options;
    const { budget, gone } = operation;
    const { isRead, mayJoin, keepable } = sending;
    const call = this.call(method, request.path);
    if (gone.happened) throw new CallerGoneError('The caller has closed the connection.', call);
    const ticket = known?.admit(call, isRead) ?? 0;
    let isOwnCall = false;
    const open = (onOver?: () => void) => {
      isOwnCall = true;
      return api.upstream.open(this.#outgoing(method, request, limit, sending), call, onOver);
    };
    const shared = mayJoin && !budget.isSpent ? known?.join(request, limit, keepable?.kept, open) : undefined;
    const opened = shared?.call ?? open();
    budget.spend(call);
    const answering = opened.answer(gone, this.#deadlines(request));
    if (method === 'GET') trace?.beginRead(call, request.path, answering, !isOwnCall);
    else trace?.beginRequest(call, answering);
    return { call, ticket, request, shared, kept: shared ? shared.kept : keepable?.kept, answering };
  }

  /** Counts a timeout of one endpoint for the breaker of that endpoint and credential, once per call. Ignores any other error. */
  #judgeLate(error: unknown, begun: CallUnderWay<Body> | undefined): void {
    if (error instanceof LateEndpointError && begun && isFirst(begun.shared))
      this.#options.known?.failed(begun.call.endpoint, begun.ticket, error.message);
  }

  #outgoing(method: Method, request: Write, limit: ByteLimit, { isRead, keepable }: Sending<Body>): Outgoing {
    const { format, upstream } = this.#options.api;
    const body = request.body === undefined ? null : format.encode(request.body);
    const isPacked = isRead && upstream.compression.asksAt(`${method} ${request.path.template}`);
    const own = this.#headersOf(request, isPacked);
    const condition = keepable?.condition;
    const headers = condition ? { ...own, ...condition } : own;
    return {
      method,
      target: request.path.path,
      headers,
      body,
      isRead,
      limit,
      guard: this.#options.known,
      onSent: request.onSent,
      onLate: request.onLate,
    };
  }

  /** The deadlines of a request, limited by the remaining time of the operation. */
  #deadlines({ timeoutMs = Infinity, capMs }: Get): Deadlines {
    const msLeft = Math.max(1, Math.ceil(this.#options.operation.budget.msLeft));
    return { timeoutMs: Math.min(timeoutMs, msLeft), capMs };
  }

  /** @throws GatewayError for every status but 2xx */
  #accept(answer: Answer, begun: CallUnderWay<Body>): Received<Body> {
    this.#options.onAnswer?.(answer);
    const { status } = answer;
    const {
      call: { api, endpoint },
      ticket,
      request,
      shared,
    } = begun;
    const { body: sent, secrets = NO_TEXTS } = request;
    const call = { api, endpoint, status };
    const kept = status === 304 ? begun.kept : undefined;
    const received = { answer, call, sent, secrets, shared, isFirst: isFirst(shared), kept };
    const known = received.isFirst ? this.#options.known : undefined;
    if (status < 500) known?.succeeded(endpoint, ticket, answer.totalMs);
    if ((status >= 200 && status < 300) || kept) return received;
    const failure = this.#failureOf(received);
    if (failure instanceof UnavailableError) known?.failed(endpoint, ticket, failure.message, failure.retryAfter);
    else known?.dropRefused(request, status);
    throw failure;
  }

  #failureOf(received: Received<Body>): GatewayError {
    const { answer, call } = received;
    if (answer.status !== 304) {
      const { format } = this.#options.api;
      const error = this.#refusal(received, format.parseRefusal(answer, this.#setting));
      if (error instanceof NotFoundError) {
        error.isOfWebPage = () => !isEmpty(answer) && fails(() => format.assertNotWebPage(answer, this.#setting));
      }
      return error;
    }
    return badResponse(call, new BadResponseError('Expected an answer, got a 304 that nobody asked for.'));
  }

  /**
   * Parses the response to a read.
   *
   * @returns a promise only where the format needs one
   * @throws BadResponseError for a body that the format cannot parse, and for a part of an answer
   * @throws ValidationError for a refusal with a 2xx status
   */
  parsed(received: Received<Body>): Parsed<Body> | Promise<Parsed<Body>> {
    const { call, shared, answer, kept } = received;
    if (call.status === PARTIAL) {
      throw badResponse(call, new BadResponseError('Expected all of the answer, got a part of it (206).'));
    }
    if (kept) return { ...kept.parsed, call };
    const { api, operation } = this.#options;
    const held = operation.budget.share(shared?.held);
    if (shared) shared.held ??= held;
    const parse = () => api.format.parse(answer, this.#setting, held.hold);
    if (shared) shared.parsed ??= { body: resultOf(parse) };
    const body = shared?.parsed ? shared.parsed.body : decodeInContext(call, parse);
    if (body instanceof Promise) return this.#parsedLater(body, received, held);
    return this.#unlessRefused(body, received, held);
  }

  async #parsedLater(parsing: Promise<Body>, received: Received<Body>, held: HeldAnswer): Promise<Parsed<Body>> {
    const body = await parsing.catch((error: unknown) => {
      throw inContext(received.call, error);
    });
    return this.#unlessRefused(body, received, held);
  }

  #unlessRefused(body: Body, received: Received<Body>, { bytes: memory }: HeldAnswer): Parsed<Body> {
    const refusal = refusalOfRead(body);
    if (refusal) throw this.#refusalOf(refusal, received);
    return { body, call: received.call, memory };
  }

  /**
   * Parses the response to a write that upstream carried out. Not documented (A10): the body, which may be empty, `"ok"`,
   * `ok`, `{"status":"ok"}` or a record.
   *
   * @returns undefined for a body that is empty or cannot be parsed: the status says that the write was carried out. Of a
   *   broken one there is the text that no read gives again
   * @throws BadResponseError for a web page: the API itself was not reached
   * @param sent what was written, by which the body is judged
   * @throws ValidationError for a refusal with a 2xx status
   */
  async accepted(received: Received<Body>, sent: SentWrite): Promise<Body | undefined> {
    const { format } = this.#options.api;
    const { answer, call } = received;
    decodeInContext(call, () => format.assertNotWebPage(answer, this.#setting));
    const body = isEmpty(answer) ? undefined : await this.#parsedOrSalvaged(answer, sent);
    const judge = call.status === RESULTS ? refusalInResults : refusalOfWrite;
    const refusal = body === undefined ? undefined : judge(format.refusalIn(body), sent);
    if (refusal) throw this.#refusalOf(refusal, received);
    return body;
  }

  async #parsedOrSalvaged(answer: Answer, { once }: SentWrite): Promise<Body | undefined> {
    const { format } = this.#options.api;
    try {
      return await format.parse(answer, this.#setting);
    } catch (error) {
      if (error instanceof BadResponseError) return once === undefined ? undefined : format.salvage(answer, once);
      throw error;
    }
  }

  /** The credentials of the caller. */
  credentials(): readonly string[] {
    return this.#options.secrets();
  }

  /** Returns the call as errors and the log name it. */
  call(method: Method, path: Path): UpstreamCall {
    return { api: this.#options.api.upstream.api.name, endpoint: `${method} ${path.template}` };
  }

  #refusalOf({ part, status }: Refusal, received: Received<Body>): GatewayError {
    return this.#refusal({ ...received, answer: { ...received.answer, status } }, part);
  }

  #refusal({ answer, call, sent, secrets }: Received<Body>, body: unknown): GatewayError {
    const { api, credential, known } = this.#options;
    const redactor = createRedactor([...this.#options.secrets(), ...secrets], api.isFieldName);
    const error = refusalError(answer, body, { api: api.upstream.api, credential, call, sent, redactor });
    if (error instanceof RateLimitedError && error.retryAfter !== undefined) known?.pause(error.retryAfter);
    return error;
  }

  #headersOf({ headers }: Get, isPacked: boolean): Headers {
    const common = isPacked ? this.#packedHeaders : this.#formatHeaders;
    if (!headers) return common;
    if (headers !== this.#lastGiven || common !== this.#lastCommon) {
      this.#lastGiven = headers;
      this.#lastCommon = common;
      this.#lastSent = { ...common, ...headers };
    }
    return this.#lastSent;
  }

  get #setting(): string {
    return this.#options.api.upstream.api.setting;
  }
}

/** Returns true for the first operation that handles the result of a call: it updates breakers, pauses and measurements. */
function isFirst(shared: SharedRead<unknown> | undefined): boolean {
  const isJudged = shared?.isJudged ?? false;
  if (shared) shared.isJudged = true;
  return !isJudged;
}

/** Runs a parser. What it throws becomes a rejection. */
function resultOf<T>(parse: () => T | Promise<T>): T | Promise<T> {
  try {
    return parse();
  } catch (error) {
    return Promise.reject(asError(error));
  }
}

/** Whether a check finds a bad response. */
function fails(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof BadResponseError) return true;
    throw error;
  }
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
function inContext(call: UpstreamCall, error: unknown): unknown {
  if (error instanceof AnswerMemoryError) return new AnswerMemoryError(call);
  return error instanceof BadResponseError ? badResponse(call, error) : error;
}

function badResponse(call: UpstreamCall, error: GatewayError): BadResponseError {
  return new BadResponseError(`The ${call.api} API: ${error.message}`, call);
}
