import type { Credentials } from '../credentials.ts';
import type { Api } from '../http/api.ts';
import { object, record, recordIfAny, type UpstreamRecord } from '../http/decode.ts';
import { NotFoundError, ValidationError } from '../http/errors.ts';
import { path } from '../http/path.ts';
import type { UpstreamSession } from '../http/session.ts';
import type {
  ApiTokenFields,
  ApiTokenRecord,
  CreatedApiTokenRecord,
  DashboardFields,
  DashboardRecord,
  DashboardWidgetAnswer,
  DisplayedDashboardAnswer,
} from './wire.ts';
import { createdApiToken, displayedDashboard, wholeNumberId } from './wire.ts';

export const accountApi: Api = { name: 'account', setting: 'ACCOUNT_URL' };

/**
 * The account API: API tokens, dashboards and account fields. One method per endpoint of its document; each
 * rejects with a `GatewayError`. A record is nowhere null: one that is missing is a `NotFoundError`.
 */
export class AccountSource {
  readonly #http: UpstreamSession;
  readonly #credentials: Credentials;

  constructor(http: UpstreamSession, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** `GET /account/api_tokens.json` */
  async apiTokens(): Promise<ApiTokenRecord[]> {
    return this.#pages((page) =>
      this.#http.list({ path: path`/account/api_tokens.json`, ...this.#auth(), query: { page } }),
    );
  }

  /** `GET /account/api_tokens.json?for_account=yes` */
  async accountApiTokens(): Promise<ApiTokenRecord[]> {
    return this.#pages((page) =>
      this.#http.list({ path: path`/account/api_tokens.json?for_account=yes`, ...this.#auth(), query: { page } }),
    );
  }

  /** `GET /account/api_tokens/:id.json` */
  async apiToken(id: string): Promise<ApiTokenRecord> {
    return this.#http.get({ ...this.#apiToken(id), as: record });
  }

  /** Several of them: by id, or from their list. */
  async apiTokensById(ids: readonly string[]): Promise<(ApiTokenRecord | null | Error)[]> {
    const list = { path: path`/account/api_tokens.json`, ...this.#auth() };
    return this.#http.many(ids, { one: (id) => this.#apiToken(id), list });
  }

  /** `POST /account/api_tokens.json`: the one answer that holds the raw token. */
  async createApiToken(fields: ApiTokenFields): Promise<CreatedApiTokenRecord> {
    const body = { api_token: fields };
    return this.#http.post(path`/account/api_tokens.json`, { ...this.#auth(), body, as: createdApiToken });
  }

  /** `PATCH /account/api_tokens/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateApiToken(id: string, fields: ApiTokenFields): Promise<ApiTokenRecord | null> {
    const body = { api_token: fields };
    return this.#http.patch(path`/account/api_tokens/${wholeNumberId(id)}.json`, {
      ...this.#auth(),
      body,
      as: recordIfAny,
    });
  }

  /** `DELETE /account/api_tokens/:id.json`: upstream keeps a token of the whole account, and answers alike. */
  async deleteApiToken(id: string): Promise<void> {
    return this.#http.send('DELETE', path`/account/api_tokens/${wholeNumberId(id)}.json`, this.#auth());
  }

  /** `GET /toolkit/dashboards.json` */
  async dashboards(context?: string): Promise<readonly DashboardRecord[]> {
    return this.#http.list({ path: path`/toolkit/dashboards.json`, ...this.#auth(), query: { context } });
  }

  /** `GET /toolkit/dashboards/:id.json` */
  async dashboard(id: string): Promise<DashboardRecord> {
    return this.#http.get({ ...this.#dashboard(id), as: record });
  }

  /** Several of them: by id, or from their list. */
  async dashboardsById(ids: readonly string[]): Promise<(DashboardRecord | null | Error)[]> {
    const list = { path: path`/toolkit/dashboards.json`, ...this.#auth() };
    return this.#http.many(ids, { one: (id) => this.#dashboard(id), list });
  }

  /** `POST /toolkit/dashboards.json`: the new dashboard becomes the selected one of its context. */
  async createDashboard(fields: DashboardFields): Promise<DashboardRecord> {
    const body = { dashboard: fields };
    return this.#http.post(path`/toolkit/dashboards.json`, { ...this.#auth(), body, as: record });
  }

  /** `PATCH /toolkit/dashboards/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateDashboard(id: string, fields: DashboardFields): Promise<DashboardRecord | null> {
    const body = { dashboard: fields };
    return this.#http.patch(path`/toolkit/dashboards/${wholeNumberId(id)}.json`, {
      ...this.#auth(),
      body,
      as: recordIfAny,
    });
  }

  /** `DELETE /toolkit/dashboards/:id.json` */
  async deleteDashboard(id: string): Promise<void> {
    return this.#http.send('DELETE', path`/toolkit/dashboards/${wholeNumberId(id)}.json`, this.#auth());
  }

  /**
   * `PATCH /toolkit/dashboards/select.json`
   *
   * @param dashboardId a dashboard's number, `builtin`, or the empty string for the company's default
   */
  async selectDashboard(context: string, dashboardId: number | 'builtin' | ''): Promise<void> {
    const body = { context, dashboard_id: dashboardId };
    return this.#http.send('PATCH', path`/toolkit/dashboards/select.json`, { ...this.#auth(), body });
  }

  /** `GET /toolkit/dashboards/widgets.json`: what the caller sees at this place. */
  async displayedDashboard(context: string): Promise<DisplayedDashboardAnswer> {
    const query = { context };
    return this.#http.get({
      path: path`/toolkit/dashboards/widgets.json`,
      ...this.#auth(),
      query,
      as: displayedDashboard,
    });
  }

  /** `GET /toolkit/dashboards/widget.json`: a `NotFoundError` when the tile is unavailable to the caller. */
  async dashboardWidget(key: string): Promise<DashboardWidgetAnswer> {
    return this.#http.get({ path: path`/toolkit/dashboards/widget.json`, ...this.#auth(), query: { key }, as: object });
  }

  /** `POST /account/set_field.json`: its parameters are in the query, and there is no body. */
  async setField(key: string, actionType: string, value: string): Promise<void> {
    const query = { key, action_type: actionType, value };
    return this.#http.send('POST', path`/account/set_field.json`, { ...this.#auth(), query });
  }

  #apiToken(id: string) {
    return { path: path`/account/api_tokens/${wholeNumberId(id)}.json`, ...this.#auth() };
  }

  #dashboard(id: string) {
    return { path: path`/toolkit/dashboards/${wholeNumberId(id)}.json`, ...this.#auth() };
  }

  #auth() {
    return { headers: { authorization: `Bearer ${this.#credentials.bearer()}` } };
  }

  /**
   * Not documented: pages. A sister API sends its tokens 25 at a time, and the last page again beyond the end, so
   * a first page of exactly 25 is followed until a page brings nothing new.
   */
  async #pages(read: (page?: string) => Promise<readonly UpstreamRecord[]>): Promise<ApiTokenRecord[]> {
    const found = new Map((await read()).map((token) => [token.id, token]));
    for (let page = 2; found.size === (page - 1) * 25; page += 1) {
      for (const token of await read(String(page)).catch(noSuchPage)) found.set(token.id, token);
    }
    return [...found.values()];
  }
}

/** An upstream without pages may refuse to be asked for one. */
function noSuchPage(error: unknown): [] {
  if (error instanceof NotFoundError || error instanceof ValidationError) return [];
  throw error;
}
