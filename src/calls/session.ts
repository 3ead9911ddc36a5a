import { BatchReader } from './batch-reader.ts';
import type { SessionOperation, SessionOptions, SessionState, SharedApi } from './exchange.ts';
import { OperationMemory, ReadQueue, Trials } from './operation-reads.ts';
import { Reads } from './reads.ts';
import type { Headers } from './requests.ts';
import { Writer } from './writer.ts';

/** The calls of one GraphQL operation to one API. Data sources use it. */
export class UpstreamSession<Body = unknown> implements SessionState<Body> {
  readonly api: SharedApi<Body>;
  readonly operation: SessionOperation;
  readonly credential: SessionOptions<Body>['credential'];
  readonly secrets: SessionOptions<Body>['secrets'];
  readonly credentialState: SessionOptions<Body>['credentialState'];
  readonly trace: SessionOptions<Body>['trace'];
  readonly onAnswer: SessionOptions<Body>['onAnswer'];
  readonly memory = new OperationMemory<Body>();
  readonly queue: ReadQueue;
  readonly trials = new Trials();
  readonly reads = new Reads<Body>(this);
  #batches: BatchReader<Body> | undefined;
  #writes: Writer<Body> | undefined;
  /** The headers of the last request, and those that were sent for them: most requests of a session have the same. */
  #lastOwn: Headers | undefined;
  #lastCommon: Headers | undefined;
  #lastSent: Headers = {};

  constructor({ api, operation, credential, secrets, credentialState, trace, onAnswer }: SessionOptions<Body>) {
    this.api = api;
    this.operation = operation;
    this.credential = credential;
    this.secrets = secrets;
    this.credentialState = credentialState;
    this.trace = trace;
    this.onAnswer = onAnswer;
    this.queue = new ReadQueue(api.readsAtOnce, operation.budget);
  }

  /** Reads of several records by their ids. */
  get batches(): BatchReader<Body> {
    return (this.#batches ??= new BatchReader(this));
  }

  /** Writes. Each makes the session forget what it has read. */
  get writes(): Writer<Body> {
    return (this.#writes ??= new Writer(this));
  }

  headers(own: Headers | undefined, isPacked: boolean): Headers {
    const common = isPacked ? this.api.headers.packed : this.api.headers.common;
    if (!own) return common;
    if (own !== this.#lastOwn || common !== this.#lastCommon) {
      this.#lastOwn = own;
      this.#lastCommon = common;
      this.#lastSent = { ...common, ...own };
    }
    return this.#lastSent;
  }

  forget(): void {
    this.memory.forget();
    this.queue.forget();
    this.trace?.forget();
  }
}
