import type { IncomingHttpHeaders } from 'node:http';
import { AccountSource, accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { Credentials } from './credentials.ts';
import type { Api } from './http/api.ts';
import { CallBudget } from './http/budget.ts';
import { UpstreamSession } from './http/session.ts';
import { Upstream } from './http/upstream.ts';

/** All that a resolver may reach. One per operation: no answer and no credential outlives its caller. */
export interface Context {
  readonly account: AccountSource;
  readonly budget: CallBudget;
  readonly maxNodes: number;
  /** The answer will hold a secret: nobody on the way may store it. */
  readonly forbidStoring: () => void;
}

/** The connections that operations share, and the contexts made over them. */
export class Upstreams {
  readonly #config: Config;
  readonly #account: Upstream;

  constructor(config: Config) {
    this.#config = config;
    this.#account = this.#upstream(accountApi, config.ACCOUNT_URL);
  }

  /**
   * @param headers of the caller's request
   * @param forbidStoring marks the caller's response as `no-store`
   */
  context(headers: IncomingHttpHeaders, forbidStoring: () => void): Context {
    const credentials = new Credentials(headers);
    const budget = new CallBudget(this.#config.MAX_UPSTREAM_CALLS);
    const session = (upstream: Upstream) =>
      new UpstreamSession({
        upstream,
        budget,
        maxRecord: { bytes: this.#config.MAX_RECORD_BYTES, setting: 'MAX_RECORD_BYTES' },
        maxList: { bytes: this.#config.MAX_LIST_BYTES, setting: 'MAX_LIST_BYTES' },
        secrets: credentials.secrets(),
      });
    return {
      account: new AccountSource(session(this.#account), credentials),
      budget,
      maxNodes: this.#config.MAX_NODES,
      forbidStoring,
    };
  }

  async close(): Promise<void> {
    await this.#account.close();
  }

  #upstream(api: Api, url: URL | undefined): Upstream {
    const { UPSTREAM_TIMEOUT_MS: timeoutMs, UPSTREAM_CONNECTIONS: connections } = this.#config;
    return new Upstream(api, { url, timeoutMs, connections });
  }
}
