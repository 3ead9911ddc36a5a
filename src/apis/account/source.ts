import type { Credentials } from '../../operation/credentials.ts';
import type { Api } from '../../calls/transport/api.ts';
import { object, record } from '../../formats/decode.ts';
import type { KindOf } from '../../formats/same-values.ts';
import { GatewayError, missingAsNull, NotFoundError, NotReadError, ValidationError } from '../../errors.ts';
import { recordAt } from '../../calls/preconditions/precondition.ts';
import type { IfUnchanged, Write } from '../../calls/requests.ts';
import { idSegment, type Path, path, withQuery } from '../../calls/transport/path.ts';
import { Rows } from '../../formats/rows.ts';
import type { UpstreamSession } from '../../calls/session.ts';
import { type Look, lookAt, lookInList } from '../../calls/writer.ts';
import type {
  ApiTokenFields,
  ApiTokenRecord,
  CreatedApiTokenRecord,
  DashboardFields,
  DashboardRecord,
  DashboardWidgetAnswer,
  DisplayedDashboardAnswer,
} from './wire.ts';
import { dashboardSegment, parseDisplayedDashboard } from './wire.ts';

/** Name of the account API in errors and logs, and the setting that holds its address. */
export const accountApi: Api = { name: 'account', setting: 'ACCOUNT_URL' };

const TOKENS_PER_PAGE = 25;

declare module '../../operation/context.ts' {
  interface Context {
    readonly account: AccountSource;
  }
}

const expiryIsInstant: KindOf = (name) => (name === 'expires_at' ? 'instant' : undefined);

/**
 * Client of the account API: API tokens, dashboards and account fields. It has one method for each endpoint of the
 * API's document. Each method rejects with a `GatewayError`, for a missing record with a `NotFoundError`.
 */
export class AccountSource {
  readonly #http: UpstreamSession;
  readonly #credentials: Credentials;

  constructor(http: UpstreamSession, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** `GET /account/api_tokens.json`: the caller's tokens, of all pages. */
  async apiTokens(): Promise<Rows<ApiTokenRecord>> {
    return this.#allPages(path`/account/api_tokens.json`);
  }

  /** `GET /account/api_tokens.json?for_account=yes`: the tokens of the whole account, of all pages. */
  async accountApiTokens(): Promise<Rows<ApiTokenRecord>> {
    return this.#allPages(path`/account/api_tokens.json?for_account=yes`);
  }

  /** `GET /account/api_tokens/:id.json` */
  async apiToken(id: string): Promise<ApiTokenRecord> {
    return this.#http.reads.get(this.#apiTokenRequest(id), record);
  }

  /**
   * Reads tokens by id: single reads, or one `GET /account/api_tokens.json`.
   *
   * @returns one entry per id, in the order of `ids`: the token, null when it does not exist, an Error when the read failed
   */
  async apiTokensById(ids: readonly string[]): Promise<(ApiTokenRecord | null | Error)[]> {
    const list = this.#request(path`/account/api_tokens.json`, 'api_token');
    return this.#http.batches.getByIds(ids, { one: (id) => this.#apiTokenRequest(id), list });
  }

  /**
   * `POST /account/api_tokens.json`: the only response with the raw token, which is taken from wherever it stands. After a
   * success without a record, a token with a code is found in `GET /account/api_tokens.json`, without its raw value.
   */
  async createApiToken(fields: ApiTokenFields): Promise<CreatedApiTokenRecord> {
    const request = this.#request(path`/account/api_tokens.json`, 'api_token', { api_token: fields });
    const lookByCode = fields.code ? this.#lookByCode(fields.code) : undefined;
    return this.#http.writes.record('POST', { request, sent: fields, lookByCode, once: 'token' });
  }

  /** `PATCH /account/api_tokens/:id.json` */
  async updateApiToken(id: string, fields: ApiTokenFields): Promise<ApiTokenRecord> {
    const read = this.#apiTokenRequest(id);
    const request = { ...read, body: { api_token: fields } };
    return this.#http.writes.record('PATCH', {
      request,
      sent: fields,
      id,
      look: lookAt(this.#http.reads, read, record),
    });
  }

  /** `DELETE /account/api_tokens/:id.json`: upstream keeps a token of the whole account, with the same response. */
  async deleteApiToken(id: string): Promise<void> {
    const request = this.#apiTokenRequest(id);
    await this.#http.writes.remove('DELETE', request, lookAt(this.#http.reads, request, record));
  }

  /** `GET /toolkit/dashboards.json`: the dashboards of one context, or of all. */
  async dashboards(context?: string): Promise<Rows<DashboardRecord>> {
    return this.#http.reads.list(this.#request(withQuery(path`/toolkit/dashboards.json`, { context }), 'dashboard'));
  }

  /** `GET /toolkit/dashboards/:id.json` */
  async dashboard(id: string): Promise<DashboardRecord> {
    return this.#http.reads.get(this.#dashboardRequest(id), record);
  }

  /**
   * Reads dashboards by id: single reads, or one `GET /toolkit/dashboards.json`.
   *
   * @returns one entry per id, in the order of `ids`: the dashboard, null when it does not exist, an Error when the read failed
   */
  async dashboardsById(ids: readonly string[]): Promise<(DashboardRecord | null | Error)[]> {
    const list = this.#request(path`/toolkit/dashboards.json`, 'dashboard');
    return this.#http.batches.getByIds(ids, { one: (id) => this.#dashboardRequest(id), list });
  }

  /** `POST /toolkit/dashboards.json`: the new dashboard becomes the selected dashboard of the caller in its context. */
  async createDashboard(fields: DashboardFields): Promise<DashboardRecord> {
    const request = this.#request(path`/toolkit/dashboards.json`, 'dashboard', { dashboard: fields });
    const among = { list: this.#request(path`/toolkit/dashboards.json`, 'dashboard'), by: 'name' };
    return this.#http.writes.record('POST', { request, sent: fields, known: withoutLayout(fields), among });
  }

  /** `PATCH /toolkit/dashboards/:id.json` */
  async updateDashboard(id: string, fields: DashboardFields, ifUnchanged?: IfUnchanged): Promise<DashboardRecord> {
    const read = this.#dashboardRequest(id);
    const request = { ...read, body: { dashboard: fields } };
    return this.#http.writes.record('PATCH', {
      request,
      sent: fields,
      known: withoutLayout(fields),
      id,
      look: lookAt(this.#http.reads, read, record),
      precondition: ifUnchanged && recordAt(this.#http.reads, read, ifUnchanged),
    });
  }

  /** `DELETE /toolkit/dashboards/:id.json` */
  async deleteDashboard(id: string): Promise<void> {
    const request = this.#dashboardRequest(id);
    await this.#http.writes.remove('DELETE', request, lookAt(this.#http.reads, request, record));
  }

  /**
   * `PATCH /toolkit/dashboards/select.json`
   *
   * @param dashboardId a dashboard's id, as a number where it is one; `builtin` for the built-in layout, '' for the
   *   company default
   */
  async selectDashboard(context: string, dashboardId: number | string): Promise<void> {
    const body = { context, dashboard_id: dashboardId };
    const request = this.#request(path`/toolkit/dashboards/select.json`, 'dashboard', body);
    await this.#http.writes.change('PATCH', request, { fields: body });
  }

  /** `GET /toolkit/dashboards/widgets.json`: the dashboard that the caller sees in this context. */
  async displayedDashboard(context: string): Promise<DisplayedDashboardAnswer> {
    const request = this.#request(withQuery(path`/toolkit/dashboards/widgets.json`, { context }));
    return this.#http.reads.get(request, parseDisplayedDashboard);
  }

  /** `GET /toolkit/dashboards/widget.json`: a `NotFoundError` when the tile is unavailable to the caller. */
  async dashboardWidget(key: string): Promise<DashboardWidgetAnswer> {
    return this.#http.reads.get(this.#request(withQuery(path`/toolkit/dashboards/widget.json`, { key })), object);
  }

  /**
   * `GET /toolkit/dashboards/widget.json` of a small tile: the credential is accepted, also when the tile is unavailable.
   * Not documented (A249): that the credential is looked at before a 404.
   *
   * @throws UnauthenticatedError for a credential that is missing or refused
   */
  async checkCredential(): Promise<void> {
    const request = this.#request(withQuery(path`/toolkit/dashboards/widget.json`, { key: 'activity' }));
    await this.#http.reads.probe(request).catch(missingAsNull);
  }

  /** `POST /account/set_field.json`: the parameters are in the query; there is no body. */
  async setField(key: string, actionType: string, value: string): Promise<void> {
    const fields = { key, action_type: actionType, value };
    const target = withQuery(path`/account/set_field.json`, fields);
    await this.#http.writes.change('POST', this.#request(target), { fields });
  }

  #lookByCode(code: string): Look {
    const list = this.#request(path`/account/api_tokens.json`, 'api_token');
    return lookInList(this.#http.reads, list, (token: ApiTokenRecord) => token.code === code);
  }

  #apiTokenRequest(id: string): Write {
    return { ...this.#request(path`/account/api_tokens/${idSegment(id)}.json`, 'api_token'), asked: { id } };
  }

  #dashboardRequest(id: string): Write {
    return { ...this.#request(path`/toolkit/dashboards/${dashboardSegment(id)}.json`, 'dashboard'), asked: { id } };
  }

  /** @param recordKey the key of the record in the document: the response may have the record inside it */
  #request(path: Path, recordKey?: string, body?: object): Write {
    return { path, headers: this.#credentials.bearerHeaders(), body, recordKey, kindOf: expiryIsInstant };
  }

  /**
   * Not documented (A12): pages. A sister API sends its tokens 25 at a time, and the last page again beyond the end, so
   * after a full page the next one is read, until a page holds no new token. A page that cannot be read is a problem of the
   * list: those before it may be all there is.
   */
  async #allPages(list: Path): Promise<Rows<ApiTokenRecord>> {
    const readPage = async (page?: string) =>
      this.#http.reads.list({ ...this.#request(withQuery(list, { page }), 'api_token'), isPart: page !== undefined });
    const tokens = new Map<string, ApiTokenRecord>();
    const problems: GatewayError[] = [];
    const first: Rows<ApiTokenRecord> = await readPage();
    const { missing } = first;
    let page = first;
    for (let number = 2; page.length === 0 || page.some(({ id }) => !tokens.has(id)); number += 1) {
      problems.push(...page.problems.filter((problem) => problem !== missing?.problem));
      for (const token of page) if (!tokens.has(token.id)) tokens.set(token.id, token);
      if (page.length === 0 || page.total !== TOKENS_PER_PAGE) break;
      page = await readPage(String(number)).catch((error: unknown) => new Rows([], missingPage(error)));
    }
    const isComplete = tokens.size > first.length && tokens.size >= (missing?.total ?? 0);
    return new Rows([...tokens.values()], problems, undefined, isComplete ? undefined : missing);
  }
}

/** The fields that a dashboard has after a write. Its layout differs: upstream drops values, and makes ids for tiles. */
function withoutLayout({ layout: _changed, ...known }: DashboardFields): DashboardFields {
  return known;
}

/** The problem of a page that was not read. An upstream without pages may refuse the request for it: that is none. */
function missingPage(error: unknown): readonly GatewayError[] {
  if (error instanceof NotFoundError || error instanceof ValidationError) return [];
  if (error instanceof GatewayError)
    return [new NotReadError('The list may be longer, but its next page was not read.', error)];
  throw error;
}
