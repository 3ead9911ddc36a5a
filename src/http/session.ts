import type { CallBudget } from './budget.ts';
import { type Decoder, isObject, records, type UpstreamRecord } from './decode.ts';
import { BadResponseError, type UpstreamCall, ValidationError } from './errors.ts';
import { JSON_TYPE, parseJson, refuseMarkup } from './json.ts';
import type { Path } from './path.ts';
import { unsure } from './network-failure.ts';
import { refusal } from './refusal.ts';
import type { Answer, ByteLimit, Outgoing, Upstream } from './upstream.ts';

export interface SessionOptions {
  readonly upstream: Upstream;
  readonly budget: CallBudget;
  readonly maxRecord: ByteLimit;
  readonly maxList: ByteLimit;
  /** The caller's credentials: taken out of every text that upstream says. */
  readonly secrets: readonly string[];
  /** Sees each answer, a refusal too, before it is read. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Told of each write, whatever became of it: another session may have read what it changed. */
  readonly onWrite?: () => void;
}

interface Read {
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters; an undefined one is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

interface Write extends Read {
  /** Sent as JSON; without one there is no body. */
  readonly body?: unknown;
}

/** What the answer is read as. */
interface As<T> {
  readonly as: Decoder<T>;
}

type Method = Outgoing['method'];

/** An answer, and the call that brought it. */
interface Received {
  readonly answer: Answer;
  readonly call: UpstreamCall;
}

/**
 * One API for one GraphQL operation. Identical GETs are one call until the operation writes something: what
 * is read after that is read anew.
 */
export class UpstreamSession {
  readonly #options: SessionOptions;
  readonly #reads = new Map<string, Promise<{ json: unknown; call: UpstreamCall }>>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Reads one record, or another answer of its size. */
  async get<T>(path: Path, { as, ...read }: Read & As<T>): Promise<T> {
    return this.#read(path, read, this.#options.maxRecord, as);
  }

  /** Reads a list of records. */
  async list(path: Path, read: Read): Promise<UpstreamRecord[]> {
    return this.#read(path, read, this.#options.maxList, records);
  }

  async post<T>(path: Path, { as, ...write }: Write & As<T>): Promise<T> {
    return this.#written(await this.#write('POST', path, write), as);
  }

  /** Reads a list of records by POST. */
  async postForList(path: Path, write: Write): Promise<UpstreamRecord[]> {
    const received = await this.#exchange('POST', path, write, this.#options.maxList);
    return this.#written(received, records);
  }

  async patch<T>(path: Path, { as, ...write }: Write & As<T>): Promise<T> {
    return this.#written(await this.#write('PATCH', path, write), as);
  }

  /** A write whose answer nobody needs: none, `"ok"`, `ok` and a record are all met. */
  async send(method: Exclude<Method, 'GET'>, path: Path, write: Write): Promise<void> {
    const { answer, call } = await this.#write(method, path, write);
    attributed(call, () => refuseMarkup(answer, this.#setting));
    this.#refuseError(this.#jsonIfAny(answer), { answer, call });
  }

  /** Reads anew from here on. */
  forget(): void {
    this.#reads.clear();
  }

  async #read<T>(path: Path, read: Read, limit: ByteLimit, as: Decoder<T>): Promise<T> {
    const key = target(path, read.query);
    const known = this.#reads.get(key);
    const reading = known ?? this.#exchange('GET', path, read, limit).then((received) => this.#parsed(received));
    if (!known) this.#reads.set(key, reading);

    const { json, call } = await reading;
    return attributed(call, () => as(json));
  }

  async #write(method: Method, path: Path, write: Write): Promise<Received> {
    // Whatever becomes of it: what was read before may be stale.
    return this.#exchange(method, path, write, this.#options.maxRecord).finally(() => {
      this.forget();
      this.#options.onWrite?.();
    });
  }

  /** The answer to a write may have no body, whatever the decoder makes of that. */
  #written<T>(received: Received, as: Decoder<T>): T {
    const { json, call } =
      received.answer.body.length === 0 ? { json: undefined, ...received } : this.#parsed(received);
    return attributed(call, () => as(json));
  }

  #parsed({ answer, call }: Received) {
    const json = attributed(call, () => parseJson(answer, this.#setting));
    this.#refuseError(json, { answer, call });
    return { json, call };
  }

  /** Not documented: a sister API refuses with `{"status":"error","message":…}` under a status of success. */
  #refuseError(json: unknown, { answer, call }: Received): void {
    if (!isObject(json) || json['status'] !== 'error' || !('message' in json) || 'id' in json) return;
    throw refusal({ ...answer, status: 422 }, json, this.#options.upstream.api, call, this.#withoutSecrets);
  }

  async #exchange(method: Method, path: Path, write: Write, limit: ByteLimit): Promise<Received> {
    const { upstream, budget } = this.#options;
    const sent = { api: upstream.api.name, endpoint: `${method} ${path.template}` };
    const body = jsonOf(write.body);
    const type: Record<string, string> = body === null ? {} : { 'content-type': JSON_TYPE };
    const headers = { accept: 'application/json', ...type, ...write.headers };
    const outgoing = { method, target: target(path, write.query), headers, body, limit };

    budget.spend(sent);
    const answer = await upstream.send(outgoing, sent);
    this.#options.onAnswer?.(answer);
    const call = { ...sent, status: answer.status };
    if (answer.status >= 200 && answer.status < 300) return { answer, call };
    throw refusal(answer, this.#jsonIfAny(answer), upstream.api, call, this.#withoutSecrets);
  }

  #jsonIfAny(answer: Answer): unknown {
    try {
      return parseJson(answer, this.#setting);
    } catch {
      return undefined; // a refusal's status says enough
    }
  }

  readonly #withoutSecrets = (text: string): string =>
    this.#options.secrets
      .flatMap((secret) => [secret, encodeURIComponent(secret)])
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[redacted]'), text);

  get #setting(): string {
    return this.#options.upstream.api.setting;
  }
}

function target({ path }: Path, query: Read['query'] = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  for (const [name, value] of pairs) {
    if (name.isWellFormed() && value.isWellFormed()) continue; // else URLSearchParams would send U+FFFD in its place
    const parameter = name.toWellFormed();
    throw new ValidationError(`${parameter} holds half of a surrogate pair.`, { [parameter]: ['is no text'] });
  }
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs).toString()}`;
}

function jsonOf(body: unknown): string | null {
  try {
    return body === undefined ? null : JSON.stringify(body);
  } catch {
    throw new ValidationError('The input is nested too deeply.', {}); // a RangeError: the stack is at its end
  }
}

/** A decoder knows no call: its error is told where it happened, and what became of a write. */
function attributed<T>(call: UpstreamCall, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof BadResponseError)) throw error;
    throw new BadResponseError(`The ${call.api} API: ${error.message}${unsure(call.endpoint)}`, call);
  }
}
