import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BreakerOpenError, type GatewayError, RateLimitedError, type UpstreamCall } from '../errors.ts';
import { Breaker, type Ticket, type UpstreamChange } from './transport/breaker.ts';
import type { Call } from './transport/call.ts';
import type { ByteLimit, CallGuard } from './transport/messages.ts';
import { byteLength } from '../formats/utf8.ts';
import { type AnswerCache, conditionOf, forbidsKeeping, validatorOf } from './cache/answer-cache.ts';
import { AvoidedLists } from './avoided-lists.ts';
import { type Generation, isSameGeneration, type OperationGenerations } from './cache/generations.ts';
import type { Get, KeptAnswer, Parsed, Received, SharedRead, Validator } from './requests.ts';

/** Beyond so many credentials that were asked to wait the one that was not asked for longest is forgotten: its next call reaches upstream. */
const MAX_PAUSES = 10_000;

/** Beyond so many endpoints of credentials that failed, the one that was called longest ago is forgotten. */
const MAX_BREAKERS = 1_000;

/** A breaker that was not used for this time is evicted, in milliseconds. It exceeds the longest `Retry-After` that is honoured. */
const FORGOTTEN_MS = 120_000;

/** A read joins no call that was sent longer ago than four times the usual duration of its endpoint, or than a second: it may hang. */
const JOINABLE_TIMES = 4;
const MAX_JOINABLE_MS = 1_000;

/** The weight of the newest duration in the moving mean. */
const DURATION_WEIGHT = 0.2;

/** The ticket of a call to an endpoint without failures: that of a new breaker. */
const FIRST_TICKET: Ticket = 1;

/**
 * A read in the map of its credential. It is emptied when the call is over: V8 chains the old tables of a map whose entries
 * come and go, and what they hold stays alive until the next collection of everything.
 */
interface UnderWay<Body> {
  read: SharedRead<Body> | undefined;
}

export interface CredentialStatesOptions<Body> {
  /** The name of the API. */
  readonly api: string;
  /** Called when an endpoint is called no more for a credential, because it failed too often, and when it is called again. */
  readonly onChange: (change: UpstreamChange) => void;
  /** The answers that are kept. Undefined when none are. */
  readonly answers?: AnswerCache<Body> | undefined;
  /** The subjects of each endpoint's answers, by method and template. Answers of other endpoints are neither kept nor shared. */
  readonly subjects?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Whether identical reads share a call. */
  readonly sharesReads?: boolean;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * The state of each credential at one API, for the life of the process: pauses after 429, circuit breakers of endpoints, reads
 * under way, and kept answers. The failures of one caller cost no other caller anything. Holds keyed hashes of credentials; a credential itself only as long as the requests that carry it.
 *
 * @see docs/decisions/0026-shared-reads.md, 0030-a-breaker-of-our-own.md, 0043-answers-are-kept-by-generation.md
 */
export class CredentialStates<Body> {
  readonly options: CredentialStatesOptions<Body>;
  readonly now: () => number;
  readonly #hashKey = randomBytes(32);
  /** The ends of pauses, by the hash of the credential. */
  readonly pauses = new LRUCache<string, number>({ maxSize: MAX_PAUSES, sizeCalculation: () => 1 });
  lastPauseEnd = 0;
  /** The breakers of endpoints that have failed, by the hash of the credential and the endpoint. */
  readonly breakers = new LRUCache<string, Breaker>({
    maxSize: MAX_BREAKERS,
    sizeCalculation: () => 1,
    ttl: FORGOTTEN_MS,
    ttlResolution: 0,
    updateAgeOnGet: true,
  });
  #forgetting: NodeJS.Timeout | undefined;
  readonly avoidedLists: AvoidedLists;
  readonly #underWay = new Map<string, Map<string, UnderWay<Body>>>();
  /** The usual duration of a call in milliseconds, by endpoint. Endpoints are literals of the code, so there are few. */
  readonly usualMs = new Map<string, number>();
  #joined = 0;

  constructor(options: CredentialStatesOptions<Body>) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.avoidedLists = new AvoidedLists(this.now);
  }

  /** How many reads have joined a call until now. */
  get joined(): number {
    return this.#joined;
  }

  /** How many calls may be joined. */
  get underWay(): number {
    return [...this.#underWay.values()].reduce((sum, reads) => sum + reads.size, 0);
  }

  hash(credential: string): string {
    return createHmac('sha256', this.#hashKey).update(credential).digest('base64');
  }

  /** Returns the breaker of an endpoint, by the hash of a credential. */
  breaker(hash: string, endpoint: string): Breaker {
    const key = `${hash} ${endpoint}`;
    const known = this.breakers.get(key);
    if (known) return known;
    const { api, onChange } = this.options;
    const created = new Breaker((change) => onChange({ api, endpoint, ...change }), this.now);
    this.breakers.set(key, created);
    this.#forgetLater();
    return created;
  }

  /** Evicts unused breakers by one timer, which runs only while there are breakers. */
  #forgetLater(): void {
    if (this.#forgetting) return;
    this.#forgetting = setTimeout(() => {
      this.#forgetting = undefined;
      this.breakers.purgeStale();
      if (this.breakers.size > 0) this.#forgetLater();
    }, FORGOTTEN_MS).unref();
  }

  #mayJoin(call: Call, endpoint: string): boolean {
    const usual = this.usualMs.get(endpoint) ?? MAX_JOINABLE_MS;
    return call.ageAt(this.now()) <= Math.min(usual * JOINABLE_TIMES, MAX_JOINABLE_MS);
  }

  /**
   * Returns the call of an identical read of the same credential that is under way and does not seem to hang, else the one that
   * `start` starts. Only calls under way are shared, never responses: a call is forgotten before anybody learns how it ended.
   *
   * @param key of the request. The query may hold a token: it lives as long as the call
   * @param endpoint the method and the template of the path
   * @param kept the kept answer that a call of this read asks about
   * @param start takes a function to call when the call is over
   */
  join(
    credential: string,
    key: string,
    endpoint: string,
    kept: KeptAnswer<Body> | undefined,
    start: (onOver: () => void) => Call,
  ): SharedRead<Body> {
    const reads = this.#underWay.get(credential) ?? new Map<string, UnderWay<Body>>();
    const known = reads.get(key)?.read;
    if (known && this.#mayJoin(known.call, endpoint)) {
      this.#joined += 1;
      return known;
    }
    this.#underWay.set(credential, reads);
    const entry: UnderWay<Body> = { read: undefined };
    const onOver = () => {
      entry.read = undefined;
      if (reads.get(key) !== entry) return;
      reads.delete(key);
      if (reads.size === 0 && this.#underWay.get(credential) === reads) this.#underWay.delete(credential);
    };
    const started: SharedRead<Body> = {
      call: start(onOver),
      beganAt: this.now(),
      kept,
      isJudged: false,
      parsed: undefined,
    };
    entry.read = started;
    reads.set(key, entry);
    return started;
  }
}

/** The state of one caller's credential at one API, as one operation uses it. The credential is hashed on demand. */
export class CredentialState<Body> implements CallGuard {
  readonly #all: CredentialStates<Body>;
  readonly #credential: () => string;
  readonly #generations: OperationGenerations | undefined;
  #hash: string | undefined;

  /**
   * @param credential returns the credential of the operation's requests to this API, which differ from those of other
   *   callers by nothing else
   * @param generations those of what answers show. Undefined where nothing is kept or shared
   */
  constructor(all: CredentialStates<Body>, credential: () => string, generations?: OperationGenerations) {
    this.#all = all;
    this.#credential = credential;
    this.#generations = generations;
  }

  /** The credential of the operation's requests to this API. */
  credential(): string {
    return this.#credential();
  }

  /** Sends nothing for so many seconds: upstream asked for that. A longer pause under way stays. */
  pause(seconds: number): void {
    const all = this.#all;
    const end = all.now() + seconds * 1000;
    const hash = this.ownHash();
    all.pauses.set(hash, Math.max(end, all.pauses.get(hash) ?? 0));
    all.lastPauseEnd = Math.max(all.lastPauseEnd, end);
  }

  /** Seconds, rounded up, until the credential may be sent again. 0 without a pause. */
  get secondsLeft(): number {
    const { pauses, lastPauseEnd, now } = this.#all;
    if (now() >= lastPauseEnd) {
      if (pauses.size > 0) pauses.clear();
      return 0; // the usual case costs no hash
    }
    const end = pauses.get(this.ownHash()) ?? 0;
    return Math.max(0, Math.ceil((end - now()) / 1000));
  }

  /**
   * Returns the ticket of a call that may be made.
   *
   * @throws RateLimitedError when upstream asked the caller to wait, BreakerOpenError when the endpoint has just failed too often
   */
  admit(call: UpstreamCall, isRead: boolean): Ticket {
    const refusal = this.refusal(call);
    if (refusal) throw refusal;
    const breaker = this.#breaker(call.endpoint);
    const ticket = breaker?.admit(isRead) ?? FIRST_TICKET;
    if (ticket > 0) return ticket;
    throw endpointDown(call, breaker);
  }

  /** The error of a call before the end of an upstream `Retry-After`; undefined when it may be made. */
  refusal(call: UpstreamCall): GatewayError | undefined {
    const seconds = this.secondsLeft;
    if (seconds > 0) return new RateLimitedError(`The ${call.api} API asked to slow down.`, seconds, call);
    const breaker = this.#breaker(call.endpoint);
    return breaker?.isHeld ? endpointDown(call, breaker) : undefined;
  }

  /** Records a status below 500 after so many milliseconds. */
  succeeded(endpoint: string, ticket: Ticket, ms: number): void {
    const { usualMs } = this.#all;
    const usual = usualMs.get(endpoint) ?? ms;
    usualMs.set(endpoint, usual + (ms - usual) * DURATION_WEIGHT);
    const breaker = this.#breaker(endpoint);
    breaker?.succeed(ticket);
    if (breaker?.isIdle) this.#all.breakers.delete(`${this.ownHash()} ${endpoint}`);
  }

  /** Records a 5xx, or a timeout of this endpoint alone. @param retryAfter seconds, when upstream asked for no call before */
  failed(endpoint: string, ticket: Ticket, reason: string, retryAfter?: number): void {
    const breaker = this.#all.breaker(this.ownHash(), endpoint);
    if (retryAfter) breaker.hold(retryAfter * 1000, reason);
    else breaker.fail(ticket, reason);
  }

  /** Avoids a list endpoint for a while for this credential, see `AvoidedLists`. */
  avoidList(endpoint: string): void {
    this.#all.avoidedLists.avoid(`${this.ownHash()} ${endpoint}`);
  }

  /** Whether a list must not be read instead of records by id. */
  avoidsList(endpoint: string): boolean {
    const { avoidedLists } = this.#all;
    return !avoidedLists.isEmpty && avoidedLists.has(`${this.ownHash()} ${endpoint}`); // the usual case costs no hash
  }

  /**
   * Joins an identical read that is under way, unless a write of what it shows began or ended since: that is another
   * generation. The same URL with another byte limit is another read, too.
   *
   * @param kept the kept answer that a call of this read asks about
   * @param start takes a function to call when the call is over: nobody may join it then
   * @returns undefined when this read must have a call of its own
   */
  join(
    { path }: Get,
    limit: ByteLimit,
    kept: KeptAnswer<Body> | undefined,
    start: (onOver: () => void) => Call,
  ): SharedRead<Body> | undefined {
    if (!this.#all.options.sharesReads) return undefined;
    const generation = this.generationOf(path.template);
    if (generation?.shared === undefined) return undefined;
    const key = `${generation.own}${generation.shared} ${limit.bytes} ${path.path}`;
    return this.#all.join(this.#credential(), key, `GET ${path.template}`, kept, start);
  }

  /** Resolves when `find` knows which answers are stale. Undefined when it does. @param isList whether a list is read, or a record */
  ready(isList: boolean): Promise<void> | undefined {
    const times = this.#all.options.answers?.times;
    const isAsked = times && (times.ttlMs > 0 || (isList && times.pageMs > 0));
    return isAsked ? this.#generations?.ready() : undefined;
  }

  /** Whether a read is answered without a call. */
  has(request: Get, limit: ByteLimit): boolean {
    return this.#fresh(request, limit) !== undefined;
  }

  /** The answer to a read. Undefined when there is none that may be used, or it is larger than the limit. */
  find(request: Get, limit: ByteLimit): KeptAnswer<Body> | undefined {
    const kept = this.#fresh(request, limit);
    if (kept) this.use(kept);
    return kept;
  }

  /** The list that a page may go on in. Undefined when there is none that is young enough: upstream is asked then. */
  findForPage(request: Get, limit: ByteLimit): KeptAnswer<Body> | undefined {
    const kept = this.#kept(request, limit);
    return kept && !kept.validator && this.#isYounger(kept, 'pageMs') ? kept : undefined;
  }

  /** Notes that a kept answer was used without a call. */
  use(kept: KeptAnswer<Body>): void {
    this.#all.options.answers?.use(kept);
    this.#all.options.answers?.count('hits');
  }

  /** Whether an answer is kept that upstream can be asked about: the read costs a round trip, and no transfer. */
  holds(request: Get, limit: ByteLimit): boolean {
    return this.#kept(request, limit)?.validator !== undefined;
  }

  /** Notes the generation in which a call begins. Undefined when its answer must not be kept. */
  begin(request: Get, limit: ByteLimit): KeepableRead<Body> | undefined {
    const { answers } = this.#all.options;
    const generation = answers && this.generationOf(request.path.template);
    return generation && new KeepableRead(answers, this, request, { generation, kept: this.#kept(request, limit) });
  }

  /** Drops the kept answer to a read: upstream has given another one. */
  drop(request: Get): void {
    const { answers } = this.#all.options;
    if (answers && !answers.isEmpty) answers.remove(this.ownHash(), keyOf(request));
  }

  /** Drops what a refusal shows to hold no more: the kept answer to the read, or all where the credential is refused. */
  dropRefused(request: Get, status: number): void {
    const { answers } = this.#all.options;
    if (!answers || answers.isEmpty) return;
    if (status === 401 || status === 403) answers.removeAll(this.ownHash());
    else this.drop(request);
  }

  #fresh(request: Get, limit: ByteLimit): KeptAnswer<Body> | undefined {
    if (!this.#all.options.answers?.times.ttlMs) return undefined;
    const kept = this.#kept(request, limit);
    return kept && this.#isYounger(kept, 'ttlMs') ? kept : undefined;
  }

  /** Whether an answer may be used without a call: it is young, and surely of this generation. */
  #isYounger({ generation, readAt }: KeptAnswer<Body>, time: 'ttlMs' | 'pageMs'): boolean {
    const { answers } = this.#all.options;
    if (!answers || generation.shared === undefined || !this.#generations?.isKnown) return false;
    return answers.now() - readAt < answers.times[time];
  }

  /** The kept answer to a read, unless a write has made it stale. */
  #kept(request: Get, limit: ByteLimit): KeptAnswer<Body> | undefined {
    const { answers } = this.#all.options;
    if (!answers || answers.isEmpty) return undefined; // the usual case of an upstream without validators costs no hash
    const generation = this.generationOf(request.path.template);
    const kept = generation && answers.find(this.ownHash(), keyOf(request));
    if (!kept) return undefined;
    if (isSameGeneration(kept.generation, generation)) return kept.bytes <= limit.bytes ? kept : undefined;
    answers.count('dropped');
    this.drop(request);
    return undefined;
  }

  /** Undefined for a read that is neither kept nor shared. */
  generationOf(template: string): Generation | undefined {
    const shown = this.#generations && this.#all.options.subjects?.get(`GET ${template}`);
    return shown && this.#generations?.of(shown);
  }

  /** Undefined when no endpoint has failed lately: the usual case, in which no credential is hashed. */
  #breaker(endpoint: string): Breaker | undefined {
    const { breakers } = this.#all;
    return breakers.size === 0 ? undefined : breakers.get(`${this.ownHash()} ${endpoint}`);
  }

  /** The keyed hash of the credential. */
  ownHash(): string {
    return (this.#hash ??= this.#all.hash(this.#credential()));
  }
}

function endpointDown(call: UpstreamCall, breaker: Breaker | undefined): BreakerOpenError {
  const message = `The ${call.api} API has failed too often at this endpoint, so it is not called there for now.`;
  return new BreakerOpenError(message, call, breaker?.retrySeconds ?? 1);
}

/** The key of a read among the kept answers of its credential. */
function keyOf({ path }: Get): string {
  return path.bare ?? path.path;
}

/** The generation and the kept answer at the begin of a read whose answer may be kept. */
interface ReadBegin<Body> {
  readonly generation: Generation;
  readonly kept: KeptAnswer<Body> | undefined;
}

/** A read that is about to be sent, and whose answer may be kept. */
export class KeepableRead<Body> {
  /** The kept answer that upstream is asked about. */
  readonly kept: KeptAnswer<Body> | undefined;
  readonly #answers: AnswerCache<Body>;
  readonly #state: CredentialState<Body>;
  readonly #request: Get;
  readonly #generation: Generation;
  #readAt: number;
  /** Of a response that may be kept. */
  #answer: { readonly bytes: number; readonly validator: Validator | undefined } | undefined;
  #isFirst = true;
  #isKept = false;

  constructor(
    answers: AnswerCache<Body>,
    state: CredentialState<Body>,
    request: Get,
    { generation, kept }: ReadBegin<Body>,
  ) {
    this.#answers = answers;
    this.#state = state;
    this.#request = request;
    this.#generation = generation;
    this.#readAt = answers.now();
    this.kept = kept?.validator && kept;
  }

  /** The header that asks whether the kept answer still holds. Undefined without one. */
  get condition(): Readonly<Record<string, string>> | undefined {
    return this.kept?.validator && conditionOf(this.kept.validator);
  }

  /** Looks at the response before it is parsed, which empties it. */
  weigh({ answer, shared, isFirst, kept }: Received<Body>): void {
    this.#isFirst = isFirst;
    this.#answers.count(kept ? 'revalidated' : 'misses');
    if (shared) this.#readAt = shared.beganAt;
    if (kept) return this.#renew(kept);
    const isForbidden = forbidsKeeping(answer);
    if (isForbidden || (isFirst && this.kept)) this.#state.drop(this.#request);
    if (answer.status !== 200 || isForbidden) return;
    this.#answer = { bytes: byteLength(answer.body), validator: validatorOf(answer) };
  }

  /** Keeps the parsed response, which can be decoded, where another read may be answered by it. */
  keep(parsed: Parsed<Body>): void {
    const { validator } = this.#answer ?? {};
    // Of the operations that share the call only one caches its response.
    if (this.#isFirst && (validator || this.#answers.times.ttlMs > 0)) this.#keep(parsed);
  }

  /** Keeps a parsed list of which a page was cut that another one may follow. */
  keepForPages(parsed: Parsed<Body>): void {
    const { pageMs } = this.#answers.times;
    if (pageMs > 0 && !this.#answer?.validator && this.#generation.shared !== undefined) this.#keep(parsed);
  }

  #keep(parsed: Parsed<Body>): void {
    if (!this.#answer || this.#isKept || !this.#isCurrent()) return;
    this.#isKept = true;
    const { bytes, validator } = this.#answer;
    const answer = { parsed, bytes, validator, generation: this.#generation, readAt: this.#readAt };
    this.#answers.keep(this.#state.ownHash(), keyOf(this.#request), answer);
  }

  #renew(kept: KeptAnswer<Body>): void {
    if (!this.#isFirst || !this.#isCurrent()) return;
    const read = { generation: this.#generation, readAt: this.#readAt };
    this.#answers.renew(this.#state.ownHash(), keyOf(this.#request), kept, read);
  }

  /** Whether no write has begun or ended since the read began. */
  #isCurrent(): boolean {
    const now = this.#state.generationOf(this.#request.path.template);
    return now !== undefined && isSameGeneration(now, this.#generation);
  }
}
