import { AccountSource, accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import type { Caller, Context } from './context.ts';
import { Credentials } from './credentials.ts';
import { CrmSource, crmApi } from './crm/source.ts';
import { PublicFlexSource } from './flex/public-source.ts';
import { FlexSource, flexApi } from './flex/source.ts';
import { Visitor } from './flex/visitor.ts';
import { ForumSource, forumApi } from './forum/source.ts';
import { Notices, NOT_SENT_HEADER } from './graphql/notices.ts';
import { json } from './http/formats/json.ts';
import type { XmlElement } from './http/formats/xml-document.ts';
import { xml } from './http/formats/xml.ts';
import { ReadCost } from './http/session/read-cost.ts';
import { type SessionOptions, UpstreamSession } from './http/session/session.ts';
import { WriteLedger } from './http/session/write-ledger.ts';
import { CallBudget } from './http/transport/exchange.ts';
import type { Api } from './http/transport/api.ts';
import { Upstream } from './http/transport/upstream.ts';

/** The state of one API that all operations share: its connections, and the measured times of its reads. */
interface SharedApi {
  readonly upstream: Upstream;
  readonly readCost: ReadCost;
}

type Apis = Readonly<Record<'account' | 'flex' | 'crm' | 'forum', SharedApi>>;

/** The upstream APIs, for the life of the process. Creates the contexts of operations. */
export class Upstreams {
  readonly #config: Config;
  readonly #apis: Apis;

  constructor(config: Config) {
    const { UPSTREAM_TIMEOUT_MS: timeoutMs, UPSTREAM_CONNECTIONS: connections, READS_AT_ONCE: readsAtOnce } = config;
    const createApi = (api: Api, url: URL | undefined): SharedApi => ({
      upstream: new Upstream(api, { url, timeoutMs, connections }),
      readCost: new ReadCost(readsAtOnce),
    });
    this.#config = config;
    this.#apis = {
      account: createApi(accountApi, config.ACCOUNT_URL),
      flex: createApi(flexApi, config.FLEX_URL ?? config.ACCOUNT_URL),
      crm: createApi(crmApi, config.CRM_URL),
      forum: createApi(forumApi, config.FORUM_URL),
    };
  }

  /** Creates the context of one operation. */
  context(caller: Caller): Context {
    return new OperationContext(this.#config, this.#apis, caller);
  }

  /** Closes all connections and cancels the calls on them. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#apis).map(({ upstream }) => upstream.close()));
  }
}

/** Creates each data source on first use: an operation rarely needs all of them. */
class OperationContext implements Context {
  readonly budget: CallBudget;
  readonly writes = new WriteLedger();
  readonly notices: Notices;
  readonly limits: Context['limits'];
  readonly forbidStoring: () => void;
  readonly forumSharesIds: boolean;
  readonly #config: Config;
  readonly #apis: Apis;
  readonly #caller: Caller;
  readonly #credentials: Credentials;
  #account: AccountSource | undefined;
  #flex: FlexSource | undefined;
  #publicFlex: PublicFlexSource | undefined;
  #crm: CrmSource | undefined;
  #forum: ForumSource | undefined;
  #flexSession: UpstreamSession | undefined;
  #crmSession: UpstreamSession | undefined;
  #forumSession: UpstreamSession<XmlElement> | undefined;

  constructor(config: Config, apis: Apis, caller: Caller) {
    this.budget = new CallBudget(config.MAX_UPSTREAM_CALLS);
    this.limits = {
      nodes: config.MAX_NODES,
      entities: config.MAX_ENTITIES,
      pageSize: config.MAX_PAGE_SIZE,
      bulkItems: config.MAX_BULK,
      bulkMs: config.BULK_TIMEOUT_MS,
    };
    this.forbidStoring = caller.forbidStoring;
    this.notices = new Notices(caller.headers[NOT_SENT_HEADER] === '1');
    this.forumSharesIds = config.FORUM_SHARES_IDS === 'true';
    this.#config = config;
    this.#apis = apis;
    this.#caller = caller;
    this.#credentials = new Credentials(caller.headers, { crmSharesToken: sharesToken(config) });
  }

  get account(): AccountSource {
    const session = () => new UpstreamSession({ ...this.#options(this.#apis.account), credential: 'Authorization' });
    return (this.#account ??= new AccountSource(session(), this.#credentials));
  }

  get flex(): FlexSource {
    this.#flexSession ??= new UpstreamSession({ ...this.#options(this.#apis.flex), credential: 'Authorization' });
    return (this.#flex ??= new FlexSource(this.#flexSession, this.#credentials));
  }

  get publicFlex(): PublicFlexSource {
    if (this.#publicFlex) return this.#publicFlex;
    const { address, headers, setCookie } = this.#caller;
    const passing = this.#config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie });
    const session = new UpstreamSession({
      ...this.#options(this.#apis.flex),
      credential: undefined,
      secrets: () => [...this.#credentials.secrets(), ...visitor.secrets()],
      onAnswer: ({ setCookies }) => visitor.receive(setCookies),
      onWrite: () => this.#flexSession?.reads.forget(), // both sessions read the same records
    });
    return (this.#publicFlex = new PublicFlexSource(session, visitor));
  }

  get crm(): CrmSource {
    this.#crmSession ??= new UpstreamSession({
      ...this.#options(this.#apis.crm),
      credential: this.#credentials.crmHeader,
      onWrite: () => this.#forumSession?.reads.forget(), // the forum shows suggestions of the CRM
    });
    return (this.#crm ??= new CrmSource(this.#crmSession, this.#credentials));
  }

  get forum(): ForumSource {
    this.#forumSession ??= new UpstreamSession<XmlElement>({
      ...this.#options(this.#apis.forum),
      format: xml,
      maxRecord: { bytes: this.#config.MAX_XML_BYTES, setting: 'MAX_XML_BYTES' },
      credential: 'X-Forum-Authorization',
      onWrite: () => this.#crmSession?.reads.forget(),
    });
    return (this.#forum ??= new ForumSource(this.#forumSession, this.#credentials));
  }

  #options(api: SharedApi): Omit<SessionOptions<unknown>, 'credential'> {
    const config = this.#config;
    const maxList = { bytes: config.MAX_LIST_BYTES, setting: 'MAX_LIST_BYTES' };
    const maxJoinedList = { bytes: config.MAX_JOINED_LIST_BYTES, setting: 'MAX_JOINED_LIST_BYTES' };
    return {
      ...api,
      format: json,
      budget: this.budget,
      writes: this.writes,
      gone: this.#caller.gone,
      onLateWrite: this.#caller.onLateWrite,
      maxRecord: { bytes: config.MAX_RECORD_BYTES, setting: 'MAX_RECORD_BYTES' },
      maxList,
      maxJoinedList: maxJoinedList.bytes < maxList.bytes ? maxJoinedList : maxList,
      readsAtOnce: config.READS_AT_ONCE,
      batchReads: config.BATCH_READS,
      secrets: () => this.#credentials.secrets(),
    };
  }
}

/** Whether the bearer token is sent to the CRM: when it has the origin of ACCOUNT_URL, or CRM_SHARES_TOKEN is true. */
export function sharesToken({ ACCOUNT_URL, CRM_URL, CRM_SHARES_TOKEN }: Config): boolean {
  return CRM_SHARES_TOKEN === 'true' || (ACCOUNT_URL !== undefined && ACCOUNT_URL.origin === CRM_URL?.origin);
}
