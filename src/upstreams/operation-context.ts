import type { IncomingHttpHeaders } from 'node:http';
import { AccountSource } from '../account/source.ts';
import type { ResponseCaches } from '../response-cache/response-caches.ts';
import type { ApiName, Apis, BodyOf } from './apis.ts';
import type { Config } from '../config.ts';
import type { Caller, Context, Limits } from '../operation/context.ts';
import type { TypedBase } from '../typed-flex/changes/plan-effect.ts';
import { type CredentialHints, Credentials, noCredentials } from '../operation/credentials.ts';
import { CrmSource } from '../crm/source.ts';
import { PublicFlexSource } from '../flex/public-source.ts';
import { type DatabaseWatch, FlexSource } from '../flex/source.ts';
import { Visitor } from '../flex/visitor.ts';
import { ForumSource } from '../forum/source.ts';
import { Notices, NOT_SENT_HEADER } from '../graphql/notices.ts';
import type { XmlElement } from '../http/formats/xml-document.ts';
import { CredentialState } from '../http/session/credential-states.ts';
import { OperationGenerations } from '../http/session/generations.ts';
import type { SessionOperation, SharedApi } from '../http/session/session-options.ts';
import { UpstreamSession } from '../http/session/session.ts';
import { WriteLedger } from '../http/session/write-ledger.ts';
import { CallBudget } from '../http/transport/call-budget.ts';
import { OperationTrace, type SessionTrace } from '../http/transport/call-trace.ts';
import type { Departure } from '../http/transport/departure.ts';
import { OperationTexts } from '../lists/operation-texts.ts';

/** The values that the contexts of all operations share. */
export interface Shared {
  readonly config: Config;
  readonly apis: Apis;
  /** Undefined when no answers are kept and no reads share calls. */
  readonly answers: ResponseCaches | undefined;
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
export class OperationContext implements Context, SessionOperation {
  readonly requestId: string;
  readonly budget: CallBudget;
  readonly writes = new WriteLedger();
  readonly notices: Notices;
  readonly limits: Limits;
  readonly trace: OperationTrace | undefined;
  readonly hidesAdvice: boolean;
  readonly showsTrace: boolean;
  readonly shared = new Map<object, unknown>();
  readonly forumSharesIds: boolean;
  readonly typedBase: TypedBase | undefined;
  readonly gone: Departure;
  readonly onLateWrite: Caller['onLateWrite'];
  readonly #shared: Shared;
  readonly #caller: Caller;
  readonly #credentials: Credentials;
  /** Undefined when no answers are kept and no reads share calls. */
  readonly #generations: OperationGenerations | undefined;
  #texts: OperationTexts | undefined;
  #account: AccountSource | undefined;
  #flex: FlexSource | undefined;
  #publicFlex: PublicFlexSource | undefined;
  #crm: CrmSource | undefined;
  #forum: ForumSource | undefined;
  #flexSession: UpstreamSession | undefined;
  #crmSession: UpstreamSession | undefined;
  #forumSession: UpstreamSession<XmlElement> | undefined;

  constructor(shared: Shared, caller: Caller) {
    const { config, answers, limits, crmSharesToken, hints, startTrace } = shared;
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
    this.gone = caller.gone;
    this.onLateWrite = caller.onLateWrite;
    this.#generations = answers && new OperationGenerations(answers.generations);
    this.#shared = shared;
    this.#caller = caller;
    this.#credentials = new Credentials(caller.headers, { crmSharesToken, hints });
  }

  readonly forbidSharing = (): void => {
    this.#generations?.forbid();
  };

  get texts(): OperationTexts {
    return (this.#texts ??= new OperationTexts());
  }

  get account(): AccountSource {
    if (this.#account) return this.#account;
    const credentials = this.#credentialsFor('account');
    const session = this.#session('account', 'Authorization', () => credentials.bearer());
    return (this.#account = new AccountSource(session, credentials));
  }

  get flex(): FlexSource {
    if (this.#flex) return this.#flex;
    const credentials = this.#credentialsFor('flex');
    this.#flexSession = this.#session('flex', 'Authorization', () => credentials.bearer());
    return (this.#flex = new FlexSource(this.#flexSession, credentials, this.#shared.databaseWatch));
  }

  get publicFlex(): PublicFlexSource {
    if (this.#publicFlex) return this.#publicFlex;
    const { address, headers, setCookie } = this.#caller;
    const passing = this.#shared.config.FLEX_COOKIES;
    const visitor = new Visitor({ address, cookies: headers.cookie ?? '', passing, setCookie });
    const session = new UpstreamSession({
      api: this.#shared.apis.flex,
      operation: this,
      credential: undefined,
      secrets: () => [...this.#credentials.secrets(), ...visitor.secrets()],
      trace: this.#sessionTrace(),
      onAnswer: ({ setCookies }) => visitor.receive(setCookies),
      onWriteBegin: (endpoint) => void this.#shared.answers?.forget('flex', endpoint),
      onWrite: (endpoint) => {
        this.#flexSession?.reads.forget(); // both sessions read the same records
        return this.#shared.answers?.forget('flex', endpoint);
      },
    });
    return (this.#publicFlex = new PublicFlexSource(session, visitor));
  }

  get crm(): CrmSource {
    if (this.#crm) return this.#crm;
    const credentials = this.#credentialsFor('crm');
    const forgetForum = () => this.#forumSession?.reads.forget(); // the forum shows suggestions of the CRM
    this.#crmSession = this.#session('crm', this.#credentials.crmHeader, () => credentials.crmToken(), forgetForum);
    return (this.#crm = new CrmSource(this.#crmSession, credentials));
  }

  get forum(): ForumSource {
    if (this.#forum) return this.#forum;
    const credentials = this.#credentialsFor('forum');
    const forgetCrm = () => this.#crmSession?.reads.forget();
    const sent = () => credentials.forumLogin();
    this.#forumSession = this.#session('forum', 'X-Forum-Authorization', sent, forgetCrm);
    return (this.#forum = new ForumSource(this.#forumSession, credentials));
  }

  #credentialsFor(name: ApiName): Credentials {
    return this.#shared.apis[name].upstream.hasAddress ? this.#credentials : noCredentials;
  }

  #sessionTrace(): SessionTrace | undefined {
    return this.showsTrace ? this.trace?.session() : undefined;
  }

  /**
   * @param header the caller's header that holds the credential
   * @param sent returns the credential that the requests carry
   * @param onWrite called after each write: another session may have read the changed records
   */
  #session<Name extends ApiName>(
    name: Name,
    header: string,
    sent: () => string,
    onWrite?: () => void,
  ): UpstreamSession<BodyOf<Name>> {
    const { answers } = this.#shared;
    const api: SharedApi<BodyOf<Name>> = this.#shared.apis[name];
    return new UpstreamSession<BodyOf<Name>>({
      api,
      operation: this,
      credential: header,
      secrets: () => this.#credentials.secrets(),
      known: new CredentialState<BodyOf<Name>>(api.credentials, sent, this.#generations),
      trace: this.#sessionTrace(),
      onWriteBegin: (endpoint) => void answers?.forget(name, endpoint),
      onWrite: (endpoint) => {
        onWrite?.();
        return answers?.forget(name, endpoint);
      },
    });
  }
}
