import { isObject } from '../formats/decode.ts';
import { BadResponseError, CallerGoneError, type GatewayError, QueryLimitError, type UpstreamCall } from '../errors.ts';
import type { Format } from '../formats/format.ts';
import { unknownOutcomeNotice } from './network-failure.ts';
import type { Path } from './path.ts';
import { createRedactor } from './redaction.ts';
import { refusalError } from './refusal.ts';
import type { Answer, ByteLimit, Outgoing, Upstream } from './upstream.ts';

export interface ExchangeOptions<Body> {
  readonly format: Format<Body>;
  readonly upstream: Upstream;
  readonly budget: CallBudget;
  /** The request header that the credential comes from, if one is sent: named when upstream refuses it. */
  readonly credential: string | undefined;
  /** Aborted when the caller has left: no call starts after that, and open reads are given up. */
  readonly gone: AbortSignal;
  /** The caller's credentials: taken out of every text that upstream says. Asked for when a refusal is read. */
  readonly secrets: () => readonly string[];
  /** Sees each answer, a refusal too, before it is read. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** A GET, complete: its path with the query, and its headers. */
export interface Get {
  readonly path: Path;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any request. */
export interface Write extends Get {
  /** Sent in the format of the API; without one there is no body. */
  readonly body?: unknown;
  /** Texts that must not be repeated to anybody, beside the caller's credentials. */
  readonly secrets?: readonly string[];
}

export type Method = Outgoing['method'];

/** An answer of success, and the call that brought it. */
export interface Received {
  readonly answer: Answer;
  readonly call: UpstreamCall;
  /** The keys of the body that was sent. */
  readonly sentKeys: readonly string[];
  readonly secrets: readonly string[];
}

/** A parsed answer, and the call that brought it. */
export interface Parsed<Body> {
  readonly body: Body;
  readonly call: UpstreamCall;
}

/** Requests to one API on behalf of one caller: what is sent is counted, what is refused becomes an error. */
export class Exchange<Body> {
  readonly #options: ExchangeOptions<Body>;

  constructor(options: ExchangeOptions<Body>) {
    this.#options = options;
  }

  /**
   * @param isRead whether the request changes nothing upstream, so that it may be given up once it was sent
   * @throws GatewayError for every status but 2xx
   */
  async send(method: Method, request: Write, limit: ByteLimit, isRead = method === 'GET'): Promise<Received> {
    const { upstream, budget, format, gone } = this.#options;
    const sent = this.call(method, request.path);
    if (gone.aborted) throw new CallerGoneError('The caller has closed the connection.', sent);
    const body = request.body === undefined ? null : format.encode(request.body);
    const type: Record<string, string> = body === null ? {} : { 'content-type': format.contentType };
    const headers = { accept: format.accept, ...type, ...request.headers };
    const outgoing = { method, target: request.path.path, headers, body, isRead, limit };

    budget.spend(sent);
    const answer = await upstream.send(outgoing, sent, gone);
    this.#options.onAnswer?.(answer);
    const sentKeys = isObject(request.body) ? Object.keys(request.body) : [];
    const received = { answer, call: { ...sent, status: answer.status }, sentKeys, secrets: request.secrets ?? [] };
    if (answer.status >= 200 && answer.status < 300) return received;
    throw this.#refusal(received, format.parseRefusal(answer, this.#setting));
  }

  async parsed(received: Received): Promise<Parsed<Body>> {
    const body = await withCallContext(received.call, () => this.#options.format.parse(received.answer, this.#setting));
    const isRecord = isObject(body) && Object.hasOwn(body, 'id'); // which may have a status and a message of its own
    if (!isRecord) this.#refuseError(body, received);
    return { body, call: received.call };
  }

  /** The answer to a write may have no body, whatever the decoder makes of that. */
  async written<T>(received: Received, as: (body: Body) => T): Promise<T> {
    const isEmpty = received.answer.body.every(({ length }) => length === 0);
    const body = isEmpty
      ? await withCallContext(received.call, () => this.#options.format.parseNothing())
      : (await this.parsed(received)).body;
    return withCallContext(received.call, () => as(body));
  }

  /** Accepts the response to a write without its body: none, `"ok"`, `ok` and a record are all met. */
  async acceptWithoutBody(received: Received): Promise<void> {
    const { format } = this.#options;
    await withCallContext(received.call, () => format.assertNotWebPage(received.answer, this.#setting));
    this.#refuseError(format.parseRefusal(received.answer, this.#setting), received);
  }

  /** How errors name a call. */
  call(method: Method, path: Path): UpstreamCall {
    return { api: this.#options.upstream.api.name, endpoint: `${method} ${path.template}` };
  }

  /** Not documented: a sister API refuses with `{"status":"error","message":…}` under a status of success. */
  #refuseError(body: unknown, received: Received): void {
    if (!isObject(body) || body['status'] !== 'error' || !Object.hasOwn(body, 'message')) return;
    throw this.#refusal({ ...received, answer: { ...received.answer, status: 422 } }, body);
  }

  #refusal({ answer, call, sentKeys, secrets }: Received, body: unknown): GatewayError {
    const { upstream, credential } = this.#options;
    const redactor = createRedactor([...this.#options.secrets(), ...secrets]);
    return refusalError(answer, body, { api: upstream.api, credential, call, sentKeys, redactor });
  }

  get #setting(): string {
    return this.#options.upstream.api.setting;
  }
}

/** Runs a decoder, which knows no call, and adds to its error the call and what it means for a write. */
export async function withCallContext<T>(call: UpstreamCall, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof BadResponseError)) throw error;
    throw new BadResponseError(`The ${call.api} API: ${error.message}${unknownOutcomeNotice(call.endpoint)}`, call);
  }
}

/** The upstream calls that one GraphQL operation may make, over all APIs, and those that it has made. */
export class CallBudget {
  readonly #max: number;
  #spent = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get spent(): number {
    return this.#spent;
  }

  /** How many calls it may still make. */
  get left(): number {
    return this.#max - this.#spent;
  }

  /** @throws QueryLimitError when nothing is left: the call is not made. */
  spend(call: UpstreamCall): void {
    if (this.left === 0) throw this.exceededBy(call);
    this.#spent += 1;
  }

  exceededBy(call: UpstreamCall): QueryLimitError {
    const advice = 'ask for less at once, or raise MAX_UPSTREAM_CALLS.';
    return new QueryLimitError(`The operation needs more than ${this.#max} upstream calls: ${advice}`, call);
  }
}
