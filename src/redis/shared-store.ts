import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { RedisAddress } from '../config/setting.ts';
import { errorCode } from '../system.ts';
import { tryRedis } from './trial.ts';

/** The result of an action that Redis did not answer, or answered with an error. */
export const AWAY = Symbol('Redis is away');

/** The turns of the event loop after the time of an action: a process that was busy has yet to read the answer. */
const LAST_TURNS = 4;

/** The number of late answers in a row that make Redis away: one may be chance, such as a pause of its process. */
const LATE_ANSWERS = 3;

/** More actions than this are not under way at once: they would be late, all of them. */
const MAX_UNDER_WAY = 5_000;

/** The time in which a connection opens, login included, or is given up, in milliseconds. */
const CONNECT_MS = 1_000;

/** The bytes that may arrive without the end of an answer: beyond them a connection is given up. */
const MAX_ANSWER_BYTES = 16 * 1024 ** 2;

/** The wait before Redis is tried again, in milliseconds. It doubles with each failure. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/**
 * A connection that stayed open for this time had not failed at once: the waits begin anew, and one that was idle is replaced. Redis
 * closes those that are idle for a second at least. In milliseconds.
 */
const STEADY_MS = 500;

/** HMAC-SHA-256 of a text, cut to 132 bits: 22 characters of base64url. Nobody without the secret can tell the text from it. */
export type KeyedHash = (text: string) => string;

export interface SharedStoreOptions {
  readonly address: RedisAddress;
  readonly hash: KeyedHash;
  readonly log: Logger;
  /** The longest time of an action in milliseconds: REDIS_TIMEOUT_MS where an operation waits for it. */
  readonly timeoutMs: number;
}

/** Whether Redis is used. It is `refusing` when it answers, but with errors to commands that the gateway needs. */
interface Report {
  readonly redis: 'ok' | 'away' | 'refusing';
  readonly redisReason?: string;
}

/**
 * The state that several gateways share, in Redis. An operation loses `timeoutMs` at most when Redis stops answering, and none
 * while it is known to be away: after three late answers in a row, or with the end of the connection. Then Redis is tried again,
 * and used once it answers.
 *
 * @see docs/decisions/0041-redis-may-be-away.md
 */
export class SharedStore {
  readonly #options: SharedStoreOptions;
  readonly #redis: Redis;
  /** The connection that is used. Undefined while Redis is not. One that has ended while it was idle stays until it is replaced. */
  #used: Redis['stream'] | undefined;
  /** When the last connection began to open, the first error that it met, and the bytes since its last answer. */
  #openedAt = 0;
  #error: unknown;
  #bytes = 0;
  #opening: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;
  /** To be called when the commands of this turn of the event loop are written. Undefined before the first of them. */
  #onWritten: (() => void)[] | undefined;
  #underWay = 0;
  /** How many answers in a row were late, and when the last of them was noticed. */
  #lateAnswers = 0;
  #lateAt = 0;
  #trial: Promise<unknown> | undefined;
  #failure: Report = { redis: 'away' };
  /** The state that the log has told, with the reason of a refusal; undefined before the first one. */
  #logged: string | undefined;
  #onReport: () => void = () => {};
  #nextReport = new Promise<void>((resolve) => (this.#onReport = resolve));

  private constructor(options: SharedStoreOptions) {
    this.#options = options;
    this.#redis = new Redis({ ...clientOptions(options.address), retryStrategy: () => this.#onClose() });
    this.#redis
      .on('connecting', () => this.#onConnecting())
      .on('ready', () => this.#onReady())
      .on('error', (error: unknown) => this.#endConnection(error));
  }

  /** Resolves when Redis answers, or has been seen to be away. */
  static async open(options: SharedStoreOptions): Promise<SharedStore> {
    const store = new SharedStore(options);
    const first = store.#nextReport;
    store.#redis.connect().catch(() => {}); // `#onClose` has the error
    await first;
    return store;
  }

  /** `away` also while Redis refuses commands. */
  get state(): 'ok' | 'away' {
    return this.#used ? 'ok' : 'away';
  }

  get report(): Report {
    return this.#used ? { redis: 'ok' } : this.#failure;
  }

  /** The key of a thing. It tells nothing of the name to those who do not have HASH_SECRET. */
  key(kind: string, name: string): string {
    return `trivium:${kind}:${this.#options.hash(name)}`;
  }

  /**
   * Sends commands. They are sent once, and may have been carried out when the result is AWAY.
   *
   * @param action resolves to the answer, which comes from outside: its type has to be checked. Commands must have been sent
   *   when it returns, or follow each other within the time
   * @returns the answer; AWAY when there is none in time, when it is an error, and at once while Redis is away
   */
  async run<T>(action: (redis: Redis) => Promise<T>): Promise<T | typeof AWAY> {
    if (this.#used && !this.#isOpen) await Promise.race([this.#nextReport, delay(this.#options.timeoutMs)]);
    if (!this.#isOpen || this.#underWay >= MAX_UNDER_WAY) return AWAY;
    const connection = this.#used;
    try {
      return await this.#inTime(action);
    } catch (error) {
      this.#options.log.debug({ reason: failureName(error) }, 'redis failed a command');
      if (connection === this.#used) await this.#onFailure(error);
      return AWAY;
    }
  }

  /** Closes the connection. All results are AWAY from then on. */
  async close(): Promise<void> {
    const { stream } = this.#redis;
    this.#used = undefined;
    clearTimeout(this.#opening);
    this.#redis.disconnect();
    stream?.destroy();
    if (stream?.closed === false) await once(stream, 'close');
  }

  /** Whether commands can be sent. It turns false before ioredis tells the end of a connection. */
  get #isOpen(): boolean {
    const { status, stream } = this.#redis;
    return status === 'ready' && stream === this.#used && stream.writable;
  }

  /** ioredis waits without a bound for the answer to a login. */
  #onConnecting(): void {
    this.#openedAt = performance.now();
    this.#opening = setTimeout(() => this.#endConnection(failure('TIMEOUT')), CONNECT_MS).unref();
  }

  #onReady(): void {
    clearTimeout(this.#opening);
    this.#bytes = 0;
    this.#redis.stream.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > MAX_ANSWER_BYTES) this.#endConnection(failure('TOO_LARGE'));
    });
    void this.#tryOut();
  }

  /** Called by ioredis at the end of each connection, before its commands fail. @returns the wait before the next one */
  #onClose(): number {
    clearTimeout(this.#opening);
    const error = this.#error;
    this.#error = undefined;
    const wasSteady = performance.now() - this.#openedAt >= STEADY_MS;
    if (wasSteady) this.#waitMs = FIRST_WAIT_MS;
    if (wasSteady && this.#used && this.#underWay === 0) return 0; // it was idle: no action has failed
    this.#fail(error);
    const waitMs = this.#waitMs * (0.5 + Math.random() / 2); // gateways that lost Redis together do not come back together
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
    return waitMs;
  }

  /** Closes the connection at once. The commands under way fail, and ioredis opens the next one. */
  #endConnection(error: unknown): void {
    this.#error ??= error;
    this.#redis.stream?.destroy();
  }

  /** Uses a connection over which Redis does all that is needed, and ends another one. */
  async #tryOut(): Promise<void> {
    const { stream } = this.#redis;
    const isLeft = () => stream === this.#redis.stream && stream.writable;
    try {
      await this.#inTime(tryRedis);
      if (!isLeft()) return;
      this.#used = stream;
      this.#tell({ redis: 'ok' });
    } catch (error) {
      if (!isLeft()) return; // a wrong database has ended it, and its commands fail without a reason
      this.#endConnection(error);
      this.#fail(this.#error);
    }
  }

  async #onFailure(error: unknown): Promise<void> {
    if (!this.#isOpen) this.#used = undefined; // its end is told a turn of the loop later
    else if (!(error instanceof LateAnswerError)) {
      this.#trial ??= this.#tryOut(); // all commands may fail, as with READONLY
      await this.#trial;
      this.#trial = undefined;
    } else if (this.#lateAnswers >= LATE_ANSWERS) {
      this.#used = undefined;
      this.#endConnection(error);
    }
  }

  /** The commands of a turn of the event loop are one write: a call of the system costs more than a command. */
  #send<T>(action: (redis: Redis) => Promise<T>, onWritten: () => void): Promise<T> {
    if (this.#onWritten) this.#onWritten.push(onWritten);
    else {
      const { stream } = this.#redis;
      const all = [onWritten];
      this.#onWritten = all;
      stream.cork();
      setImmediate(() => {
        this.#onWritten = undefined;
        stream.uncork();
        for (const call of all) call();
      });
    }
    return action(this.#redis);
  }

  /**
   * The time of an action begins when its commands are written, and ends after what has arrived was read: the waits of a busy
   * process are not those of Redis. A late answer is read and dropped when it comes.
   *
   * @throws what the action throws, or a `LateAnswerError`
   */
  async #inTime<T>(action: (redis: Redis) => Promise<T>): Promise<T> {
    this.#underWay += 1;
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (error: Error) => void;
    const late = new Promise<never>((_resolve, reject) => (giveUp = reject));
    const onWritten = () => {
      if (isDone) return;
      const writtenAt = performance.now();
      const onLate = () => {
        if (isDone) return;
        this.#countLate(writtenAt);
        giveUp(new LateAnswerError());
      };
      timer = setTimeout(() => afterTurns(LAST_TURNS, onLate), this.#options.timeoutMs);
    };
    try {
      const answer = await Promise.race([this.#send(action, onWritten), late]);
      this.#lateAnswers = 0;
      this.#bytes = 0; // a late answer may never end
      return answer;
    } finally {
      isDone = true;
      this.#underWay -= 1;
      clearTimeout(timer);
    }
  }

  /** Answers that are late at the same time count once. */
  #countLate(writtenAt: number): void {
    if (writtenAt < this.#lateAt) return;
    this.#lateAnswers += 1;
    this.#lateAt = performance.now();
  }

  #fail(error: unknown): void {
    this.#used = undefined;
    this.#failure = { redis: isReply(error) ? 'refusing' : 'away', redisReason: failureName(error) };
    this.#tell(this.#failure);
  }

  #tell({ redis, redisReason: reason }: Report): void {
    this.#onReport();
    this.#nextReport = new Promise((resolve) => (this.#onReport = resolve));
    const told = redis === 'refusing' ? `${redis} ${reason}` : redis;
    if (told === this.#logged) return;
    this.#logged = told;
    const { log } = this.#options;
    if (redis === 'ok') log.info({ redis }, 'redis answers: it is used');
    else if (redis === 'away') log.warn({ redis, reason }, 'redis is away: the gateway goes on without it');
    else log.warn({ redis, reason }, 'redis refuses commands: the gateway goes on without it');
  }
}

/** A command is sent once, at once, or it fails. */
function clientOptions({ host, port, tls, database, username, password }: RedisAddress) {
  return {
    ...{ host, port, db: database, username, password },
    ...(tls && { tls: {} }),
    // The fewest commands before the first one: `tryRedis` is one of our own.
    ...{ protocol: 2 as const, disableClientInfo: true, enableReadyCheck: false },
    ...{ lazyConnect: true, enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 },
  };
}

/** An error of our own, with a code for the log. */
function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

class LateAnswerError extends Error {
  readonly code = 'TIMEOUT'; // for the log
}

function afterTurns(turns: number, action: () => void): void {
  if (turns === 0) action();
  else setImmediate(() => afterTurns(turns - 1, action));
}

/**
 * Names a failure of Redis for the log.
 *
 * @returns an error code such as `ECONNREFUSED`, the first word of a Redis error such as `READONLY`, `closed`
 *   for undefined, else `failed`: messages may hold addresses, keys and values
 */
function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'closed';
  const code = errorCode(error);
  if (code !== undefined && CODE.test(code)) return code;
  if (!isReply(error)) return 'failed';
  if (error.message.startsWith('ERR SELECT is not allowed in cluster')) return 'CROSSSLOT';
  if (/^ERR (?:The user executing|ACL failure in) /.test(error.message)) return 'NOPERM'; // within a script
  return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? 'failed';
}

/** Codes of TLS have a slash from OpenSSL 3.2 on: `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`. */
const CODE = /^[A-Z][A-Z0-9_/]{1,60}$/;

function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
