import { Exchange, type ExchangeOptions } from '../transport/exchange.ts';
import { BatchReader, type BatchReaderOptions } from './batch-reader.ts';
import { ReadCache, type ReadCacheOptions } from './read-cache.ts';
import { Writer, type WriterOptions } from './writer.ts';

export interface SessionOptions<Body>
  extends ExchangeOptions<Body>, ReadCacheOptions<Body>, BatchReaderOptions, WriterOptions {
  /** Called before each write is sent, with its method and template. */
  readonly onWriteBegin?: ((endpoint: string) => void) | undefined;
  /**
   * Called after each write, failed ones too, with its method and template: another session may have read the changed
   * records. The write ends when the promise resolves.
   */
  readonly onWrite?: ((endpoint: string) => Promise<void> | undefined) | undefined;
}

/** The calls of one GraphQL operation to one API. Data sources use it. */
export class UpstreamSession<Body = unknown> {
  /** Reads, cached until the operation writes something. */
  readonly reads: ReadCache<Body>;
  readonly #options: SessionOptions<Body>;
  readonly #exchange: Exchange<Body>;
  #batches: BatchReader<Body> | undefined;
  #writes: Writer<Body> | undefined;

  constructor(options: SessionOptions<Body>) {
    this.#options = options;
    this.#exchange = new Exchange(options);
    this.reads = new ReadCache(this.#exchange, options);
  }

  /** Reads of several records by their ids. */
  get batches(): BatchReader<Body> {
    return (this.#batches ??= new BatchReader(this.reads, this.#options));
  }

  /** Writes. Each clears the cache of reads. */
  get writes(): Writer<Body> {
    const { onWriteBegin, onWrite } = this.#options;
    return (this.#writes ??= new Writer(this.#exchange, this.#options, {
      onBegin: (endpoint) => onWriteBegin?.(endpoint),
      onEnd: (endpoint) => {
        this.reads.forget();
        return onWrite?.(endpoint);
      },
    }));
  }
}
