import { BatchReader } from './batch-reader.ts';
import { Exchange } from './exchange.ts';
import { ReadCache } from './read-cache.ts';
import type { SessionOptions } from './session-options.ts';
import { Writer } from './writer.ts';

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
    return (this.#writes ??= new Writer(this.#exchange, this.reads, this.#options));
  }
}
