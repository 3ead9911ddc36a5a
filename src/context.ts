import type { IncomingHttpHeaders } from 'node:http';
import { AccountSource, accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { Credentials } from './credentials.ts';
import type { Api } from './http/api.ts';
import { PublicFlexSource } from './flex/public-source.ts';
import { FlexSource, flexApi } from './flex/source.ts';
import { Visitor } from './flex/visitor.ts';
import { CallBudget } from './http/budget.ts';
import { type SessionOptions, UpstreamSession } from './http/session.ts';
import { Upstream } from './http/upstream.ts';

/** All that a resolver may reach. One per operation: no answer and no credential outlives its caller. */
export interface Context {
  readonly account: AccountSource;
  readonly flex: FlexSource;
  readonly publicFlex: PublicFlexSource;
  readonly budget: CallBudget;
  readonly limits: { readonly nodes: number; readonly pageSize: number };
  /** The answer will hold a secret: nobody on the way may store it. */
  readonly forbidStoring: () => void;
}

/** Whoever sent a request, and what may be said back beside the answer. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** Their address, as far as it can be trusted. */
  readonly address: string;
  /** Marks the response as `no-store`. */
  readonly forbidStoring: () => void;
  /** Adds a `Set-Cookie` header to the response. */
  readonly setCookie: (header: string) => void;
}

/** The connections that operations share, and the contexts made over them. */
export class Upstreams {
  readonly #config: Config;
  readonly #account: Upstream;
  readonly #flex: Upstream;

  constructor(config: Config) {
    this.#config = config;
    this.#account = this.#upstream(accountApi, config.ACCOUNT_URL);
    this.#flex = this.#upstream(flexApi, config.FLEX_URL ?? config.ACCOUNT_URL);
  }

  context({ headers, address, forbidStoring, setCookie }: Caller): Context {
    const credentials = new Credentials(headers);
    const budget = new CallBudget(this.#config.MAX_UPSTREAM_CALLS);
    const passing = this.#config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie });
    const session = (upstream: Upstream, more: Partial<SessionOptions> = {}) =>
      new UpstreamSession({
        upstream,
        budget,
        maxRecord: { bytes: this.#config.MAX_RECORD_BYTES, setting: 'MAX_RECORD_BYTES' },
        maxList: { bytes: this.#config.MAX_LIST_BYTES, setting: 'MAX_LIST_BYTES' },
        secrets: credentials.secrets(),
        ...more,
      });
    const privateFlex = session(this.#flex);
    const publicFlex = session(this.#flex, {
      onAnswer: ({ setCookies }) => visitor.receive(setCookies),
      onWrite: () => privateFlex.forget(), // they are the same records
    });
    return {
      account: new AccountSource(session(this.#account), credentials),
      flex: new FlexSource(privateFlex, credentials),
      publicFlex: new PublicFlexSource(publicFlex, visitor),
      budget,
      limits: { nodes: this.#config.MAX_NODES, pageSize: this.#config.MAX_PAGE_SIZE },
      forbidStoring,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#account.close(), this.#flex.close()]);
  }

  #upstream(api: Api, url: URL | undefined): Upstream {
    const { UPSTREAM_TIMEOUT_MS: timeoutMs, UPSTREAM_CONNECTIONS: connections } = this.#config;
    return new Upstream(api, { url, timeoutMs, connections });
  }
}
