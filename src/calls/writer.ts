import { CallerGoneError, GatewayError, missingAsNull, NotFoundError } from '../errors.ts';
import type { UpstreamRecord } from '../formats/decode.ts';
import { Rows } from '../formats/rows.ts';
import { showsFields } from '../formats/same-values.ts';
import { onceIn, type SentWrite, writtenRecordIn } from '../formats/written.ts';
import { callOf, Exchange, type SessionState } from './exchange.ts';
import type { Evidence } from './keyed-step.ts';
import type { Decode, Reads } from './reads.ts';
import type { Get, Method, Precondition, Write } from './requests.ts';
import type { Finding, WriteAttempt, Written } from './write-attempt.ts';
import { withNotice } from './write.ts';
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
export function lookAt<Body>(reads: Reads<Body>, request: Get, as: Decode<Body, IdentifiedRecord>): Look {
  return (timeoutMs) => reads.get({ ...request, timeoutMs }, as);
}

/** Creates the look for a record of a list. A list proves no absence: it may have more pages, or be hidden from the caller. */
export function lookInList<Body>(reads: Reads<Body>, list: Get, isIt: (found: UpstreamRecord) => boolean): Look {
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
  readonly #session: SessionState<Body>;
  readonly #reads: Reads<Body>;

  constructor(session: SessionState<Body> & { readonly reads: Reads<Body> }) {
    this.#session = session;
    this.#reads = session.reads;
  }

  /**
   * Creates or changes a record.
   *
   * @returns the record of the response; without one, a record that has the id and the fields that were sent
   * @throws GatewayError for a write that was refused, or whose outcome is unknown
   */
  async record(method: WriteMethod, write: RecordWrite<Body>): Promise<IdentifiedRecord> {
    const { request, sent, id, code, look, lookByCode, once, precondition } = write;
    const judged = this.#judged(request, { id, code, fields: sent, once });
    const canConfirm = (look ?? lookByCode) && Object.values(sent).some((value) => value !== undefined);
    const confirm = canConfirm ? async () => (lookByCode ? olderOrNew(lookByCode) : changed(look, judged)) : undefined;
    const isNew = id === undefined && code === undefined;
    const written = await this.#send(method, request, {
      judged,
      precondition,
      created: isNew ? sent : undefined,
      evidence: () => (isNew ? this.#evidenceOfNew(write) : evidenceOfChange(confirm, id)),
      read: async (body) => recordOf(body, write, judged),
      confirm,
    });
    return written.record ?? writtenRecord(written.id, {}); // of an earlier attempt: its fields are read when they are selected
  }

  /**
   * Deletes a record.
   *
   * @returns the id of the record, where it is known
   */
  async remove(method: WriteMethod, request: Write, look?: Look): Promise<string | undefined> {
    const id = request.asked?.id;
    const confirm = look && (async () => removed(look, id));
    const judged = this.#judged(request);
    const evidence = () => evidenceOfChange(confirm, undefined);
    const written = await this.#send(method, request, { judged, evidence, read: () => ({ id }), confirm });
    return written.id || undefined; // one that no read told is empty in a receipt
  }

  /** Sends a write whose answer is no record with an id. That to an earlier attempt is not kept. */
  async change(method: WriteMethod, request: Write, sent: SentWrite = {}): Promise<Changed<Body>> {
    const judged = this.#judged(request, sent);
    const { body } = await this.#send(method, request, { judged, read: (accepted) => ({ body: accepted }) });
    return { body, text: onceIn(body, judged) };
  }

  #judged({ recordKey: key, dataKey, kindOf }: Write, sent: SentWrite = {}): SentWrite {
    return { key, dataKey, kindOf, ...sent, held: sent.once === undefined ? undefined : this.#session.secrets() };
  }

  /**
   * Sends a write. Once it was sent its steps go on after the deadline of the operation: the response settles its receipt, its record
   * lock and the cache.
   */
  #send(method: WriteMethod, request: Write, parts: Omit<WriteAttempt<Body>, 'state'>): Promise<Written<Body>> {
    const { api, operation } = this.#session;
    const { writes, keyed, gone, onSecret } = operation;
    if (parts.judged.once !== undefined) onSecret();
    const state = writes.begin();
    if (gone.happened) {
      // before its key and its record lock are asked for
      const call = callOf(api, method, request.path);
      return Promise.reject(new CallerGoneError('The caller has closed the connection.', call));
    }
    return new Promise((resolve, reject) => {
      const onLate = (error: Error) => {
        state.isLate = true;
        keyed?.late();
        reject(withNotice(error, undefined));
      };
      const sent = { ...request, onSent: state.sent, onLate };
      const attempt = { ...parts, state };
      // Async, so that a body that cannot be encoded is a rejection, too.
      const way = async () => api.write(new Exchange(this.#session, method, sent, api.maxRecord, { attempt }));
      way().then(resolve, reject);
    });
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
}

/** The read of a record that was changed, or that should be gone. @param id undefined where the read tells it */
function evidenceOfChange(confirm: WriteAttempt<never>['confirm'], id: string | undefined): Evidence | undefined {
  if (!confirm) return undefined;
  return {
    record: async () => {
      const finding = await confirm();
      return 'notice' in finding ? finding : { id: id ?? finding.id ?? '' };
    },
  };
}

/** The record of a write that was carried out. */
async function recordOf<Body>(
  body: Body | undefined,
  write: RecordWrite<Body>,
  judged: SentWrite,
): Promise<Written<Body>> {
  const { id, sent, known = sent, once, as = writtenRecordIn } = write;
  const returned = body === undefined ? undefined : decodeOrUndefined(() => as(body, judged));
  const isOurs = returned && (id === undefined || returned.id === id);
  const found = isOurs ? returned : await foundAfterSuccess(write);
  const record = found ? withSentFields(found, known) : writtenRecord(id, known);
  const text = onceIn(body, judged);
  if (once !== undefined) Reflect.deleteProperty(record, once); // it may be the caller's own
  if (once !== undefined && text !== undefined) Object.assign(record, { [once]: text });
  return { id: found?.id ?? id, record };
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

/** Looks for a record that should be gone. */
async function removed(look: Look, id: string | undefined): Promise<Finding> {
  const found = await look(LOOK_TIMEOUT_MS).catch(missingOrPage);
  if (found === null) return { id };
  if (found === 'web page') return { notice: 'The read that could tell was answered by a web page.' };
  return { notice: found ? 'The record was read once, and still exists.' : NOT_LISTED };
}

/** Looks at a record that should have changed. */
async function changed(look: Look | undefined, { id, fields = {}, kindOf }: SentWrite): Promise<Finding> {
  const found = await look?.(LOOK_TIMEOUT_MS).catch(missingAsNull);
  if (found === undefined) return { notice: NOT_LISTED };
  if (found === null) return { notice: 'No such record was found.' };
  if ((id === undefined || found.id === id) && showsFields(found, fields, kindOf))
    return { id: found.id, record: found };
  return { notice: 'The record was read once, and does not show the change.' };
}

/** Looks for a record with the code of a new one. One that is found proves nothing: a code that is taken is refused. */
async function olderOrNew(lookByCode: Look): Promise<Finding> {
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
