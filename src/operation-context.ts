import type { IncomingHttpHeaders } from 'node:http';
import { AccountSource } from './account/source.ts';
import type { Answers } from './answers/answers.ts';
import type { Apis, SharedApi } from './apis.ts';
import type { Config } from './config.ts';
import type { Caller, Context, Limits } from './context.ts';
import type { TypedBase } from './typed-flex/changes/plan-effect.ts';
import { type CredentialHints, Credentials, noCredentials } from './credentials.ts';
import { CrmSource } from './crm/source.ts';
import { PublicFlexSource } from './flex/public-source.ts';
import { type DatabaseWatch, FlexSource } from './flex/source.ts';
import { Visitor } from './flex/visitor.ts';
import { ForumSource } from './forum/source.ts';
import { Notices, NOT_SENT_HEADER } from './graphql/notices.ts';
import type { XmlElement } from './http/formats/xml-document.ts';
import { type AnswerCache, CallerAnswers } from './http/session/answer-cache.ts';
import { CallerEndpoints } from './http/session/endpoint-breakers.ts';
import { OperationGenerations } from './http/session/generations.ts';
import { CallerPause } from './http/session/pauses.ts';
import { type SessionOptions, UpstreamSession } from './http/session/session.ts';
import { OperationSharing, type SharedReads } from './http/session/shared-reads.ts';
import { WriteLedger } from './http/session/write-ledger.ts';
import { CallBudget } from './http/transport/call-budget.ts';
import { OperationTrace } from './http/transport/call-trace.ts';
import { OperationTexts } from './lists/operation-texts.ts';

/** The reads under way of all operations, by API. */
export interface ReadsUnderWay {
  readonly account: SharedReads<unknown>;
  readonly flex: SharedReads<unknown>;
  readonly crm: SharedReads<unknown>;
  readonly forum: SharedReads<XmlElement>;
}

/** The values that the contexts of all operations share. */
export interface Shared {
  readonly config: Config;
  readonly isFieldName: (name: string) => boolean;
  readonly apis: Apis;
  /** Undefined when SHARE_READS is off. */
  readonly sharedReads: ReadsUnderWay | undefined;
  /** Undefined when no answers are kept and no reads share calls. */
  readonly answers: Answers | undefined;
  readonly limits: Limits;
  readonly crmSharesToken: boolean;
  readonly hints: CredentialHints | undefined;
  readonly startTrace: StartTrace | undefined;
  readonly typedBase: TypedBase | undefined;
  /** Undefined unless definitions of databases are known. */
  readonly databaseWatch: DatabaseWatch | undefined;
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

/** Creates each data source on first use: an operation rarely needs all of them. */
export class OperationContext implements Context {
  readonly requestId: string;
  readonly budget: CallBudget;
  readonly writes = new WriteLedger();
  readonly notices: Notices;
  readonly limits: Limits;
  readonly trace: OperationTrace | undefined;
  readonly hidesAdvice: boolean;
  readonly showsTrace: boolean;
  readonly loaders = new Map<object, unknown>();
  readonly forumSharesIds: boolean;
  readonly typedBase: TypedBase | undefined;
  readonly #shared: Shared;
  readonly #caller: Caller;
  readonly #credentials: Credentials;
  #sharingIsForbidden = false;
  #texts: OperationTexts | undefined;
  #generations: OperationGenerations | undefined;
  #account: AccountSource | undefined;
  #flex: FlexSource | undefined;
  #publicFlex: PublicFlexSource | undefined;
  #crm: CrmSource | undefined;
  #forum: ForumSource | undefined;
  #flexSession: UpstreamSession | undefined;
  #crmSession: UpstreamSession | undefined;
  #forumSession: UpstreamSession<XmlElement> | undefined;

  constructor(shared: Shared, caller: Caller) {
    const { config, limits, crmSharesToken, hints, startTrace } = shared;
    const timeoutMs = Math.min(config.OPERATION_TIMEOUT_MS, caller.timeoutMs ?? Infinity);
    this.budget = new CallBudget(config.MAX_UPSTREAM_CALLS, timeoutMs);
    this.requestId = caller.requestId ?? '';
    this.limits = limits;
    this.hidesAdvice = config.NODE_ENV === 'production';
    this.showsTrace = config.TRACE === 'true' && caller.headers[TRACE_HEADER] === '1';
    this.trace = startTrace?.(caller.headers, this.showsTrace) ?? (this.showsTrace ? new OperationTrace() : undefined);
    this.notices = new Notices(caller.headers[NOT_SENT_HEADER] === '1');
    this.forumSharesIds = config.FORUM_SHARES_IDS === 'true';
    this.typedBase = shared.typedBase;
    this.#shared = shared;
    this.#caller = caller;
    this.#credentials = new Credentials(caller.headers, { crmSharesToken, hints });
  }

  readonly forbidSharing = (): void => {
    this.#sharingIsForbidden = true;
  };

  get texts(): OperationTexts {
    return (this.#texts ??= new OperationTexts());
  }

  get account(): AccountSource {
    if (this.#account) return this.#account;
    const { apis, sharedReads, answers } = this.#shared;
    const credentials = this.#credentialsFor(apis.account);
    const sent = () => credentials.bearer();
    const session = this.#session(apis.account, {
      name: 'account',
      credential: 'Authorization',
      sent,
      sharing: this.#sharing('account', sharedReads?.account, sent),
      answers: this.#answers(answers?.account, sent),
    });
    return (this.#account = new AccountSource(session, credentials));
  }

  get flex(): FlexSource {
    if (this.#flex) return this.#flex;
    const { apis, sharedReads, answers } = this.#shared;
    const credentials = this.#credentialsFor(apis.flex);
    const sent = () => credentials.bearer();
    this.#flexSession = this.#session(apis.flex, {
      name: 'flex',
      credential: 'Authorization',
      sent,
      sharing: this.#sharing('flex', sharedReads?.flex, sent),
      answers: this.#answers(answers?.flex, sent),
    });
    return (this.#flex = new FlexSource(this.#flexSession, credentials, this.#shared.databaseWatch));
  }

  get publicFlex(): PublicFlexSource {
    if (this.#publicFlex) return this.#publicFlex;
    const { address, headers, setCookie } = this.#caller;
    const passing = this.#shared.config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie });
    const session = this.#session(this.#shared.apis.flex, {
      name: 'flex',
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
    const { apis, sharedReads, answers } = this.#shared;
    const credentials = this.#credentialsFor(apis.crm);
    const sent = () => credentials.crmToken();
    this.#crmSession = this.#session(apis.crm, {
      name: 'crm',
      credential: this.#credentials.crmHeader,
      sent,
      sharing: this.#sharing('crm', sharedReads?.crm, sent),
      answers: this.#answers(answers?.crm, sent),
      onWrite: () => this.#forumSession?.reads.forget(), // the forum shows suggestions of the CRM
    });
    return (this.#crm = new CrmSource(this.#crmSession, credentials));
  }

  get forum(): ForumSource {
    if (this.#forum) return this.#forum;
    const { apis, sharedReads, answers } = this.#shared;
    const credentials = this.#credentialsFor(apis.forum);
    const sent = () => credentials.forumLogin();
    this.#forumSession = this.#session(apis.forum, {
      name: 'forum',
      credential: 'X-Forum-Authorization',
      sent,
      sharing: this.#sharing('forum', sharedReads?.forum, sent),
      answers: this.#answers(answers?.forum, sent),
      onWrite: () => this.#crmSession?.reads.forget(),
    });
    return (this.#forum = new ForumSource(this.#forumSession, credentials));
  }

  #credentialsFor({ upstream }: SharedApi<unknown> | SharedApi<XmlElement>): Credentials {
    return upstream.hasAddress ? this.#credentials : noCredentials;
  }

  #sharing<Body>(
    api: ApiName,
    reads: SharedReads<Body> | undefined,
    credential: () => string,
  ): OperationSharing<Body> | undefined {
    const { answers } = this.#shared;
    if (!answers || !reads) return undefined;
    const subjects = answers.subjects[api];
    const generations = this.#generationsOf(answers);
    const generationOf = (endpoint: string) => {
      const shown = this.#sharingIsForbidden ? undefined : subjects.get(endpoint);
      return shown && generations.of(shown);
    };
    return new OperationSharing(reads, credential, generationOf);
  }

  #answers<Body>(cache: AnswerCache<Body> | undefined, credential: () => string): CallerAnswers<Body> | undefined {
    const { answers } = this.#shared;
    if (!answers || !cache) return undefined;
    return new CallerAnswers(cache, this.#generationsOf(answers), credential, () => this.#sharingIsForbidden);
  }

  #generationsOf({ generations }: Answers): OperationGenerations {
    return (this.#generations ??= new OperationGenerations(generations));
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
      isFieldName: this.#shared.isFieldName,
      budget: this.budget,
      writes: this.writes,
      gone: this.#caller.gone,
      onLateWrite: this.#caller.onLateWrite,
      credential: own.credential,
      secrets: own.secrets ?? (() => this.#credentials.secrets()),
      pause: own.sent && new CallerPause(api.pauses, own.sent),
      endpoints: own.sent && new CallerEndpoints(api.endpoints, own.sent),
      sharing: own.sharing,
      trace: this.showsTrace ? this.trace?.session() : undefined,
      answers: own.answers,
      onAnswer: own.onAnswer,
      onWriteBegin: (endpoint) => void this.#shared.answers?.forget(own.name, endpoint),
      onWrite: (endpoint) => {
        own.onWrite?.();
        return this.#shared.answers?.forget(own.name, endpoint);
      },
    });
  }
}

type ApiName = keyof ReadsUnderWay;

/** The options of a session that depend on the data source. */
type OwnOptions<Body> = Pick<SessionOptions<Body>, 'credential' | 'sharing' | 'answers' | 'onAnswer'> &
  Partial<Pick<SessionOptions<Body>, 'secrets'>> & {
    /** The API. */
    readonly name: ApiName;
    /** Called after each write: another session may have read the changed records. */
    readonly onWrite?: () => void;
    /** Returns the credential that the requests carry. Undefined when they carry none. */
    readonly sent: (() => string) | undefined;
  };
