import { type JsonObject, record, recordIfAny } from '../http/formats/decode.ts';
import { path } from '../http/transport/path.ts';
import type { UpstreamSession } from '../http/session/session.ts';
import type { Visitor } from './visitor.ts';
import { type FlexRecordRecord, nestedOrFlat, type PublicSearchParameters, recordOrNull } from './wire.ts';

declare module '../context.ts' {
  interface Context {
    readonly publicFlex: PublicFlexSource;
  }
}

/**
 * The public half of the flex API: the methods that a database offers without authorization. It has no credential
 * to send. All of them are called by POST, and none is ever repeated.
 */
export class PublicFlexSource {
  readonly #http: UpstreamSession;
  readonly #visitor: Visitor;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(http: UpstreamSession, visitor: Visitor) {
    this.#http = http;
    this.#visitor = visitor;
  }

  /** `POST /flex/db/:db_code/list`: newest first, the records of all tables. */
  async list(
    code: string,
    page: { limit?: number | undefined; offset?: number | undefined },
  ): Promise<readonly FlexRecordRecord[]> {
    return this.#oneAfterAnother((headers) =>
      this.#http.reads.listByPost({ path: path`/flex/db/${{ db_code: code }}/list`, headers, body: page }),
    );
  }

  /** `POST /flex/db/:db_code/get` */
  async get(code: string, id: string): Promise<FlexRecordRecord | null> {
    const target = path`/flex/db/${{ db_code: code }}/get`;
    return this.#oneAfterAnother((headers) =>
      this.#http.writes.write('POST', { path: target, headers, body: { id } }, recordOrNull),
    );
  }

  /** `POST /flex/db/:db_code/create` */
  async create(code: string, data: JsonObject): Promise<FlexRecordRecord> {
    const target = path`/flex/db/${{ db_code: code }}/create`;
    return this.#oneAfterAnother((headers) =>
      this.#http.writes.write('POST', { path: target, headers, body: { data } }, record),
    );
  }

  /** `POST /flex/db/:db_code/update`. Not documented: its answer; null when it holds no record. */
  async update(code: string, id: string, data: JsonObject): Promise<FlexRecordRecord | null> {
    const target = path`/flex/db/${{ db_code: code }}/update`;
    return this.#oneAfterAnother((headers) =>
      this.#http.writes.write('POST', { path: target, headers, body: { id, data } }, recordIfAny),
    );
  }

  /** `POST /flex/db/:db_code/delete` */
  async delete(code: string, id: string): Promise<void> {
    const target = path`/flex/db/${{ db_code: code }}/delete`;
    return this.#oneAfterAnother((headers) =>
      this.#http.writes.writeWithoutBody('POST', { path: target, headers, body: { id } }),
    );
  }

  /** `POST /flex/db/:db_code/search`: the only one that knows tables. */
  async search(code: string, parameters: PublicSearchParameters): Promise<FlexRecordRecord[]> {
    const target = path`/flex/db/${{ db_code: code }}/search`;
    const found = await this.#oneAfterAnother((headers) =>
      this.#http.reads.listByPost({ path: target, headers, body: parameters }),
    );
    return found.map(nestedOrFlat);
  }

  /** Until upstream knows the browser its calls are made one after the other: two at once would make it two of them. */
  async #oneAfterAnother<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    if (this.#visitor.isKnown) return call(this.#visitor.headers());
    const result = this.#previous.then(() => call(this.#visitor.headers()));
    this.#previous = result.catch(() => {});
    return result;
  }
}
