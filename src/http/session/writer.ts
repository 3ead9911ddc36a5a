import {
  CallerGoneError,
  GatewayError,
  QueryLimitError,
  UnreachableError,
  type UpstreamCall,
  ValidationError,
} from '../errors.ts';
import type { Exchange, Method, Received, Write } from '../transport/exchange.ts';
import type { ByteLimit } from '../transport/upstream.ts';

/** The outcome of a write that was sent: upstream carried it out, refused it, or did not say. */
export type WriteOutcome = 'applied' | 'refused' | 'unknown';

export interface WriterOptions {
  readonly maxRecord: ByteLimit;
  /** Aborted when the caller closes the connection. */
  readonly gone: AbortSignal;
  /** Called with the outcome of a write that ends after its caller left: the caller cannot learn it. */
  readonly onLateWrite: (call: UpstreamCall, outcome: WriteOutcome) => void;
}

type WriteMethod = Exclude<Method, 'GET'>;

/** The writes of one operation at one API. Failed writes are never repeated. */
export class Writer<Body> {
  readonly #exchange: Exchange<Body>;
  readonly #options: WriterOptions;
  readonly #onWrite: () => void;

  /** @param onWrite called after each write, failed ones too: earlier reads may be stale */
  constructor(exchange: Exchange<Body>, options: WriterOptions, onWrite: () => void) {
    this.#exchange = exchange;
    this.#options = options;
    this.#onWrite = onWrite;
  }

  /** Sends a write and decodes the response by `as`. */
  async write<T>(method: WriteMethod, request: Write, as: (body: Body) => T): Promise<T> {
    return this.#send(method, request, (received) => this.#exchange.parseWrite(received, as));
  }

  /** Sends a write whose response body is not needed. */
  async writeWithoutBody(method: WriteMethod, request: Write): Promise<void> {
    return this.#send(method, request, (received) => this.#exchange.acceptWithoutBody(received));
  }

  async #send<T>(method: WriteMethod, request: Write, read: (received: Received) => Promise<T>): Promise<T> {
    const { maxRecord, gone, onLateWrite } = this.#options;
    let outcome: WriteOutcome | undefined;
    try {
      const received = await this.#exchange.send(method, request, maxRecord).finally(this.#onWrite);
      const result = await read(received);
      outcome = 'applied';
      return result;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      if (gone.aborted && outcome) onLateWrite(this.#exchange.call(method, request.path), outcome);
    }
  }
}

/** Derives the outcome of a write from its failure. Undefined when nothing was sent. */
function outcomeOf(error: unknown): WriteOutcome | undefined {
  if (!(error instanceof GatewayError)) return 'unknown';
  const { status = 0 } = error.upstream ?? {};
  if ((status >= 400 && status < 500) || error instanceof ValidationError) return 'refused';
  return [CallerGoneError, QueryLimitError, UnreachableError].some((kind) => error instanceof kind)
    ? undefined
    : 'unknown';
}
