import type { CallBudget } from './budget.ts';
import { isObject } from './decode.ts';
import { BadResponseError, CallerGoneError, type GatewayError, type UpstreamCall, ValidationError } from './errors.ts';
import type { Format } from './format.ts';
import { unsure } from './network-failure.ts';
import type { Path } from './path.ts';
import { createRedactor } from './redaction.ts';
import { refusal } from './refusal.ts';
import type { Answer, ByteLimit, Outgoing, Upstream } from './upstream.ts';

export interface ExchangeOptions<Body> {
  readonly format: Format<Body>;
  readonly upstream: Upstream;
  readonly budget: CallBudget;
  /** The request header that the credential comes from, if one is sent: named when upstream refuses it. */
  readonly credential: string | undefined;
  /** Aborted when the caller has left: no call starts after that, and open reads are given up. */
  readonly gone: AbortSignal;
  /** The caller's credentials: taken out of every text that upstream says. */
  readonly secrets: readonly string[];
  /** Sees each answer, a refusal too, before it is read. */
  readonly onAnswer?: (answer: Answer) => void;
}

export interface Read {
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters; an undefined one is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

export interface Write extends Read {
  /** Sent in the format of the API; without one there is no body. */
  readonly body?: unknown;
  /** What else may not be said back, beside the caller's credentials. */
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
  async send(method: Method, path: Path, write: Write, limit: ByteLimit, isRead = method === 'GET'): Promise<Received> {
    const { upstream, budget, format, gone } = this.#options;
    const sent = this.call(method, path);
    if (gone.aborted) throw new CallerGoneError('The caller has closed the connection.', sent);
    const body = write.body === undefined ? null : format.encode(write.body);
    const type: Record<string, string> = body === null ? {} : { 'content-type': format.contentType };
    const headers = { accept: format.accept, ...type, ...write.headers };
    const outgoing = { method, target: target(path, write.query), headers, body, isRead, limit };

    budget.spend(sent);
    const answer = await upstream.send(outgoing, sent, gone);
    this.#options.onAnswer?.(answer);
    const sentKeys = isObject(write.body) ? Object.keys(write.body) : [];
    const received = { answer, call: { ...sent, status: answer.status }, sentKeys, secrets: write.secrets ?? [] };
    if (answer.status >= 200 && answer.status < 300) return received;
    throw this.#refusal(received, format.parseRefusal(answer, this.#setting));
  }

  async parsed(received: Received): Promise<Parsed<Body>> {
    const body = await attributed(received.call, () => this.#options.format.parse(received.answer, this.#setting));
    const isRecord = isObject(body) && 'id' in body; // which may have a status and a message of its own
    if (!isRecord) this.#refuseError(body, received);
    return { body, call: received.call };
  }

  /** The answer to a write may have no body, whatever the decoder makes of that. */
  async written<T>(received: Received, as: (body: Body) => T): Promise<T> {
    const isEmpty = received.answer.body.every(({ length }) => length === 0);
    const body = isEmpty
      ? await attributed(received.call, () => this.#options.format.parseNothing())
      : (await this.parsed(received)).body;
    return attributed(received.call, () => as(body));
  }

  /** An answer that nobody needs: none, `"ok"`, `ok` and a record are all met. */
  async unread(received: Received): Promise<void> {
    const { format } = this.#options;
    await attributed(received.call, () => format.glance(received.answer, this.#setting));
    this.#refuseError(format.parseRefusal(received.answer, this.#setting), received);
  }

  /** How errors name a call. */
  call(method: Method, path: Path): UpstreamCall {
    return { api: this.#options.upstream.api.name, endpoint: `${method} ${path.template}` };
  }

  /** Not documented: a sister API refuses with `{"status":"error","message":…}` under a status of success. */
  #refuseError(body: unknown, received: Received): void {
    if (!isObject(body) || body['status'] !== 'error' || !('message' in body)) return;
    throw this.#refusal({ ...received, answer: { ...received.answer, status: 422 } }, body);
  }

  #refusal({ answer, call, sentKeys, secrets }: Received, body: unknown): GatewayError {
    const { upstream, credential } = this.#options;
    const redactor = createRedactor([...this.#options.secrets, ...secrets]);
    return refusal(answer, body, { api: upstream.api, credential, call, sentKeys, redactor });
  }

  get #setting(): string {
    return this.#options.upstream.api.setting;
  }
}

/** A path with its parameters, as it is sent. */
export function target({ path }: Path, query: Read['query'] = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  for (const [name, value] of pairs) {
    if (name.isWellFormed() && value.isWellFormed()) continue; // else URLSearchParams would send U+FFFD in its place
    const parameter = name.toWellFormed();
    throw new ValidationError(`${parameter} holds half of a surrogate pair.`, { [parameter]: ['is no text'] });
  }
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs).toString()}`;
}

/** A decoder knows no call: its error is told where it happened, and what became of a write. */
export async function attributed<T>(call: UpstreamCall, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof BadResponseError)) throw error;
    throw new BadResponseError(`The ${call.api} API: ${error.message}${unsure(call.endpoint)}`, call);
  }
}
