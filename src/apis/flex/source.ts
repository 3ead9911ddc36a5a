import type { Credentials } from '../../operation/credentials.ts';
import type { Api } from '../../calls/transport/api.ts';
import { record, type UpstreamRecord } from '../../formats/decode.ts';
import { hasJsonData } from '../../formats/same-values.ts';
import { recordAt } from '../../calls/preconditions/precondition.ts';
import type { IfUnchanged, Precondition, Write } from '../../calls/requests.ts';
import { type Path, path, withQuery } from '../../calls/transport/path.ts';
import { missingAsNull, NotFoundError } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import type { UpstreamSession } from '../../calls/session.ts';
import { type Look, lookAt, lookInList } from '../../calls/writer.ts';
import {
  type FlexDbFields,
  type FlexDbRecord,
  type FlexRecordFields,
  type FlexRecordRecord,
  type FoundRecord,
  looksLikeId,
  nestData,
  type SearchParameters,
  type Window,
} from './wire.ts';

/** Name of the flex API in errors and logs, and the setting that holds its address. */
export const flexApi: Api = { name: 'flex', setting: 'FLEX_URL' };

/** A part of a database that `FlexSource.replace` edits as text. */
export type ReplaceableField = 'fields' | 'schema' | 'public_methods';

/** The body of `PATCH /flex/dbs/:id/replace.json`. */
export interface Replacement {
  readonly field: ReplaceableField;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | null | undefined;
}

/** Is told of the databases that upstream sends, or does not have, when they are read anyway. Must not throw. */
export interface DatabaseWatch {
  /** All databases of a caller. */
  listed(databases: Rows<FlexDbRecord>): void;
  read(database: FlexDbRecord): void;
  /** Upstream answers 404. */
  missing(idOrCode: string): void;
}

declare module '../../operation/context.ts' {
  interface Context {
    readonly flex: FlexSource;
  }
}

/**
 * Client of the endpoints of the flex API that need authorization: databases and their records. It has one method for
 * each endpoint of the API's document. Each method rejects with a `GatewayError`, for a missing record with a
 * `NotFoundError`. A database is given by its id or its code.
 */
export class FlexSource {
  readonly #http: UpstreamSession;
  readonly #credentials: Credentials;
  readonly #watch: DatabaseWatch | undefined;

  constructor(http: UpstreamSession, credentials: Credentials, watch?: DatabaseWatch) {
    this.#http = http;
    this.#credentials = credentials;
    this.#watch = watch;
  }

  /** `GET /flex/dbs.json` */
  async databases(): Promise<Rows<FlexDbRecord>> {
    const databases = await this.#http.reads.list(this.#databasesRequest());
    this.#watch?.listed(databases);
    return databases;
  }

  /** `GET /flex/dbs/:id.json` */
  async database(id: string): Promise<FlexDbRecord> {
    const database = await this.#noting404(id, this.#http.reads.get(this.#databaseRequest(id), record));
    this.#watch?.read(database);
    return database;
  }

  /**
   * Reads databases by id or code: single reads, or one `GET /flex/dbs.json`.
   *
   * @returns one entry per id, in the order of `ids`: the database, null when it does not exist, an Error when the read failed
   */
  async databasesById(ids: readonly string[]): Promise<(FlexDbRecord | null | Error)[]> {
    const endpoints = { one: (id: string) => this.#databaseRequest(id), list: this.#databasesRequest() };
    const databases = await this.#http.batches.getByIds(ids, endpoints);
    for (const [index, database] of databases.entries()) {
      if (database === null) this.#watch?.missing(ids[index] ?? '');
      else if (!(database instanceof Error)) this.#watch?.read(database);
    }
    return databases;
  }

  /**
   * `GET /flex/dbs/:id.json` of no database: the credential is accepted. The list of databases may be large.
   * Not documented (A249): that the credential is looked at before a 404.
   *
   * @throws UnauthenticatedError for a credential that is missing or refused
   */
  async checkCredential(): Promise<void> {
    await this.#http.reads.probe(this.#databaseRequest('0')).catch(missingAsNull);
  }

  /** `POST /flex/dbs.json`. Without a record in the response, a database with a code is read by it. */
  async createDatabase(db: FlexDbFields): Promise<FlexDbRecord> {
    const lookByCode = db.code ? lookAt(this.#http.reads, this.#databaseRequest(db.code), record) : undefined;
    const request = this.#request(path`/flex/dbs.json`, 'db', { db });
    return this.#http.writes.record('POST', { request, sent: db, lookByCode });
  }

  /**
   * `PATCH /flex/dbs/:id.json`
   *
   * @param isId whether `idOrCode` is surely an id. After a response without a record, a database is read by its code
   * @param ifUnchanged for an id alone: the lock of a record has the name of its path
   */
  async updateDatabase(
    idOrCode: string,
    db: FlexDbFields,
    isId: boolean,
    ifUnchanged?: IfUnchanged,
  ): Promise<FlexDbRecord> {
    const request = this.#request(path`/flex/dbs/${idOrCode}.json`, 'db', { db });
    const precondition = ifUnchanged && recordAt(this.#http.reads, this.#databaseRequest(idOrCode), ifUnchanged);
    return this.#http.writes.record('PATCH', { request, sent: db, precondition, ...this.#target(idOrCode, isId) });
  }

  /**
   * `DELETE /flex/dbs/:id.json`: deletes the records of the database, too.
   *
   * @returns the id of the database that was deleted, where it is known
   */
  async deleteDatabase(id: string): Promise<string | undefined> {
    const request = this.#databaseRequest(id);
    return this.#http.writes.remove('DELETE', request, lookAt(this.#http.reads, request, record));
  }

  /** `PATCH /flex/dbs/:id/replace.json` */
  async replace(idOrCode: string, replacement: Replacement, isId: boolean): Promise<FlexDbRecord> {
    const request = this.#request(path`/flex/dbs/${idOrCode}/replace.json`, 'db', replacement);
    return this.#http.writes.record('PATCH', { request, sent: {}, ...this.#target(idOrCode, isId) });
  }

  /**
   * `GET /flex/dbs/:db_id/records.json`: all records of all tables.
   *
   * @param continues the id of the record that a page goes on from
   */
  async records(db: string, continues?: string): Promise<Rows<FlexRecordRecord>> {
    return this.#noting404(db, this.#http.reads.list({ ...this.#recordsRequest(db), continues }));
  }

  /** `POST /flex/dbs/:db_id/records.json` */
  async createRecord(db: string, fields: FlexRecordFields): Promise<FlexRecordRecord> {
    const request = this.#recordRequest(path`/flex/dbs/${{ db_id: db }}/records.json`, fields);
    return this.#http.writes.record('POST', { request, sent: fields });
  }

  /**
   * `PATCH /flex/dbs/:db_id/records/:id.json`: without `table_name` upstream moves the record to the null table.
   *
   * @param preconditionOf creates what must hold for it to be sent. It is given the read of all records, by a call of its own
   */
  async updateRecord(
    db: string,
    id: string,
    fields: FlexRecordFields,
    preconditionOf?: (readAll: () => Promise<Rows<UpstreamRecord>>) => Precondition,
  ): Promise<FlexRecordRecord> {
    const request = this.#recordRequest(path`/flex/dbs/${{ db_id: db }}/records/${id}.json`, fields);
    const { data: _mayBeMerged, ...known } = fields;
    const look = this.#lookAtRecord(db, id);
    const precondition = preconditionOf?.(async () => this.#http.reads.listAnew(this.#recordsRequest(db)));
    return this.#http.writes.record('PATCH', { request, sent: fields, known, id, look, precondition });
  }

  /** `DELETE /flex/dbs/:db_id/records/:id.json` */
  async deleteRecord(db: string, id: string): Promise<void> {
    const request = this.#recordRequest(path`/flex/dbs/${{ db_id: db }}/records/${id}.json`);
    await this.#http.writes.remove('DELETE', request, this.#lookAtRecord(db, id));
  }

  /** `GET /flex/dbs/:db_id/search.json`: upstream returns flat records and no total; this method nests the data. */
  async search(db: string, parameters: SearchParameters, { limit, offset }: Window): Promise<Rows<FoundRecord>> {
    const { filters, ...otherParameters } = parameters;
    const filterParameters = Object.fromEntries(
      Object.entries(filters).map(([field, value]) => [`filter[${field}]`, value]),
    );
    const query = { ...otherParameters, ...filterParameters, limit: String(limit), offset: String(offset) };
    const target = withQuery(path`/flex/dbs/${{ db_id: db }}/search.json`, query);
    const records = await this.#noting404(
      db,
      this.#http.reads.list({ ...this.#request(target, 'record'), isPart: true }),
    );
    return records.map(nestData);
  }

  async #noting404<T>(idOrCode: string, reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof NotFoundError) this.#watch?.missing(idOrCode);
      throw error;
    }
  }

  #target(idOrCode: string, isId: boolean) {
    const look = lookAt(this.#http.reads, this.#databaseRequest(idOrCode), record);
    return isId ? { id: idOrCode, look } : { code: idOrCode, look };
  }

  /** The API has no endpoint for a single record. */
  #lookAtRecord(db: string, id: string): Look {
    return lookInList(this.#http.reads, this.#recordsRequest(db), (found) => found.id === id);
  }

  #recordsRequest(db: string): Write {
    return this.#request(path`/flex/dbs/${{ db_id: db }}/records.json`, 'record');
  }

  #databasesRequest(): Write {
    return this.#request(path`/flex/dbs.json`, 'db');
  }

  #databaseRequest(idOrCode: string): Write {
    const asked = { code: idOrCode, ...(looksLikeId(idOrCode) && { id: idOrCode }) };
    return { ...this.#request(path`/flex/dbs/${idOrCode}.json`, 'db'), asked };
  }

  /** A write of one record, whose response may have the data at the level of the record. */
  #recordRequest(path: Path, fields?: FlexRecordFields): Write {
    return { ...this.#request(path, 'record', fields && { record: fields }), dataKey: 'data', kindOf: hasJsonData };
  }

  /** @param recordKey the key of the record in the document: the response may have the record inside it */
  #request(path: Path, recordKey: string, body?: object): Write {
    return { path, headers: this.#credentials.bearerHeaders(), body, recordKey };
  }
}
