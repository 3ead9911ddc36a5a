import { AccountSource } from './account/source.ts';
import { type Apis, createApis, type SharedApi } from './apis.ts';
import type { Config } from './config.ts';
import type { Caller, Context, Limits } from './context.ts';
import { Credentials } from './credentials.ts';
import { CrmSource } from './crm/source.ts';
import { PublicFlexSource } from './flex/public-source.ts';
import { FlexSource } from './flex/source.ts';
import { Visitor } from './flex/visitor.ts';
import { ForumSource } from './forum/source.ts';
import { Notices, NOT_SENT_HEADER } from './graphql/notices.ts';
import type { XmlElement } from './http/formats/xml-document.ts';
import { CallerEndpoints } from './http/session/endpoint-breakers.ts';
import { CallerPause } from './http/session/pauses.ts';
import { type SessionOptions, UpstreamSession } from './http/session/session.ts';
import { OperationSharing, SharedReads } from './http/session/shared-reads.ts';
import { WriteLedger } from './http/session/write-ledger.ts';
import { CallBudget } from './http/transport/call-budget.ts';
import type { UpstreamChange } from './http/transport/breaker.ts';
import { Turns } from './http/transport/turns.ts';

/** The reads under way of all operations, by API. */
interface ReadsUnderWay {
  readonly account: SharedReads<unknown>;
  readonly flex: SharedReads<unknown>;
  readonly crm: SharedReads<unknown>;
  readonly forum: SharedReads<XmlElement>;
}

/** The values that the contexts of all operations share. */
interface Shared {
  readonly config: Config;
  readonly fieldNames: ReadonlySet<string>;
  readonly apis: Apis;
  /** Undefined when SHARE_READS is off. */
  readonly sharedReads: ReadsUnderWay | undefined;
  readonly limits: Limits;
  readonly crmSharesToken: boolean;
}

export interface UpstreamsOptions {
  /** The names of all fields of the schema: see `createRedactor`. */
  readonly fieldNames?: ReadonlySet<string>;
  /** Divide the work on responses. */
  readonly turns?: Turns;
  /** Called when an API or an endpoint is called no more because it failed too often, and when it is called again. */
  readonly onChange?: (change: UpstreamChange) => void;
}

/** The upstream APIs, for the life of the process. Creates the contexts of operations. */
export class Upstreams {
  readonly #shared: Shared;

  constructor(config: Config, options: UpstreamsOptions = {}) {
    const { fieldNames = new Set(), turns = new Turns(), onChange = () => {} } = options;
    this.#shared = {
      config,
      fieldNames,
      apis: createApis(config, turns, onChange),
      sharedReads: sharesReads(config) ? createSharedReads() : undefined,
      limits: limitsOf(config),
      crmSharesToken: sharesToken(config),
    };
  }

  /** Creates the context of one operation. */
  context(caller: Caller): Context {
    return new OperationContext(this.#shared, caller);
  }

  /** The state of each API that has an address, by its name: `open` while it is not called because it failed too often. */
  states(): Readonly<Record<string, 'ok' | 'open'>> {
    const states: Record<string, 'ok' | 'open'> = {};
    for (const { upstream } of Object.values(this.#shared.apis)) {
      if (upstream.state) states[upstream.api.name] = upstream.state;
    }
    return states;
  }

  /** Closes all connections and cancels the calls on them. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#shared.apis).map(({ upstream }) => upstream.close()));
  }
}

function createSharedReads(): ReadsUnderWay {
  return { account: new SharedReads(), flex: new SharedReads(), crm: new SharedReads(), forum: new SharedReads() };
}

function limitsOf(config: Config): Limits {
  return {
    nodes: config.MAX_NODES,
    entities: config.MAX_ENTITIES,
    pageSize: config.MAX_PAGE_SIZE,
    bulkItems: config.MAX_BULK,
    bulkMs: config.BULK_TIMEOUT_MS,
  };
}

/** Creates each data source on first use: an operation rarely needs all of them. */
class OperationContext implements Context {
  readonly budget: CallBudget;
  readonly writes = new WriteLedger();
  readonly notices: Notices;
  readonly limits: Limits;
  readonly loaders = new Map<object, unknown>();
  readonly forumSharesIds: boolean;
  readonly #shared: Shared;
  readonly #caller: Caller;
  readonly #credentials: Credentials;
  #sharingIsForbidden = false;
  #allCredentials: readonly string[] | undefined;
  #account: AccountSource | undefined;
  #flex: FlexSource | undefined;
  #publicFlex: PublicFlexSource | undefined;
  #crm: CrmSource | undefined;
  #forum: ForumSource | undefined;
  #flexSession: UpstreamSession | undefined;
  #crmSession: UpstreamSession | undefined;
  #forumSession: UpstreamSession<XmlElement> | undefined;

  constructor(shared: Shared, caller: Caller) {
    const { config, limits, crmSharesToken } = shared;
    const timeoutMs = Math.min(config.OPERATION_TIMEOUT_MS, caller.timeoutMs ?? Infinity);
    this.budget = new CallBudget(config.MAX_UPSTREAM_CALLS, timeoutMs);
    this.limits = limits;
    this.notices = new Notices(caller.headers[NOT_SENT_HEADER] === '1');
    this.forumSharesIds = config.FORUM_SHARES_IDS === 'true';
    this.#shared = shared;
    this.#caller = caller;
    this.#credentials = new Credentials(caller.headers, { crmSharesToken });
  }

  readonly forbidSharing = (): void => {
    this.#sharingIsForbidden = true;
  };

  get account(): AccountSource {
    if (this.#account) return this.#account;
    const { apis, sharedReads } = this.#shared;
    const sent = () => this.#credentials.bearer();
    const sharing = this.#sharing(sharedReads?.account, sent);
    const session = this.#session(apis.account, { credential: 'Authorization', sent, sharing });
    return (this.#account = new AccountSource(session, this.#credentials));
  }

  get flex(): FlexSource {
    if (this.#flex) return this.#flex;
    const { apis, sharedReads } = this.#shared;
    const sent = () => this.#credentials.bearer();
    const sharing = this.#sharing(sharedReads?.flex, sent);
    this.#flexSession = this.#session(apis.flex, { credential: 'Authorization', sent, sharing });
    return (this.#flex = new FlexSource(this.#flexSession, this.#credentials));
  }

  get publicFlex(): PublicFlexSource {
    if (this.#publicFlex) return this.#publicFlex;
    const { address, headers, setCookie } = this.#caller;
    const passing = this.#shared.config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie });
    const session = this.#session(this.#shared.apis.flex, {
      credential: undefined,
      sent: undefined,
      secrets: () => [...this.#credentials.secrets(), ...visitor.secrets()],
      onAnswer: ({ setCookies }) => visitor.receive(setCookies),
      onWrite: () => this.#flexSession?.reads.forget(), // both sessions read the same records
    });
    return (this.#publicFlex = new PublicFlexSource(session, visitor));
  }

  get crm(): CrmSource {
    if (this.#crm) return this.#crm;
    const { apis, sharedReads } = this.#shared;
    const sent = () => this.#credentials.crmToken();
    this.#crmSession = this.#session(apis.crm, {
      credential: this.#credentials.crmHeader,
      sent,
      sharing: this.#sharing(sharedReads?.crm, sent),
      onWrite: () => this.#forumSession?.reads.forget(), // the forum shows suggestions of the CRM
    });
    return (this.#crm = new CrmSource(this.#crmSession, this.#credentials));
  }

  get forum(): ForumSource {
    if (this.#forum) return this.#forum;
    const { apis, sharedReads } = this.#shared;
    const sent = () => this.#credentials.forumLogin();
    this.#forumSession = this.#session(apis.forum, {
      credential: 'X-Forum-Authorization',
      sent,
      sharing: this.#sharing(sharedReads?.forum, sent),
      onWrite: () => this.#crmSession?.reads.forget(),
    });
    return (this.#forum = new ForumSource(this.#forumSession, this.#credentials));
  }

  #sharing<Body>(reads: SharedReads<Body> | undefined, credential: () => string): OperationSharing<Body> | undefined {
    return reads && new OperationSharing(reads, credential, () => this.#sharingIsForbidden);
  }

  /** Lets nobody join the reads that were begun until now with any credential of this caller, at any API. */
  #forgetSharedReads(): void {
    const { sharedReads } = this.#shared;
    if (!sharedReads) return;
    const { account, flex, crm, forum } = sharedReads;
    this.#allCredentials ??= this.#credentials.all();
    for (const credential of this.#allCredentials) {
      account.forget(credential);
      flex.forget(credential);
      crm.forget(credential);
      forum.forget(credential);
    }
  }

  /** Names each option: spreading `api` would cost as much as sending a small request. */
  #session<Body>(api: SharedApi<Body>, own: OwnOptions<Body>): UpstreamSession<Body> {
    return new UpstreamSession<Body>({
      upstream: api.upstream,
      readCost: api.readCost,
      format: api.format,
      maxRecord: api.maxRecord,
      maxList: api.maxList,
      maxJoinedList: api.maxJoinedList,
      readsAtOnce: api.readsAtOnce,
      batchReads: api.batchReads,
      fieldNames: this.#shared.fieldNames,
      budget: this.budget,
      writes: this.writes,
      gone: this.#caller.gone,
      onLateWrite: this.#caller.onLateWrite,
      credential: own.credential,
      secrets: own.secrets ?? (() => this.#credentials.secrets()),
      pause: own.sent && new CallerPause(api.pauses, own.sent),
      endpoints: own.sent && new CallerEndpoints(api.endpoints, own.sent),
      sharing: own.sharing,
      onAnswer: own.onAnswer,
      onWriteBegin: () => this.#forgetSharedReads(),
      onWrite: () => {
        this.#forgetSharedReads();
        own.onWrite?.();
      },
    });
  }
}

/** The options of a session that depend on the data source. */
type OwnOptions<Body> = Pick<SessionOptions<Body>, 'credential' | 'sharing' | 'onAnswer' | 'onWrite'> &
  Partial<Pick<SessionOptions<Body>, 'secrets'>> & {
    /** Returns the credential that the requests carry. Undefined when they carry none. */
    readonly sent: (() => string) | undefined;
  };

/** Whether identical reads share calls. By default they do in one process: it sees each write that it must heed. */
function sharesReads({ SHARE_READS, WORKERS }: Config): boolean {
  return SHARE_READS === 'auto' ? WORKERS === 1 : SHARE_READS === 'true';
}

/** Whether the bearer token is sent to the CRM: when it has the origin of ACCOUNT_URL, or CRM_SHARES_TOKEN is true. */
export function sharesToken({ ACCOUNT_URL, CRM_URL, CRM_SHARES_TOKEN }: Config): boolean {
  return CRM_SHARES_TOKEN === 'true' || (ACCOUNT_URL !== undefined && ACCOUNT_URL.origin === CRM_URL?.origin);
}
