import type { IncomingHttpHeaders } from 'node:http';
import { AccountSource, accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { Credentials } from './credentials.ts';
import { CrmSource, crmApi } from './crm/source.ts';
import { ForumSource, forumApi } from './forum/source.ts';
import type { Api } from './http/api.ts';
import { PublicFlexSource } from './flex/public-source.ts';
import { FlexSource, flexApi } from './flex/source.ts';
import { Visitor } from './flex/visitor.ts';
import { CallBudget } from './http/budget.ts';
import { json } from './http/json.ts';
import type { UpstreamCall } from './http/errors.ts';
import { type SessionOptions, UpstreamSession, type WriteOutcome } from './http/session.ts';
import { Upstream } from './http/upstream.ts';
import { xml } from './http/xml.ts';

/** All that a resolver may reach. One per operation: no answer and no credential outlives its caller. */
export interface Context {
  readonly account: AccountSource;
  readonly flex: FlexSource;
  readonly publicFlex: PublicFlexSource;
  readonly crm: CrmSource;
  readonly forum: ForumSource;
  /** Whether a suggestion has one id in the forum and in the CRM. */
  readonly forumSharesIds: boolean;
  readonly budget: CallBudget;
  readonly limits: { readonly nodes: number; readonly entities: number; readonly pageSize: number };
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
  /** Aborted when the caller closes the connection before the response is complete. */
  readonly gone: AbortSignal;
  /** Told what became of a write that was sent before the caller left. */
  readonly onLateWrite: (call: UpstreamCall, outcome: WriteOutcome) => void;
}

/** The connections that operations share, and the contexts made over them. */
export class Upstreams {
  readonly #config: Config;
  readonly #account: Upstream;
  readonly #flex: Upstream;
  readonly #crm: Upstream;
  readonly #forum: Upstream;

  constructor(config: Config) {
    this.#config = config;
    this.#account = this.#upstream(accountApi, config.ACCOUNT_URL);
    this.#flex = this.#upstream(flexApi, config.FLEX_URL ?? config.ACCOUNT_URL);
    this.#crm = this.#upstream(crmApi, config.CRM_URL);
    this.#forum = this.#upstream(forumApi, config.FORUM_URL);
  }

  context({ headers, address, forbidStoring, setCookie, gone, onLateWrite }: Caller): Context {
    const config = this.#config;
    const credentials = new Credentials(headers, { crmSharesToken: sharesToken(config) });
    const budget = new CallBudget(config.MAX_UPSTREAM_CALLS);
    const passing = config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie });
    const maxList = { bytes: config.MAX_LIST_BYTES, setting: 'MAX_LIST_BYTES' };
    const maxJoinedList = { bytes: config.MAX_JOINED_LIST_BYTES, setting: 'MAX_JOINED_LIST_BYTES' };
    const common = {
      budget,
      gone,
      onLateWrite,
      maxRecord: { bytes: config.MAX_RECORD_BYTES, setting: 'MAX_RECORD_BYTES' },
      maxList,
      maxJoinedList: maxJoinedList.bytes < maxList.bytes ? maxJoinedList : maxList,
      batchReads: config.BATCH_READS,
      secrets: credentials.secrets(),
    };
    const session = (upstream: Upstream, more: Partial<SessionOptions<unknown>> = {}) =>
      new UpstreamSession({ ...common, upstream, format: json, credential: 'Authorization', ...more });
    const privateFlex = session(this.#flex);
    const publicFlex = session(this.#flex, {
      credential: undefined,
      onAnswer: ({ setCookies }) => visitor.receive(setCookies),
      onWrite: () => privateFlex.forget(), // they are the same records
    });
    // They are the same records, too: what one interface writes, the other reads anew.
    const crm = session(this.#crm, { credential: credentials.crmHeader, onWrite: () => forum.forget() });
    const forum = new UpstreamSession({
      ...common,
      upstream: this.#forum,
      format: xml,
      maxRecord: { bytes: config.MAX_XML_BYTES, setting: 'MAX_XML_BYTES' },
      credential: 'X-Forum-Authorization',
      onWrite: () => crm.forget(),
    });
    return {
      account: new AccountSource(session(this.#account), credentials),
      flex: new FlexSource(privateFlex, credentials),
      publicFlex: new PublicFlexSource(publicFlex, visitor),
      crm: new CrmSource(crm, credentials),
      forum: new ForumSource(forum, credentials),
      forumSharesIds: config.FORUM_SHARES_IDS === 'true',
      budget,
      limits: { nodes: config.MAX_NODES, entities: config.MAX_ENTITIES, pageSize: config.MAX_PAGE_SIZE },
      forbidStoring,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#account, this.#flex, this.#crm, this.#forum].map((upstream) => upstream.close()));
  }

  #upstream(api: Api, url: URL | undefined): Upstream {
    const {
      UPSTREAM_TIMEOUT_MS: timeoutMs,
      UPSTREAM_CONNECTIONS: connections,
      READS_AT_ONCE: readsAtOnce,
    } = this.#config;
    return new Upstream(api, { url, timeoutMs, connections, readsAtOnce });
  }
}

/** A token reaches a further origin only where a setting says so. */
export function sharesToken({ ACCOUNT_URL, CRM_URL, CRM_SHARES_TOKEN }: Config): boolean {
  return CRM_SHARES_TOKEN === 'true' || (ACCOUNT_URL !== undefined && ACCOUNT_URL.origin === CRM_URL?.origin);
}
