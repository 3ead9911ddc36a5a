import { Exchange, type ExchangeOptions } from '../transport/exchange.ts';
import { BatchReader, type BatchReaderOptions } from './batch-reader.ts';
import { ReadCache, type ReadCacheOptions } from './read-cache.ts';
import { Writer, type WriterOptions } from './writer.ts';

export interface SessionOptions<Body>
  extends ExchangeOptions<Body>, ReadCacheOptions, BatchReaderOptions, WriterOptions {
  /** Told of each write, whatever became of it: another session may have read what it changed. */
  readonly onWrite?: () => void;
}

/** What a data source uses to call one API for one GraphQL operation. */
export class UpstreamSession<Body = unknown> {
  /** Reads, each made once until the operation writes something. */
  readonly reads: ReadCache<Body>;
  /** Reads of several records by their ids. */
  readonly batches: BatchReader<Body>;
  readonly writes: Writer<Body>;

  constructor(options: SessionOptions<Body>) {
    const exchange = new Exchange(options);
    this.reads = new ReadCache(exchange, options);
    this.batches = new BatchReader(this.reads, options);
    this.writes = new Writer(exchange, options, () => {
      this.reads.forget();
      options.onWrite?.();
    });
  }
}
