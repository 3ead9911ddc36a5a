import type { UpstreamCall, WriteOutcome } from '../errors.ts';
import type { Format } from '../formats/format.ts';
import type { CallBudget } from './transport/call-budget.ts';
import type { SessionTrace } from './transport/call-trace.ts';
import type { Departure } from './transport/departure.ts';
import type { Answer, ByteLimit } from './transport/messages.ts';
import type { Upstream } from './transport/upstream.ts';
import type { CredentialState, CredentialStates } from './credential-states.ts';
import type { PageLists } from './cache/answer-cache.ts';
import type { ReadCost } from './read-cost.ts';
import type { KeyedStep } from './keyed-step.ts';
import type { RecordTurns } from './preconditions/record-turns.ts';
import type { WriteLedger } from './write-ledger.ts';

/** How several records are read by id. `auto` chooses what is predicted to cost less. */
export type BatchReads = 'auto' | 'list' | 'by-id';

/** One API for the life of the process, as its settings describe it and its calls have shown it. */
export interface SharedApi<Body> {
  readonly upstream: Upstream;
  readonly format: Format<Body>;
  readonly credentials: CredentialStates<Body>;
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

export interface SessionOptions<Body> {
  readonly api: SharedApi<Body>;
  readonly operation: SessionOperation;
  /** The caller's header that holds the credential: named when upstream refuses it. Undefined when none is sent. */
  readonly credential: string | undefined;
  /** Returns the caller's credentials, which are removed from every text of upstream. Called when upstream refuses a call. */
  readonly secrets: () => readonly string[];
  /** The state of the credential at the API. Undefined when none is sent: then no read is shared or kept, and no breaker guards an endpoint. */
  readonly known?: CredentialState<Body> | undefined;
  /** Records the calls. Undefined unless the caller asks for it. */
  readonly trace?: SessionTrace | undefined;
  /** Called with each response, a refusal too, before it is parsed. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
  /** Called before each write is sent, with its method and template. */
  readonly onWriteBegin?: ((endpoint: string) => void) | undefined;
  /**
   * Called after each write, failed ones too, with its method and template: another session may have read the changed
   * records. The write ends when the promise resolves.
   */
  readonly onWrite?: ((endpoint: string) => Promise<void> | undefined) | undefined;
}
