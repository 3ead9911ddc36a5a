import type { Credentials } from '../credentials.ts';
import type { Api } from '../http/transport/api.ts';
import { object, record, recordIfAny } from '../http/formats/decode.ts';
import { NotFoundError, ValidationError } from '../http/errors.ts';
import type { Write } from '../http/transport/exchange.ts';
import { type Path, path, withQuery } from '../http/transport/path.ts';
import type { UpstreamSession } from '../http/session/session.ts';
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

declare module '../context.ts' {
  interface Context {
    readonly account: AccountSource;
  }
}

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
    return this.#pages(path`/account/api_tokens.json`);
  }

  /** `GET /account/api_tokens.json?for_account=yes` */
  async accountApiTokens(): Promise<ApiTokenRecord[]> {
    return this.#pages(path`/account/api_tokens.json?for_account=yes`);
  }

  /** `GET /account/api_tokens/:id.json` */
  async apiToken(id: string): Promise<ApiTokenRecord> {
    return this.#http.reads.get(this.#apiToken(id), record);
  }

  /** Several tokens: by id, or from their list. */
  async apiTokensById(ids: readonly string[]): Promise<(ApiTokenRecord | null | Error)[]> {
    const list = this.#request(path`/account/api_tokens.json`);
    return this.#http.batches.getByIds(ids, { one: (id) => this.#apiToken(id), list });
  }

  /** `POST /account/api_tokens.json`: the one answer that holds the raw token. */
  async createApiToken(fields: ApiTokenFields): Promise<CreatedApiTokenRecord> {
    const request = this.#request(path`/account/api_tokens.json`, { api_token: fields });
    return this.#http.writes.write('POST', request, createdApiToken);
  }

  /** `PATCH /account/api_tokens/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateApiToken(id: string, fields: ApiTokenFields): Promise<ApiTokenRecord | null> {
    const request = this.#request(path`/account/api_tokens/${wholeNumberId(id)}.json`, { api_token: fields });
    return this.#http.writes.write('PATCH', request, recordIfAny);
  }

  /** `DELETE /account/api_tokens/:id.json`: upstream keeps a token of the whole account, and answers alike. */
  async deleteApiToken(id: string): Promise<void> {
    return this.#http.writes.writeWithoutBody('DELETE', this.#apiToken(id));
  }

  /** `GET /toolkit/dashboards.json` */
  async dashboards(context?: string): Promise<readonly DashboardRecord[]> {
    return this.#http.reads.list(this.#request(withQuery(path`/toolkit/dashboards.json`, { context })));
  }

  /** `GET /toolkit/dashboards/:id.json` */
  async dashboard(id: string): Promise<DashboardRecord> {
    return this.#http.reads.get(this.#dashboard(id), record);
  }

  /** Several dashboards: by id, or from their list. */
  async dashboardsById(ids: readonly string[]): Promise<(DashboardRecord | null | Error)[]> {
    const list = this.#request(path`/toolkit/dashboards.json`);
    return this.#http.batches.getByIds(ids, { one: (id) => this.#dashboard(id), list });
  }

  /** `POST /toolkit/dashboards.json`: the new dashboard becomes the selected one of its context. */
  async createDashboard(fields: DashboardFields): Promise<DashboardRecord> {
    const request = this.#request(path`/toolkit/dashboards.json`, { dashboard: fields });
    return this.#http.writes.write('POST', request, record);
  }

  /** `PATCH /toolkit/dashboards/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateDashboard(id: string, fields: DashboardFields): Promise<DashboardRecord | null> {
    const request = this.#request(path`/toolkit/dashboards/${wholeNumberId(id)}.json`, { dashboard: fields });
    return this.#http.writes.write('PATCH', request, recordIfAny);
  }

  /** `DELETE /toolkit/dashboards/:id.json` */
  async deleteDashboard(id: string): Promise<void> {
    return this.#http.writes.writeWithoutBody('DELETE', this.#dashboard(id));
  }

  /**
   * `PATCH /toolkit/dashboards/select.json`
   *
   * @param dashboardId a dashboard's number, `builtin`, or the empty string for the company's default
   */
  async selectDashboard(context: string, dashboardId: number | 'builtin' | ''): Promise<void> {
    const request = this.#request(path`/toolkit/dashboards/select.json`, { context, dashboard_id: dashboardId });
    return this.#http.writes.writeWithoutBody('PATCH', request);
  }

  /** `GET /toolkit/dashboards/widgets.json`: what the caller sees at this place. */
  async displayedDashboard(context: string): Promise<DisplayedDashboardAnswer> {
    const request = this.#request(withQuery(path`/toolkit/dashboards/widgets.json`, { context }));
    return this.#http.reads.get(request, displayedDashboard);
  }

  /** `GET /toolkit/dashboards/widget.json`: a `NotFoundError` when the tile is unavailable to the caller. */
  async dashboardWidget(key: string): Promise<DashboardWidgetAnswer> {
    return this.#http.reads.get(this.#request(withQuery(path`/toolkit/dashboards/widget.json`, { key })), object);
  }

  /** `POST /account/set_field.json`: its parameters are in the query, and there is no body. */
  async setField(key: string, actionType: string, value: string): Promise<void> {
    const target = withQuery(path`/account/set_field.json`, { key, action_type: actionType, value });
    return this.#http.writes.writeWithoutBody('POST', this.#request(target));
  }

  #apiToken(id: string): Write {
    return this.#request(path`/account/api_tokens/${wholeNumberId(id)}.json`);
  }

  #dashboard(id: string): Write {
    return this.#request(path`/toolkit/dashboards/${wholeNumberId(id)}.json`);
  }

  #request(path: Path, body?: object): Write {
    return { path, headers: { authorization: `Bearer ${this.#credentials.bearer()}` }, body };
  }

  /**
   * Not documented: pages. A sister API sends its tokens 25 at a time, and the last page again beyond the end, so
   * a first page of exactly 25 is followed until a page brings nothing new.
   */
  async #pages(list: Path): Promise<ApiTokenRecord[]> {
    const read = async (page?: string) => this.#http.reads.list(this.#request(withQuery(list, { page })));
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
