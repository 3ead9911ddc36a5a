import { type Asked, isObject } from '../formats/decode.ts';
import {
  asError,
  BadResponseError,
  type GatewayError,
  RateLimitedError,
  UnavailableError,
  type UpstreamCall,
} from '../errors.ts';
import type { Format } from '../formats/format.ts';
import { type Refusal, refusalOfRead, refusalOfWrite, type SentWrite } from '../formats/written.ts';
import { type Admission, admit } from './admission.ts';
import type { Ticket } from './breaker.ts';
import type { CallBudget } from './call-budget.ts';
import type { SessionTrace } from './call-trace.ts';
import { decodeInContext, inContext } from './call-context.ts';
import type { Path } from './path.ts';
import type { ReadSharing, SharedRead } from './read-sharing.ts';
import { createRedactor } from './redaction.ts';
import { refusalError } from './refusal.ts';
import type { Answer, ByteLimit, Outgoing } from './messages.ts';
import type { Upstream } from './upstream.ts';

export interface ExchangeOptions<Body> extends Admission {
  readonly format: Format<Body>;
  readonly upstream: Upstream;
  readonly budget: CallBudget;
  /** The caller's header that holds the credential: named when upstream refuses it. Undefined when none is sent. */
  readonly credential: string | undefined;
  /** Whether a field of the schema has a name: such names are no secrets. */
  readonly isFieldName: (name: string) => boolean;
  /** Returns the caller's credentials, which are removed from every text of upstream. Called when upstream refuses a call. */
  readonly secrets: () => readonly string[];
  /** Lets reads join the calls of other operations. Undefined for a session whose reads are its own. */
  readonly sharing?: ReadSharing<Body> | undefined;
  /** Records the calls. Undefined unless the caller asks for it. */
  readonly trace?: SessionTrace | undefined;
  /** Called with each response, a refusal too, before it is parsed. Not called for reads that may be shared. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}

/** A GET request: its path with the query, and its headers. */
export interface Get {
  readonly path: Path;
  readonly headers?: Readonly<Record<string, string>>;
  /** Deadline in milliseconds, when it is shorter than UPSTREAM_TIMEOUT_MS. */
  readonly timeoutMs?: number | undefined;
  /** The key of such a record in the API's document, such as `client`. The record in the response may be inside it. */
  readonly recordKey?: string | undefined;
  /** The id or code of the record in the path or in the body. A response with another record is no answer. */
  readonly asked?: Asked | undefined;
}

/** A request that may have a body. */
export interface Write extends Get {
  /** Encoded in the format of the API; undefined sends no body. */
  readonly body?: unknown;
  /** The key of an object of any fields within the record, see `SentWrite`. */
  readonly dataKey?: string | undefined;
  /** Secrets in the request, besides the caller's credentials. They are removed from every text of upstream. */
  readonly secrets?: readonly string[];
}

export type Method = Outgoing['method'];

/** A response with a 2xx status, and its call. */
export interface Received<Body> {
  readonly answer: Answer;
  readonly call: UpstreamCall;
  /** The keys of the body that was sent. */
  readonly sentKeys: readonly string[];
  readonly secrets: readonly string[];
  /** Undefined for a call that is not shared. */
  readonly shared: SharedRead<Body> | undefined;
  /** False when the call was another read's, which has learned its times. */
  readonly isOwnCall: boolean;
}

/** A parsed response, and its call. */
export interface Parsed<Body> {
  readonly body: Body;
  readonly call: UpstreamCall;
}

/** A call that may be made. */
interface AdmittedCall {
  readonly call: UpstreamCall;
  /** Its ticket at the breaker of its endpoint. */
  readonly ticket: Ticket;
}

type Headers = Readonly<Record<string, string>>;

const NO_TEXTS: readonly string[] = [];

/** Sends requests to one API for one caller: counts each call, and turns each refusal into an error. */
export class Exchange<Body> {
  readonly #options: ExchangeOptions<Body>;
  readonly #formatHeaders: Headers;
  /** The headers of the last request, and those that were sent for them: most requests of a session have the same. */
  #lastGiven: Headers | undefined;
  #lastSent: Headers;

  constructor(options: ExchangeOptions<Body>) {
    const { accept, contentType } = options.format;
    this.#options = options;
    this.#formatHeaders = { accept, 'content-type': contentType };
    this.#lastSent = this.#formatHeaders;
  }

  /**
   * Sends a request and receives its response without parsing it.
   *
   * @param isRead true when the request changes nothing upstream: it is cancelled when the caller leaves
   * @throws GatewayError for every status but 2xx, for a failure of the network, and when the budget is spent
   */
  async send(method: Method, request: Write, limit: ByteLimit, isRead = method === 'GET'): Promise<Received<Body>> {
    return this.#transmit(this.#admitted(method, request, isRead), method, request, limit, isRead);
  }

  async #transmit(
    sent: AdmittedCall,
    method: Method,
    request: Write,
    limit: ByteLimit,
    isRead: boolean,
  ): Promise<Received<Body>> {
    const { upstream, format, gone, trace, onAnswer } = this.#options;
    const body = request.body === undefined ? null : format.encode(request.body);
    const headers = this.#headersOf(request);

    this.#options.budget.spend(sent.call);
    const timeoutMs = this.#timeoutMs(request);
    const outgoing = { method, target: request.path.path, headers, body, isRead, limit, timeoutMs };
    const answering = upstream.send(outgoing, sent.call, gone);
    if (method === 'GET') trace?.beginRead(sent.call, request.path, answering, false);
    else trace?.beginRequest(sent.call, answering);
    const answer = await answering;
    onAnswer?.(answer);
    return this.#accept(answer, sent, request);
  }

  /**
   * Sends a GET request, or joins the call of an identical one, and receives its response without parsing it. A call that is
   * joined counts like any other one.
   *
   * @throws GatewayError as `send` does
   */
  async read(request: Get, limit: ByteLimit): Promise<Received<Body>> {
    const { upstream, budget, gone, sharing } = this.#options;
    const sent = this.#admitted('GET', request, true);
    let isOwnCall = false;
    const start = (onOver: () => void) => {
      const headers = this.#headersOf(request);
      const outgoing = { method: 'GET', target: request.path.path, headers, body: null, isRead: true, limit } as const;
      isOwnCall = true;
      return upstream.open(outgoing, sent.call, onOver);
    };
    const shared = budget.isSpent ? undefined : sharing?.find(request, limit, start);
    if (!shared) return this.#transmit(sent, 'GET', request, limit, true);
    budget.spend(sent.call);
    const answering = shared.call.answer(gone, this.#timeoutMs(request));
    this.#options.trace?.beginRead(sent.call, request.path, answering, !isOwnCall);
    const answer = await answering;
    return this.#accept(answer, sent, request, shared, isOwnCall);
  }

  /** @throws GatewayError when the call must not be made */
  #admitted(method: Method, { path }: Get, isRead: boolean): AdmittedCall {
    const call = this.call(method, path);
    return { call, ticket: admit(call, isRead, this.#options) };
  }

  /** The deadline of a call: the rest of the operation's time, when that is less than its own. */
  #timeoutMs({ timeoutMs = Infinity }: Get): number {
    return Math.min(timeoutMs, Math.max(1, Math.ceil(this.#options.budget.msLeft)));
  }

  /** @throws GatewayError for every status but 2xx */
  #accept(
    answer: Answer,
    { call: { api, endpoint }, ticket }: AdmittedCall,
    { body, secrets = NO_TEXTS }: Write,
    shared?: SharedRead<Body>,
    isOwnCall = true,
  ): Received<Body> {
    const { status } = answer;
    const sentKeys = isObject(body) ? Object.keys(body) : NO_TEXTS;
    const received = { answer, call: { api, endpoint, status }, sentKeys, secrets, shared, isOwnCall };
    const endpoints = isOwnCall ? this.#options.endpoints : undefined;
    if (status < 500) endpoints?.succeed(endpoint, ticket);
    if (status >= 200 && status < 300) return received;
    const refusal = this.#refusal(received, this.#options.format.parseRefusal(answer, this.#setting));
    if (refusal instanceof UnavailableError) endpoints?.fail(endpoint, ticket, refusal.message, refusal.retryAfter);
    throw refusal;
  }

  /**
   * Parses the response to a read.
   *
   * @returns a promise only where the format needs one
   * @throws BadResponseError for a body that the format cannot parse
   * @throws ValidationError for a refusal with a 2xx status
   */
  parsed(received: Received<Body>): Parsed<Body> | Promise<Parsed<Body>> {
    const { call, shared, answer } = received;
    const parse = () => this.#options.format.parse(answer, this.#setting);
    if (shared) shared.parsed ??= { body: resultOf(parse) };
    const body = shared?.parsed ? shared.parsed.body : decodeInContext(call, parse);
    return body instanceof Promise ? this.#parsedLater(body, received) : this.#unlessRefused(body, received);
  }

  async #parsedLater(parsing: Promise<Body>, received: Received<Body>): Promise<Parsed<Body>> {
    const body = await parsing.catch((error: unknown) => {
      throw inContext(received.call, error);
    });
    return this.#unlessRefused(body, received);
  }

  #unlessRefused(body: Body, received: Received<Body>): Parsed<Body> {
    const refusal = refusalOfRead(body);
    if (refusal) throw this.#refusalOf(refusal, received);
    return { body, call: received.call };
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
    const { format } = this.#options;
    const { answer, call } = received;
    decodeInContext(call, () => format.assertNotWebPage(answer, this.#setting));
    const body = isEmpty(answer) ? undefined : await this.#parsedOrSalvaged(answer, sent);
    const refusal = body === undefined ? undefined : refusalOfWrite(format.refusalIn(body), sent);
    if (refusal) throw this.#refusalOf(refusal, received);
    return body;
  }

  async #parsedOrSalvaged(answer: Answer, { once }: SentWrite): Promise<Body | undefined> {
    const { format } = this.#options;
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
    return { api: this.#options.upstream.api.name, endpoint: `${method} ${path.template}` };
  }

  #refusalOf({ part, status }: Refusal, received: Received<Body>): GatewayError {
    return this.#refusal({ ...received, answer: { ...received.answer, status } }, part);
  }

  #refusal({ answer, call, sentKeys, secrets }: Received<Body>, body: unknown): GatewayError {
    const { upstream, credential, pause } = this.#options;
    const redactor = createRedactor([...this.#options.secrets(), ...secrets], this.#options.isFieldName);
    const error = refusalError(answer, body, { api: upstream.api, credential, call, sentKeys, redactor });
    if (error instanceof RateLimitedError && error.retryAfter !== undefined) pause?.begin(error.retryAfter);
    return error;
  }

  #headersOf({ headers }: Get): Headers {
    if (!headers) return this.#formatHeaders;
    if (headers !== this.#lastGiven) {
      this.#lastGiven = headers;
      this.#lastSent = { ...this.#formatHeaders, ...headers };
    }
    return this.#lastSent;
  }

  get #setting(): string {
    return this.#options.upstream.api.setting;
  }
}

/** Runs a parser. What it throws becomes a rejection. */
function resultOf<T>(parse: () => T | Promise<T>): T | Promise<T> {
  try {
    return parse();
  } catch (error) {
    return Promise.reject(asError(error));
  }
}

/** Whether a response has no body. */
export function isEmpty({ body }: Answer): boolean {
  return body.every(({ length }) => length === 0);
}
