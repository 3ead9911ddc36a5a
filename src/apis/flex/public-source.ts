import { LRUCache } from 'lru-cache';
import { type JsonObject, wireId } from '../../formats/decode.ts';
import { hasJsonData } from '../../formats/same-values.ts';
import { path } from '../../calls/transport/path.ts';
import type { Rows } from '../../formats/rows.ts';
import type { UpstreamSession } from '../../calls/session.ts';
import type { Look } from '../../calls/writer.ts';
import type { Visitor } from './visitor.ts';
import {
  type FlexRecordRecord,
  type FoundRecord,
  nestFlatRecord,
  recordWithData,
  type PublicSearchParameters,
  recordOrNull,
} from './wire.ts';

declare module '../../operation/context.ts' {
  interface Context {
    readonly publicFlex: PublicFlexSource;
  }
}

/** The windows that are known to end a list. */
export interface KnownEnds {
  has(window: string): boolean;
  add(window: string): void;
}

/** The maximum length of a code with its window, in characters. Longer ones are not stored. */
const MAX_END_LENGTH = 512;

/** The window that ends the list of a database, by the code of the database: 100 of them. */
export class ListEnds extends LRUCache<string, string> {
  constructor() {
    super({ max: 100 });
  }
}

/** The private endpoints send a record in this key; not documented (A229): whether the answers here have it. */
const recordKey = 'record';

/** The keys of a record that is written. */
const keys = { recordKey, dataKey: 'data', kindOf: hasJsonData };

/**
 * Client of the public methods of the flex API, which a database allows without authorization. It sends no
 * credential. All calls are POST requests, which the gateway never retries. Each method rejects with a `GatewayError`.
 */
export class PublicFlexSource {
  readonly #http: UpstreamSession;
  readonly #visitor: Visitor;
  readonly #ends: ListEnds;
  #previousCall: Promise<unknown> = Promise.resolve();

  constructor(http: UpstreamSession, visitor: Visitor, ends: ListEnds) {
    this.#http = http;
    this.#visitor = visitor;
    this.#ends = ends;
  }

  /** The windows of `list` that are known to end it: the last one, which an added record changes. */
  listEnds(code: string): KnownEnds {
    return {
      has: (window) => this.#ends.get(code) === window,
      add: (window) => {
        if (code.length + window.length <= MAX_END_LENGTH) this.#ends.set(code, window);
      },
    };
  }

  /** `POST /flex/db/:db_code/list`: the records of all tables, newest first. */
  async list(
    code: string,
    page: { limit?: number | undefined; offset?: number | undefined },
  ): Promise<Rows<FlexRecordRecord>> {
    return this.#inSequence((headers) =>
      this.#http.reads.listByPost({
        path: path`/flex/db/${{ db_code: code }}/list`,
        headers,
        body: page,
        recordKey,
      }),
    );
  }

  /** `POST /flex/db/:db_code/get`: null when the response holds no record. */
  async get(code: string, id: string, timeoutMs?: number): Promise<FlexRecordRecord | null> {
    const target = path`/flex/db/${{ db_code: code }}/get`;
    return this.#inSequence((headers) =>
      this.#http.reads.getByPost(
        { path: target, headers, body: { id: wireId(id) }, timeoutMs, recordKey, asked: { id } },
        recordOrNull,
      ),
    );
  }

  /** `POST /flex/db/:db_code/create` */
  async create(code: string, data: JsonObject): Promise<FlexRecordRecord> {
    const target = path`/flex/db/${{ db_code: code }}/create`;
    return this.#inSequence((headers) =>
      this.#http.writes.record('POST', {
        request: { path: target, headers, body: { data }, ...keys },
        sent: { data },
      }),
    );
  }

  /** `POST /flex/db/:db_code/update`. Not documented (A109): its answer. */
  async update(code: string, id: string, data: JsonObject): Promise<FlexRecordRecord> {
    const target = path`/flex/db/${{ db_code: code }}/update`;
    return this.#inSequence((headers) =>
      this.#http.writes.record('POST', {
        request: { path: target, headers, body: { id: wireId(id), data }, ...keys },
        sent: { data },
        known: {}, // Not documented (A109): whether upstream keeps the other values of the data
        id,
        look: this.#lookAt(code, id),
        as: recordWithData,
      }),
    );
  }

  /** `POST /flex/db/:db_code/delete` */
  async delete(code: string, id: string): Promise<void> {
    const target = path`/flex/db/${{ db_code: code }}/delete`;
    await this.#inSequence((headers) =>
      this.#http.writes.remove(
        'POST',
        { path: target, headers, body: { id: wireId(id) }, ...keys },
        this.#lookAt(code, id),
      ),
    );
  }

  /**
   * `POST /flex/db/:db_code/search`: the only public method that takes a table.
   *
   * @param hasDataField whether the definition is known to have a field `data`
   */
  async search(code: string, parameters: PublicSearchParameters, hasDataField = false): Promise<Rows<FoundRecord>> {
    const target = path`/flex/db/${{ db_code: code }}/search`;
    const records = await this.#inSequence((headers) =>
      this.#http.reads.listByPost({ path: target, headers, body: parameters, recordKey }),
    );
    return records.map((row) => nestFlatRecord(row, hasDataField));
  }

  #lookAt(code: string, id: string): Look {
    return (timeoutMs) => this.get(code, id, timeoutMs);
  }

  /**
   * Makes calls one after the other until upstream has set the visitor's cookies. Parallel first calls would each get
   * a cookie of their own.
   */
  async #inSequence<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    if (this.#visitor.isKnown) return call(this.#visitor.headers());
    const result = this.#previousCall.then(() => call(this.#visitor.headers()));
    this.#previousCall = result.catch(() => {});
    return result;
  }
}
