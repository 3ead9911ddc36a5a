import { AsyncLocalStorage } from 'node:async_hooks';
import { GatewayError, type UpstreamCall } from '../../errors.ts';
import { byteLength } from '../../formats/utf8.ts';
import type { Answer } from './messages.ts';
import type { Path } from './path.ts';

/** One upstream call of an operation, in milliseconds since the operation began. Holds no id, URL, value or credential. */
export interface TracedCall {
  readonly api: string;
  /** Method and template of the path, such as `GET /app/clients/:id.json`. */
  readonly endpoint: string;
  readonly startMs: number;
  /** Until the response was complete, with the wait for a connection. Until now for a call under way. */
  readonly durationMs: number;
  /** The size of the response's body. Null without a response. */
  readonly bytes: number | null;
  /** The size that was transferred, of a body that was packed. */
  readonly packedBytes?: number;
  /** Null without a response. */
  readonly status: number | null;
  /** The code of the failure of a call without a response. */
  readonly error?: string;
  /** Whether it joined the identical call of another operation. */
  readonly shared: boolean;
  /** For an answer that an earlier operation has read: no call was made. */
  readonly cached?: true;
  /** For a list that was read instead of records by id. */
  readonly insteadOf?: AvoidedReads;
  /** The response paths of the fields that waited for it, without the indexes of lists. */
  readonly paths: readonly string[];
  /** How many more paths there are. */
  readonly pathsOmitted?: number;
}

/** The reads by id that a list replaced. */
export interface AvoidedReads {
  readonly reads: number;
  readonly reason: string;
}

/** All upstream calls of one operation. */
export interface TraceSummary {
  readonly totalMs: number;
  /** The time during which no upstream call was under way. */
  readonly ownMs: number;
  readonly calls: readonly TracedCall[];
}

/** The maximum number of paths that a call shows. */
const MAX_PATHS = 20;

/** A traced operation, and the response paths of its fields, for which code runs. */
interface TracedCode {
  readonly trace: OperationTrace;
  readonly paths: ReadonlySet<string>;
}

const current = new AsyncLocalStorage<TracedCode>();

/** The operation and the fields for which the current code runs. Undefined for one that is not traced. */
export function tracedCode(): TracedCode | undefined {
  return current.getStore();
}

/** A field of the schema. */
export interface SchemaField {
  readonly parentType: string;
  readonly name: string;
}

/** A field of an operation, and when its first resolver began, as `performance.now()` tells the time. */
export interface TracedField extends SchemaField {
  readonly beganAt: number;
  /** The code of its resolvers. */
  readonly code: TracedCode;
}

/** How many operations are traced at the moment. */
let tracedOperations = 0;

/** A read, or a write, and the fields that wait for it. */
interface TracedRequest {
  readonly paths: Set<string>;
  insteadOf: AvoidedReads | undefined;
}

type Outcome =
  | {
      readonly endMs: number;
      readonly status: number;
      readonly bytes: number;
      readonly packedBytes: number | undefined;
    }
  | { readonly endMs: number; readonly error: string };

interface CallRecord {
  readonly call: UpstreamCall;
  readonly request: TracedRequest;
  readonly shared: boolean;
  readonly cached: boolean;
  readonly startMs: number;
  outcome: Outcome | undefined;
}

/** Records the upstream calls of one operation, and the fields that wait for them. */
export class OperationTrace {
  /** Whether it is to know the fields. If not, it only tells the code of this operation from that of others. */
  readonly hasFields: boolean;
  readonly #start = performance.now();
  readonly #fields = new Map<string, TracedField>();
  readonly #calls: CallRecord[] = [];
  readonly #batches = new Map<object, Set<string>>();
  #hasEnded = false;

  constructor(hasFields = true) {
    this.hasFields = hasFields;
    tracedOperations += 1;
  }

  /** Creates the trace of the operation's calls to one API. */
  session(): SessionTrace {
    return new SessionTrace(this);
  }

  /** Runs the code of the operation that belongs to no field. */
  run<T>(execute: () => T): T {
    return current.run({ trace: this, paths: NO_PATHS }, execute);
  }

  /** Runs a resolver of the field at a response path. */
  runField<T>(path: string, field: SchemaField, run: () => T): T {
    let known = this.#fields.get(path);
    if (!known) {
      known = { ...field, beganAt: performance.now(), code: { trace: this, paths: new Set([path]) } };
      this.#fields.set(path, known);
    }
    return current.run(known.code, run);
  }

  /** The field at a response path, once one of its resolvers has begun. */
  field(path: string): TracedField | undefined {
    return this.#fields.get(path);
  }

  /** Adds the current field to those that wait for a batch of reads. */
  joinBatch(batch: object): void {
    const paths = this.#batches.get(batch) ?? new Set();
    this.#batches.set(batch, paths);
    addAll(paths, current.getStore()?.paths);
  }

  /** Runs a batch of reads for all fields that joined it since its last run. */
  runBatch<T>(batch: object, run: () => T): T {
    const paths = this.#batches.get(batch) ?? new Set();
    this.#batches.delete(batch);
    return current.run({ trace: this, paths }, run);
  }

  /** Records a call that has just begun, and its end. */
  follow(call: UpstreamCall, request: TracedRequest, answer: Promise<Answer>, shared: boolean): void {
    const startMs = this.#now();
    const record: CallRecord = { call, request, shared, cached: false, startMs, outcome: undefined };
    this.#calls.push(record);
    answer.then(
      ({ status, body, packedBytes }) => {
        const bytes = byteLength(body); // parsing will empty it
        record.outcome = { endMs: this.#now(), status, bytes, packedBytes };
      },
      (error: unknown) => {
        record.outcome = { endMs: this.#now(), error: error instanceof GatewayError ? error.code : UNEXPECTED };
      },
    );
  }

  /** Records a read that was answered without a call. */
  addKept(call: UpstreamCall, request: TracedRequest, bytes: number): void {
    const startMs = this.#now();
    const outcome = { endMs: startMs, status: 200, bytes, packedBytes: undefined };
    this.#calls.push({ call, request, shared: false, cached: true, startMs, outcome });
  }

  /** The calls until now. */
  summary(): TraceSummary {
    const totalMs = this.#now();
    const calls = this.#calls.map((record) => tracedCall(record, totalMs));
    return { totalMs: rounded(totalMs), ownMs: rounded(totalMs - coveredMs(calls)), calls };
  }

  /** Called when the operation is over. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    tracedOperations -= 1;
    // Before Node 24 each promise of the process costs more while a storage is enabled.
    if (tracedOperations === 0) current.disable();
  }

  #now(): number {
    return performance.now() - this.#start;
  }
}

/** The calls of one operation to one API. */
export class SessionTrace {
  readonly #operation: OperationTrace;
  /** The reads that are cached, by their targets. A target may hold a credential: it is never shown. */
  readonly #reads = new Map<string, TracedRequest>();

  constructor(operation: OperationTrace) {
    this.#operation = operation;
  }

  /** Adds the current fields to those that wait for a read, whether it is sent later or was sent before. */
  wantRead({ path }: Path): void {
    addAll(this.#read(path).paths, current.getStore()?.paths);
  }

  /** Notes that a list is read instead of records by id. Of several reasons the first is kept. */
  preferList({ path }: Path, reads: number, reason: string): void {
    const read = this.#read(path);
    const { insteadOf } = read;
    read.insteadOf = { reads: reads + (insteadOf?.reads ?? 0), reason: insteadOf?.reason ?? reason };
  }

  /** Records a read that was just begun. @param shared whether the call is that of another operation */
  beginRead(call: UpstreamCall, { path }: Path, answer: Promise<Answer>, shared: boolean): void {
    this.#operation.follow(call, this.#read(path), answer, shared);
  }

  /** Records a read that was answered by what an earlier operation has read. @param bytes the size of the response then */
  findKept(call: UpstreamCall, { path }: Path, bytes: number): void {
    this.#operation.addKept(call, this.#read(path), bytes);
  }

  /** Records a request that was just sent for the current fields, and is not cached. */
  beginRequest(call: UpstreamCall, answer: Promise<Answer>): void {
    const request: TracedRequest = { paths: new Set(current.getStore()?.paths), insteadOf: undefined };
    this.#operation.follow(call, request, answer, false);
  }

  /** Called when the cache of reads is cleared: later fields wait for calls of their own. */
  forget(): void {
    this.#reads.clear();
  }

  #read(target: string): TracedRequest {
    const known = this.#reads.get(target);
    if (known) return known;
    const read: TracedRequest = { paths: new Set(), insteadOf: undefined };
    this.#reads.set(target, read);
    return read;
  }
}

const NO_PATHS: ReadonlySet<string> = new Set();

const UNEXPECTED = 'INTERNAL_SERVER_ERROR';

function tracedCall({ call, request, shared, cached, startMs, outcome }: CallRecord, nowMs: number): TracedCall {
  const { paths, insteadOf } = request;
  const omitted = paths.size - MAX_PATHS;
  return {
    api: call.api,
    endpoint: call.endpoint,
    startMs: rounded(startMs),
    durationMs: rounded((outcome?.endMs ?? nowMs) - startMs),
    bytes: outcome && 'bytes' in outcome ? outcome.bytes : null,
    ...(outcome && 'bytes' in outcome && outcome.packedBytes !== undefined && { packedBytes: outcome.packedBytes }),
    status: outcome && 'status' in outcome ? outcome.status : null,
    ...(outcome && 'error' in outcome && { error: outcome.error }),
    shared,
    ...(cached && { cached }),
    ...(insteadOf && { insteadOf }),
    paths: [...paths].slice(0, MAX_PATHS),
    ...(omitted > 0 && { pathsOmitted: omitted }),
  };
}

/** The time during which at least one of the calls was under way. They are in the order of their starts. */
function coveredMs(calls: readonly TracedCall[]): number {
  let covered = 0;
  let coveredUntil = 0;
  for (const { startMs, durationMs } of calls) {
    const endMs = startMs + durationMs;
    covered += Math.max(0, endMs - Math.max(startMs, coveredUntil));
    coveredUntil = Math.max(coveredUntil, endMs);
  }
  return covered;
}

function addAll(paths: Set<string>, added: ReadonlySet<string> | undefined): void {
  for (const path of added ?? []) paths.add(path);
}

/** Milliseconds with two decimals. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
