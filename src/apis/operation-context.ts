import type { IncomingHttpHeaders } from 'node:http';
import { AccountSource } from './account/source.ts';
import type { ResponseCaches } from './response-caches.ts';
import type { Apis, CalledApi } from './apis.ts';
import type { ApiName } from '../config/apis.ts';
import type { Config } from '../config.ts';
import type { Caller, Context, Limits } from '../operation/context.ts';
import type { TypedBase } from '../typed-flex/changes/plan-effect.ts';
import { type CredentialHints, Credentials, noCredentials } from '../operation/credentials.ts';
import { CrmSource } from './crm/source.ts';
import { type ListEnds, PublicFlexSource } from './flex/public-source.ts';
import { type DatabaseWatch, FlexSource } from './flex/source.ts';
import { Visitor, type VisitorOptions } from './flex/visitor.ts';
import { ForumSource } from './forum/source.ts';
import type { Receipts } from '../idempotency/receipts.ts';
import { Notices, NOT_SENT_HEADER } from '../graph/notices.ts';
import { UnauthenticatedError } from '../errors.ts';
import { CredentialState } from '../calls/credential-states.ts';
import { OperationGenerations } from '../calls/cache/generations.ts';
import type { RecordTurns } from '../calls/preconditions/record-turns.ts';
import { PageLists } from '../calls/cache/response-cache.ts';
import type { SessionOperation, SessionOptions } from '../calls/exchange.ts';
import { UpstreamSession } from '../calls/session.ts';
import { WriteLedger } from '../calls/write-ledger.ts';
import type { AnswerMemory } from '../calls/transport/answer-memory.ts';
import { CallBudget } from '../calls/transport/call-budget.ts';
import { OperationTrace } from '../calls/transport/call-trace.ts';
import type { Departure } from '../calls/transport/departure.ts';
import { KeyedWrites } from '../idempotency/keyed-writes.ts';
import type { ReceiptNames } from '../idempotency/receipt-names.ts';

/** The services of operations that a program may lack. */
export interface OptionalServices {
  /** The kept answers, and the staleness tables of writes. Without them no answer is kept, and no reads share calls. */
  readonly answers?: ResponseCaches | undefined;
  /** The receipts of writes. Without them a write with an `Idempotency-Key` is refused. */
  readonly receipts?: Receipts | undefined;
  /** Complete the errors of credentials. */
  readonly hints?: CredentialHints | undefined;
  readonly startTrace?: StartTrace | undefined;
  /** For the effect of plans on the schema. */
  readonly typedBase?: TypedBase | undefined;
  /** Is told of databases that operations read. */
  readonly databaseWatch?: DatabaseWatch | undefined;
}

/** The values that the contexts of all operations share. */
export interface Shared extends OptionalServices {
  readonly config: Config;
  readonly apis: Apis;
  readonly memory: AnswerMemory;
  /** Of writes that must find their record unchanged. */
  readonly turns: RecordTurns;
  readonly limits: Limits;
  readonly crmSharesToken: boolean;
  readonly receiptNames: ReceiptNames;
  readonly onUnlistedCookie: VisitorOptions['onUnlisted'];
  /** Of public lists. */
  readonly listEnds: ListEnds;
}

/**
 * Starts the trace of an operation that is recorded.
 *
 * @param headers those of its caller
 * @param hasFields whether the trace has to know the fields, recorded or not
 * @returns undefined for an operation that needs no trace
 */
export type StartTrace = (headers: IncomingHttpHeaders, hasFields: boolean) => OperationTrace | undefined;

/** The header by which a caller asks for `extensions.trace`. */
const TRACE_HEADER = 'x-trivium-trace';

/** Creates each data source, ledger and list on first use: an operation rarely needs all of them. */
export class OperationContext implements Context, SessionOperation {
  readonly requestId: string;
  readonly budget: CallBudget;
  readonly keyed: KeyedWrites | undefined;
  statedNotices: Notices | undefined;
  readonly limits: Limits;
  readonly trace: OperationTrace | undefined;
  readonly hidesAdvice: boolean;
  readonly showsTrace: boolean;
  readonly shared = new Map<object, unknown>();
  readonly forumSharesIds: boolean;
  readonly typedBase: TypedBase | undefined;
  readonly gone: Departure;
  readonly #shared: Shared;
  readonly #caller: Caller;
  readonly #credentials: Credentials;
  /** Undefined when no answers are kept and no reads share calls. */
  readonly #generations: OperationGenerations | undefined;
  #writes: WriteLedger | undefined;
  #pages: PageLists | undefined;
  #account: AccountSource | undefined;
  #flex: FlexSource | undefined;
  #publicFlex: PublicFlexSource | undefined;
  #crm: CrmSource | undefined;
  #forum: ForumSource | undefined;
  readonly sessions: Partial<Record<ApiName, { forget(): void }>> = {};

  constructor(shared: Shared, caller: Caller) {
    const { config, memory, answers, limits, crmSharesToken, hints, startTrace } = shared;
    const timeoutMs = Math.min(config.OPERATION_TIMEOUT_MS, caller.timeoutMs ?? Infinity);
    this.budget = new CallBudget(config.MAX_UPSTREAM_CALLS, timeoutMs, memory);
    this.requestId = caller.requestId ?? '';
    this.limits = limits;
    this.hidesAdvice = config.NODE_ENV === 'production';
    this.showsTrace = config.TRACE === 'true' && caller.headers[TRACE_HEADER] === '1';
    this.trace = startTrace?.(caller.headers, this.showsTrace) ?? (this.showsTrace ? new OperationTrace() : undefined);
    if (caller.headers[NOT_SENT_HEADER] === '1') this.statedNotices = new Notices(true);
    this.forumSharesIds = config.FORUM_SHARES_IDS === 'true';
    this.typedBase = shared.typedBase;
    this.gone = caller.gone;
    this.#generations = answers && new OperationGenerations(answers.generations);
    this.#shared = shared;
    this.#caller = caller;
    this.#credentials = new Credentials(caller.headers, { crmSharesToken, hints });
    const key = caller.idempotencyKey;
    this.keyed = key === undefined ? undefined : new KeyedWrites(shared, key, this);
  }

  get writes(): WriteLedger {
    return (this.#writes ??= new WriteLedger());
  }

  get pages(): PageLists {
    return (this.#pages ??= new PageLists());
  }

  get notices(): Notices {
    return (this.statedNotices ??= new Notices(false));
  }

  get network(): string {
    return this.#caller.network ?? '';
  }

  /** The credentials that the caller has sent, by the API that takes them. */
  credentials(): { api: ApiName; credential: string }[] {
    return Object.values(this.#shared.apis).flatMap((api) => {
      const credential = this.#credentialOf(api);
      return credential === undefined ? [] : [{ api: api.name, credential }];
    });
  }

  #credentialOf(api: Pick<CalledApi<unknown>, 'credential' | 'upstream'>): string | undefined {
    try {
      return this.#credentialsFor(api)[api.credential.read]();
    } catch (error) {
      if (error instanceof UnauthenticatedError) return undefined;
      throw error;
    }
  }

  forbidSharing(): void {
    this.#generations?.forbid();
  }

  get onSecret(): Caller['onSecret'] {
    return () => this.#caller.onSecret();
  }

  get onLateWrite(): Caller['onLateWrite'] {
    return (call, outcome) => this.#caller.onLateWrite(call, outcome);
  }

  get turns(): RecordTurns {
    return this.#shared.turns;
  }

  get account(): AccountSource {
    const { account } = this.#shared.apis;
    return (this.#account ??= new AccountSource(this.#session(account), this.#credentialsFor(account)));
  }

  get flex(): FlexSource {
    const { apis, databaseWatch } = this.#shared;
    return (this.#flex ??= new FlexSource(this.#session(apis.flex), this.#credentialsFor(apis.flex), databaseWatch));
  }

  get publicFlex(): PublicFlexSource {
    if (this.#publicFlex) return this.#publicFlex;
    const { address, headers } = this.#caller;
    const setCookie = (header: string) => this.#caller.setCookie(header);
    const { config, onUnlistedCookie: onUnlisted } = this.#shared;
    const passing = config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie, onUnlisted });
    const session = this.#open(this.#shared.apis.flex, {
      credential: undefined,
      secrets: () => [...this.#credentials.secrets(), ...visitor.secrets()],
      credentialState: undefined,
      onAnswer: ({ setCookies }) => visitor.receive(setCookies),
    });
    return (this.#publicFlex = new PublicFlexSource(session, visitor, this.#shared.listEnds));
  }

  get crm(): CrmSource {
    const { crm } = this.#shared.apis;
    return (this.#crm ??= new CrmSource(this.#session(crm), this.#credentialsFor(crm)));
  }

  get forum(): ForumSource {
    const { forum } = this.#shared.apis;
    return (this.#forum ??= new ForumSource(this.#session(forum), this.#credentialsFor(forum)));
  }

  #credentialsFor({ upstream }: Pick<CalledApi<unknown>, 'upstream'>): Credentials {
    return upstream.hasAddress ? this.#credentials : noCredentials;
  }

  #session<Body>(api: CalledApi<Body>): UpstreamSession<Body> {
    const { header, read } = api.credential;
    const credentials = this.#credentialsFor(api);
    return (this.sessions[api.name] = this.#open(api, {
      credential: this.#credentials[header],
      secrets: () => this.#credentials.secrets(),
      credentialState: new CredentialState(api.credentials, () => credentials[read](), this.#generations),
      onAnswer: undefined,
    }));
  }

  #open<Body>(api: CalledApi<Body>, caller: CallerOptions<Body>): UpstreamSession<Body> {
    const { credential, secrets, credentialState, onAnswer } = caller;
    const trace = this.showsTrace ? this.trace?.session() : undefined;
    return new UpstreamSession<Body>({ api, operation: this, credential, secrets, credentialState, onAnswer, trace });
  }
}

/** The options of a session that depend on the caller's credential. */
type CallerOptions<Body> = Required<
  Pick<SessionOptions<Body>, 'credential' | 'secrets' | 'credentialState' | 'onAnswer'>
>;
