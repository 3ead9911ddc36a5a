import {
  CallerGoneError,
  ConnectionLostError,
  GatewayError,
  missingAsNull,
  NotCalledError,
  QueryLimitError,
  RateLimitedError,
  TooLargeError,
  UnreachableError,
  type UpstreamCall,
  UpstreamTimeoutError,
  ValidationError,
  type WriteOutcome,
} from '../errors.ts';
import type { Departure } from '../transport/departure.ts';
import type { Exchange, Get, Method, Received, Write } from '../transport/exchange.ts';
import type { ByteLimit } from '../transport/messages.ts';
import type { ReadCache } from './read-cache.ts';
import { showsFields } from './same-values.ts';
import type { WriteLedger } from './write-ledger.ts';
import { type IdentifiedRecord, recordInResponse, withSentFields, writtenRecord } from './written-record.ts';

export interface WriterOptions {
  readonly maxRecord: ByteLimit;
  /** Receives the outcome of each write. */
  readonly writes: WriteLedger;
  /** Happens when the caller closes the connection. */
  readonly gone: Departure;
  /** Called with the outcome of a write that ends after its caller left: the caller cannot learn it. */
  readonly onLateWrite: (call: UpstreamCall, outcome: WriteOutcome) => void;
}

interface WriteHooks {
  /** Called before each write is sent, with its method and template. */
  readonly onBegin: (endpoint: string) => void;
  /** Called after each write, failed ones too: earlier reads may be stale. The write ends when the promise resolves. */
  readonly onEnd: (endpoint: string) => Promise<void> | undefined;
}

type WriteMethod = Exclude<Method, 'GET'>;

/**
 * Reads the record of a write whose outcome is unknown.
 *
 * @throws NotFoundError when there is no such record
 */
export type Look = (timeoutMs: number) => Promise<IdentifiedRecord | null>;

/** Creates the look for a record that a GET request returns. */
export function lookAt<Body>(reads: ReadCache<Body>, request: Get, as: (body: Body) => IdentifiedRecord): Look {
  return (timeoutMs) => reads.get({ ...request, timeoutMs }, as);
}

/** A write that creates or changes one record. */
export interface RecordWrite<Body> {
  readonly request: Write;
  /** The fields by upstream's names. */
  readonly sent: object;
  /** The fields that the written record has if upstream did as it was told; `sent` unless given. */
  readonly known?: object;
  /** The id of the record; undefined for a new one. */
  readonly id?: string;
  /** Finds the record, by its id or by a code that it was given. Undefined when there is no such endpoint. */
  readonly look?: Look | undefined;
  /** Decodes the record in the response. By default it is an object with an id, bare or under the key of the request. */
  readonly as?: (body: Body) => IdentifiedRecord | undefined;
}

/** The deadline for the one read after a write that got no response, in milliseconds. */
const LOOK_TIMEOUT_MS = 2_000;

/** The result of a look: the result of the write, or a sentence about what was found. */
type Finding<T> = { readonly result: T } | { readonly notice: string };

/**
 * The writes of one operation at one API. Each write is applied, refused or unknown, and none is ever repeated.
 *
 * A write is applied when its status is 2xx and its body is no refusal, whatever else the body holds. After a timeout or
 * a lost connection the record is read once, where it can be: when it shows the change, the write counts as applied.
 *
 * @see docs/decisions/0021-applied-refused-unknown.md
 */
export class Writer<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #options: WriterOptions;
  readonly #hooks: WriteHooks;

  constructor(exchange: Exchange<Body>, options: WriterOptions, hooks: WriteHooks) {
    this.#exchange = exchange;
    this.#options = options;
    this.#hooks = hooks;
  }

  /**
   * Creates or changes a record.
   *
   * @returns the record of the response; without one, a record that has the id and the fields that were sent
   * @throws GatewayError for a write that was refused, or whose outcome is unknown
   */
  async record(
    method: WriteMethod,
    { request, sent, known = sent, id, look, as }: RecordWrite<Body>,
  ): Promise<IdentifiedRecord> {
    const read = async (body: Body | undefined, sentKeys: readonly string[]): Promise<IdentifiedRecord> => {
      const decode = as ?? ((value: Body) => recordInResponse(value, sentKeys));
      const returned = body === undefined ? undefined : decodeOrUndefined(decode, body);
      const found = id === undefined && !returned ? await look?.(LOOK_TIMEOUT_MS).catch(() => null) : undefined;
      const record = returned ?? found;
      return record ? withSentFields(record, known) : writtenRecord(id, known);
    };
    const confirm = async (): Promise<Finding<IdentifiedRecord>> => {
      const found = await look?.(LOOK_TIMEOUT_MS).catch(missingAsNull);
      if (found && showsFields(found, sent)) return { result: found };
      return {
        notice: found ? 'The record was read once, and does not show the change.' : 'No such record was found.',
      };
    };
    const canConfirm = look && Object.values(sent).some((value) => value !== undefined);
    return this.#send(method, request, read, canConfirm ? confirm : undefined);
  }

  /** Deletes a record. */
  async remove(method: WriteMethod, request: Write, look?: Look): Promise<void> {
    const confirm = async (): Promise<Finding<void>> => {
      const found = await look?.(LOOK_TIMEOUT_MS).catch(missingAsNull);
      return found ? { notice: 'The record was read once, and still exists.' } : { result: undefined };
    };
    return this.#send(method, request, async () => {}, look && confirm);
  }

  /** Sends a write that concerns no record. Returns the parsed body, undefined when there is none. */
  async change(method: WriteMethod, request: Write): Promise<Body | undefined> {
    return this.#send(method, request, async (body) => body);
  }

  async #send<T>(
    method: WriteMethod,
    request: Write,
    read: (body: Body | undefined, sentKeys: readonly string[]) => Promise<T>,
    confirm?: () => Promise<Finding<T>>,
  ): Promise<T> {
    const call = this.#exchange.call(method, request.path);
    this.#options.writes.begin();
    let applied: { readonly body: Body | undefined; readonly sentKeys: readonly string[] };
    try {
      applied = await this.#attempt(method, request, call.endpoint);
    } catch (error) {
      return this.#afterFailure(error, call, confirm);
    }
    this.#conclude('APPLIED', call);
    return read(applied.body, applied.sentKeys);
  }

  /** @throws the error, unless the change is found */
  async #afterFailure<T>(error: unknown, call: UpstreamCall, confirm?: () => Promise<Finding<T>>): Promise<T> {
    const finding = isUnanswered(error) && !this.#options.gone.happened ? await findingOf(confirm) : undefined;
    if (finding && 'result' in finding) {
      this.#conclude('APPLIED', call);
      return finding.result;
    }
    const outcome = outcomeOf(error);
    this.#conclude(outcome, call);
    throw outcome === 'UNKNOWN' ? withNotice(error, finding?.notice) : error;
  }

  /** @throws GatewayError unless upstream carried the write out */
  async #attempt(method: WriteMethod, request: Write, endpoint: string) {
    this.#hooks.onBegin(endpoint);
    let received: Received<Body>;
    try {
      received = await this.#exchange.send(method, request, this.#options.maxRecord);
    } catch (error) {
      // A response beyond the limit has a status of success, so the write was carried out.
      if (error instanceof TooLargeError) return { body: undefined, sentKeys: [] };
      throw error;
    } finally {
      const told = this.#hooks.onEnd(endpoint);
      if (told) await told;
    }
    return { body: await this.#exchange.accepted(received), sentKeys: received.sentKeys };
  }

  /** @param outcome undefined when nothing was sent */
  #conclude(outcome: WriteOutcome | undefined, call: UpstreamCall): void {
    const { writes, gone, onLateWrite } = this.#options;
    writes.record(outcome ?? 'REFUSED');
    if (gone.happened && outcome) onLateWrite(call, outcome);
  }
}

async function findingOf<T>(confirm: (() => Promise<Finding<T>>) | undefined): Promise<Finding<T> | undefined> {
  return confirm?.().catch(() => undefined); // the failure of the write is the one to report
}

function decodeOrUndefined<Body>(decode: (body: Body) => IdentifiedRecord | undefined, body: Body) {
  try {
    return decode(body);
  } catch (error) {
    if (error instanceof GatewayError) return undefined; // the write was carried out, whatever the body looks like
    throw error;
  }
}

/** Whether the write may have arrived, but upstream did not answer. */
function isUnanswered(error: unknown): boolean {
  return error instanceof UpstreamTimeoutError || error instanceof ConnectionLostError;
}

function withNotice(error: unknown, notice: string | undefined): unknown {
  if (!(error instanceof GatewayError)) return error;
  const advice = 'Whether the change was made is not known: read before you try again.';
  error.message = [error.message, notice, advice].filter((part) => part !== undefined).join(' ');
  return error;
}

/** The failures before a write is sent. */
const NEVER_SENT = [CallerGoneError, NotCalledError, QueryLimitError, RateLimitedError, UnreachableError];

/** Derives the outcome of a write from its failure. Undefined when nothing was sent. */
function outcomeOf(error: unknown): WriteOutcome | undefined {
  if (!(error instanceof GatewayError)) return 'UNKNOWN';
  const { status = 0 } = error.upstream ?? {};
  if ((status >= 400 && status < 500) || error instanceof ValidationError) return 'REFUSED';
  return NEVER_SENT.some((kind) => error instanceof kind) ? undefined : 'UNKNOWN';
}
