import {
  CallerGoneError,
  ConnectionLostError,
  GatewayError,
  missingAsNull,
  NotFoundError,
  TooLargeError,
  UndecidedError,
  UnreadResultError,
  type UpstreamCall,
  UpstreamTimeoutError,
  ValidationError,
  type WriteOutcome,
} from '../errors.ts';
import type { UpstreamRecord } from '../formats/decode.ts';
import { showsFields } from '../formats/same-values.ts';
import { onceIn, type SentWrite, writtenRecordIn } from '../formats/written.ts';
import { Rows } from '../formats/rows.ts';
import type { Exchange } from './exchange.ts';
import type { Evidence, KeyedStep, KeyedWrite } from './keyed-step.ts';
import { type Precondition, turnIfUnchanged } from './preconditions/precondition.ts';
import type { Get, Method, Received, Write } from './requests.ts';
import type { Decode, ReadCache } from './read-cache.ts';
import type { SessionOptions } from './session-options.ts';
import type { WriteState } from './write-ledger.ts';
import { type IdentifiedRecord, withSentFields, writtenRecord } from './written-record.ts';

type WriteMethod = Exclude<Method, 'GET'>;

/**
 * Reads the record of a write whose outcome is unknown.
 *
 * @returns null when there is no such record; undefined when a list lacks it, which may have more pages (A12)
 * @throws NotFoundError when there is no such record
 */
export type Look = (timeoutMs: number) => Promise<IdentifiedRecord | null | undefined>;

/** Creates the look for a record that a GET request returns. */
export function lookAt<Body>(reads: ReadCache<Body>, request: Get, as: Decode<Body, IdentifiedRecord>): Look {
  return (timeoutMs) => reads.get({ ...request, timeoutMs }, as);
}

/** Creates the look for a record of a list. A list proves no absence: it may have more pages, or be hidden from the caller. */
export function lookInList<Body>(reads: ReadCache<Body>, list: Get, isIt: (found: UpstreamRecord) => boolean): Look {
  return async (timeoutMs) => {
    const found = await reads.list({ ...list, timeoutMs }).catch(missingAsNull);
    return found?.find(isIt);
  };
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
  /** The code of the record that is changed, where it is named by it. */
  readonly code?: string;
  /** Reads the record that is changed. Undefined for a new one, and where there is no such endpoint. */
  readonly look?: Look | undefined;
  /** Finds the record that has the unique code of a new one. It may be an older one, for whose code upstream refused this one. */
  readonly lookByCode?: Look | undefined;
  /**
   * The list of all such records, in which a new one has to be, and the field that tells most of them from each other. Undefined where
   * the document has none.
   */
  readonly among?: { readonly list: Get; readonly by: string };
  /** The key of a text that no read gives again. It is added to the record, wherever in the response it stands. */
  readonly once?: string;
  /** The condition for sending it. Undefined for a write without one. */
  readonly precondition?: Precondition | undefined;
  /** Decodes the record in the response. By default it is an object with an id, bare or under the key of the request. */
  readonly as?: (body: Body, sent: SentWrite) => IdentifiedRecord | undefined;
}

/** The answer of upstream to a write that concerns no record with an id. */
export interface Changed<Body> {
  /** Undefined when there is none, or none that can be read. */
  readonly body: Body | undefined;
  /** The text that no read gives again; undefined without one. */
  readonly text: string | undefined;
}

/** The deadline for the one read after a write that got no response, in milliseconds. */
const LOOK_TIMEOUT_MS = 2_000;

const NOT_LISTED = 'The record is not in the list that was read once, which may have more pages.';

/** Looks after a write that got no response. */
type Confirm<T> = () => Promise<Finding<T>>;

/** The result of a look: the result of the write, or a sentence about what was found. */
type Finding<T> = { readonly result: T } | { readonly notice: string };

/** Not documented (A251): 202 and 207 do not say whether the write was carried out (RFC 9110, 15.3.3; RFC 4918, 13). */
const UNDECIDED: ReadonlySet<number> = new Set([202, 207]);

/** A write, and what its result is made of. */
interface Sending<Body, T> {
  readonly method: WriteMethod;
  readonly request: Write;
  readonly judged: SentWrite;
  /** Makes the result of an answer that accepts the write. */
  readonly read: (body: Body | undefined) => Promise<T>;
  /** Looks at what became of a write without an answer. */
  readonly confirm?: Confirm<T> | undefined;
  /** Makes the result of a write that was carried out before, under the same key. */
  readonly replay: (id: string | undefined) => T;
  /** The id of the record that the result stands for. */
  readonly idOf: (result: T) => string | undefined;
  /** Undefined for a write that concerns no record with an id. */
  readonly write?: RecordWrite<Body>;
}

/**
 * The writes of one operation at one API. Each write is applied, refused or unknown, and none is ever repeated.
 *
 * A write is applied when its status is 2xx and its body is no refusal (formats/written.ts), whatever else the body holds.
 * After a timeout or a lost connection the record is read once, where it can be: when it shows the change, the write counts as
 * applied. A new record that is found by its code may be an older one: that leaves the outcome unknown.
 *
 * @see docs/decisions/0021-applied-refused-unknown.md
 */
export class Writer<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #reads: ReadCache<Body>;
  readonly #options: SessionOptions<Body>;

  constructor(exchange: Exchange<Body>, reads: ReadCache<Body>, options: SessionOptions<Body>) {
    this.#exchange = exchange;
    this.#reads = reads;
    this.#options = options;
  }

  /**
   * Creates or changes a record.
   *
   * @returns the record of the response; without one, a record that has the id and the fields that were sent
   * @throws GatewayError for a write that was refused, or whose outcome is unknown
   */
  async record(method: WriteMethod, write: RecordWrite<Body>): Promise<IdentifiedRecord> {
    const { request, sent, id, code, look, lookByCode, once } = write;
    const judged = this.#judged(request, { id, code, fields: sent, once });
    const confirm = async () => (lookByCode ? olderOrNew(lookByCode) : changed(look, judged));
    const canConfirm = (look ?? lookByCode) && Object.values(sent).some((value) => value !== undefined);
    const read = async (body: Body | undefined) => recordOf(body, write, judged);
    return this.#send({
      method,
      request,
      judged,
      read,
      confirm: canConfirm ? confirm : undefined,
      replay: replayedRecord,
      idOf: writtenId,
      write,
    });
  }

  /**
   * Deletes a record.
   *
   * @returns the id of the record, where it is known
   */
  async remove(method: WriteMethod, request: Write, look?: Look): Promise<string | undefined> {
    const id = request.asked?.id;
    const confirm = async (): Promise<Finding<string | undefined>> => {
      const found = await look?.(LOOK_TIMEOUT_MS).catch(missingOrPage);
      if (found === null) return { result: id };
      if (found === 'web page') return { notice: 'The read that could tell was answered by a web page.' };
      return { notice: found ? 'The record was read once, and still exists.' : NOT_LISTED };
    };
    return this.#send({
      method,
      request,
      judged: this.#judged(request),
      read: async () => id,
      confirm: look && confirm,
      replay: sameId,
      idOf: sameId,
    });
  }

  /** Sends a write whose answer is no record with an id. */
  async change(method: WriteMethod, request: Write, sent: SentWrite = {}): Promise<Changed<Body>> {
    const judged = this.#judged(request, sent);
    const read = async (body: Body | undefined) => ({ body, text: onceIn(body, judged) });
    return this.#send({ method, request, judged, read, replay: replayedChange<Body>, idOf: noId });
  }

  #judged({ recordKey: key, dataKey, kindOf }: Write, sent: SentWrite = {}): SentWrite {
    return { key, dataKey, kindOf, ...sent, held: sent.once === undefined ? undefined : this.#exchange.credentials() };
  }

  /**
   * The steps of a write, in their order: the key tells whether it was carried out before, the record whether it is unchanged; then it
   * is sent. From then on its steps go on after the deadline of the operation: the response settles its receipt, its record lock and the
   * caches.
   */
  #send<T>(sending: Sending<Body, T>): Promise<T> {
    const { writes, keyed, gone, onSecret } = this.#options.operation;
    if (sending.judged.once !== undefined) onSecret();
    const call = this.#exchange.call(sending.method, sending.request.path);
    const state = writes.begin();
    if (gone.happened) return Promise.reject(new CallerGoneError('The caller has closed the connection.', call));
    return new Promise((resolve, reject) => {
      state.onLate = (error) => {
        state.isLate = true;
        keyed?.late();
        reject(withNotice(error, undefined));
      };
      const result = keyed ? this.#sendUnderKey(sending, call, state, keyed) : this.#sendNow(sending, call, state);
      result.then(resolve, reject);
    });
  }

  async #sendUnderKey<T>(
    sending: Sending<Body, T>,
    call: UpstreamCall,
    state: WriteState,
    keyed: KeyedStep,
  ): Promise<T> {
    const beginning = keyed.begin(this.#keyedWrite(sending, call));
    const begun = beginning instanceof Promise ? await beginning : beginning;
    if (!begun.end) return sending.replay(begun.id);
    try {
      const result = await this.#sendNow(sending, call, state);
      const told = begun.end('APPLIED', sending.idOf(result));
      if (told) await told;
      return result;
    } catch (error) {
      await begun.end(state.outcome, undefined);
      throw error;
    }
  }

  /** A write as the step of its key sees it. */
  #keyedWrite<T>(sending: Sending<Body, T>, call: UpstreamCall): KeyedWrite {
    const { request, write } = sending;
    const { known, api } = this.#options;
    const isNew = write && write.id === undefined && write.code === undefined;
    return {
      call,
      path: request.path.path,
      credential: request.takesNoKey ? undefined : known?.credential(),
      upstream: api.upstream,
      created: isNew ? write.sent : undefined,
      kindOf: request.kindOf,
      evidence: isNew ? this.#evidenceOfNew(write) : this.#evidenceOfChange(sending),
    };
  }

  #evidenceOfNew({ lookByCode, among }: RecordWrite<Body>): Evidence | undefined {
    if (lookByCode) {
      return {
        among: async () => {
          const found = await lookByCode(LOOK_TIMEOUT_MS).catch(missingAsNull);
          return new Rows(found ? [found] : []);
        },
        by: 'code',
      };
    }
    return among && { among: () => this.#reads.list({ ...among.list, timeoutMs: LOOK_TIMEOUT_MS }), by: among.by };
  }

  #evidenceOfChange<T>({ confirm, idOf, judged }: Sending<Body, T>): Evidence | undefined {
    if (!confirm) return undefined;
    return {
      record: async () => {
        const finding = await confirm();
        return 'result' in finding ? { id: judged.id ?? idOf(finding.result) ?? '' } : finding;
      },
    };
  }

  async #sendNow<T>(sending: Sending<Body, T>, call: UpstreamCall, state: WriteState): Promise<T> {
    const { method, request, judged, read, confirm, write } = sending;
    const precondition = write?.precondition;
    const leaveTurn = precondition && (await turnIfUnchanged(precondition, request.path, this.#options, call));
    let body: Body | undefined;
    try {
      body = await this.#attempt(method, request, judged, call.endpoint, state);
    } catch (error) {
      return this.#afterFailure(error, call, state, confirm).finally(() => leaveTurn?.(state.outcome));
    }
    this.#conclude('APPLIED', call, state);
    leaveTurn?.(state.outcome);
    return read(body);
  }

  /** @throws the error, unless the change is found */
  async #afterFailure<T>(error: unknown, call: UpstreamCall, state: WriteState, confirm?: Confirm<T>): Promise<T> {
    const { gone } = this.#options.operation;
    const wasSent = state.outcome === 'UNKNOWN';
    if (!wasSent) throw error;
    const mayLook = isUnanswered(error) && !gone.happened;
    const finding = mayLook ? await findingOf(confirm) : undefined;
    if (finding && 'result' in finding) {
      this.#conclude('APPLIED', call, state);
      return finding.result;
    }
    const outcome = isRefusal(error) ? 'REFUSED' : 'UNKNOWN';
    this.#conclude(outcome, call, state);
    throw outcome === 'UNKNOWN' ? withNotice(error, finding?.notice) : error;
  }

  /** @throws GatewayError unless upstream carried the write out */
  async #attempt(
    method: WriteMethod,
    request: Write,
    judged: SentWrite,
    endpoint: string,
    { sent: onSent, onLate }: WriteState,
  ): Promise<Body | undefined> {
    this.#options.onWriteBegin?.(endpoint);
    let received: Received<Body>;
    try {
      const sent = { ...request, onSent, ...(onLate && { onLate }) };
      received = await this.#exchange.send(method, sent, this.#options.api.maxRecord);
    } catch (error) {
      // A response beyond the limit has a status of success, so the write was carried out.
      if (error instanceof TooLargeError) return undefined;
      throw error;
    } finally {
      this.#reads.forget();
      const told = this.#options.onWrite?.(endpoint);
      if (told) await told;
    }
    const body = await this.#exchange.accepted(received, judged);
    const { call } = received;
    if (!UNDECIDED.has(call.status ?? 0)) return body;
    throw new UndecidedError(
      `The ${call.api} API answered with ${call.status}, which does not say that the change was made.`,
      call,
    );
  }

  /** Records the outcome of a write that was sent. */
  #conclude(outcome: WriteOutcome, call: UpstreamCall, state: WriteState): void {
    const { gone, onLateWrite } = this.#options.operation;
    state.record(outcome);
    if (gone.happened || state.isLate) onLateWrite(call, outcome);
  }
}

async function findingOf<T>(confirm: Confirm<T> | undefined): Promise<Finding<T> | undefined> {
  return confirm?.().catch(() => undefined); // the failure of the write is the one to report
}

/** The record of a write that was carried out before: its fields are read when they are selected. */
const replayedRecord = (id: string | undefined): IdentifiedRecord => writtenRecord(id, {});

/** The answer to a write that was carried out before: it is not kept. */
function replayedChange<Body>(): Changed<Body> {
  return { body: undefined, text: undefined };
}

/** The id of a deleted record, for its result and back. One that no read told is empty in a receipt. */
const sameId = (id: string | undefined) => id || undefined;

const noId = () => undefined;

/** The id of a record that was written. Undefined where the answer did not tell it. */
function writtenId(written: IdentifiedRecord): string | undefined {
  try {
    return written.id;
  } catch (error) {
    if (error instanceof UnreadResultError) return undefined;
    throw error;
  }
}

/** The record of a write that was carried out. */
async function recordOf<Body>(
  body: Body | undefined,
  write: RecordWrite<Body>,
  judged: SentWrite,
): Promise<IdentifiedRecord> {
  const { id, sent, known = sent, once, as = writtenRecordIn } = write;
  const returned = body === undefined ? undefined : decodeOrUndefined(() => as(body, judged));
  const isOurs = returned && (id === undefined || returned.id === id);
  const found = isOurs ? returned : await foundAfterSuccess(write);
  const written = found ? withSentFields(found, known) : writtenRecord(id, known);
  const text = onceIn(body, judged);
  if (once !== undefined) Reflect.deleteProperty(written, once); // it may be the caller's own
  return once === undefined || text === undefined ? written : Object.assign(written, { [once]: text });
}

/** Looks for a record whose id is not known. One with the unique code of a new one is the new one, unless it has another name. */
async function foundAfterSuccess<Body>({ id, sent, look, lookByCode }: RecordWrite<Body>) {
  if (id !== undefined) return undefined;
  const found = await (lookByCode ?? look)?.(LOOK_TIMEOUT_MS).catch(() => undefined);
  return found && lookByCode && hasOtherName(found, sent) ? undefined : found;
}

/** A 404 of a web page is that of a proxy, perhaps: it proves no deletion. */
function missingOrPage(error: unknown): null | 'web page' {
  return error instanceof NotFoundError && error.isOfWebPage() ? 'web page' : missingAsNull(error);
}

/** Looks at a record that should have changed. */
async function changed(
  look: Look | undefined,
  { id, fields = {}, kindOf }: SentWrite,
): Promise<Finding<IdentifiedRecord>> {
  const found = await look?.(LOOK_TIMEOUT_MS).catch(missingAsNull);
  if (found === undefined) return { notice: NOT_LISTED };
  if (found === null) return { notice: 'No such record was found.' };
  if ((id === undefined || found.id === id) && showsFields(found, fields, kindOf)) return { result: found };
  return { notice: 'The record was read once, and does not show the change.' };
}

/** Looks for a record with the code of a new one. One that is found proves nothing: a code that is taken is refused. */
async function olderOrNew(lookByCode: Look): Promise<Finding<IdentifiedRecord>> {
  const found = await lookByCode(LOOK_TIMEOUT_MS).catch(missingAsNull);
  if (found) return { notice: 'A record with this code exists. It may be the new one, or an older one.' };
  return { notice: found === null ? 'No such record was found.' : NOT_LISTED };
}

function hasOtherName(found: object, sent: object): boolean {
  const [name, sentName] = [found, sent].map((record) =>
    Object.hasOwn(record, 'name') ? Reflect.get(record, 'name') : undefined,
  );
  return typeof name === 'string' && typeof sentName === 'string' && name.trim() !== sentName.trim();
}

function decodeOrUndefined<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof GatewayError) return undefined; // the write was carried out, whatever the body looks like
    throw error;
  }
}

/** Whether the write may have arrived, but upstream did not answer, or not what became of it. */
function isUnanswered(error: unknown): boolean {
  return [UpstreamTimeoutError, ConnectionLostError, UndecidedError].some((kind) => error instanceof kind);
}

function withNotice(error: unknown, notice: string | undefined): unknown {
  if (!(error instanceof GatewayError)) return error;
  const advice = 'Whether the change was made is not known: read before you try again.';
  error.message = [error.message, notice, advice].filter((part) => part !== undefined).join(' ');
  return error;
}

/** Whether upstream has refused a write that was sent. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { status = 0 } = error.upstream ?? {};
  return (status >= 400 && status < 500) || error instanceof ValidationError;
}
