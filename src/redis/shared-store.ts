import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { RedisAddress } from '../config/setting.ts';
import { errorCode } from '../process/system.ts';
import { Connection } from './connection.ts';
import { tryRedis } from './trial.ts';

/** The result of an action that Redis did not answer, or answered with an error. */
export const AWAY = Symbol('Redis is away');

/** The turns of the event loop after the time of an action: a process that was busy has yet to read the answer. */
const LAST_TURNS = 4;

/** The number of late answers in a row that make Redis away: one may be chance, such as a pause of its process. */
const LATE_ANSWERS = 3;

/** More actions than this are not under way at once: they would be late, all of them. */
const MAX_UNDER_WAY = 5_000;

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
  readonly #closing = new AbortController();
  /** Undefined while Redis is not used. One that has ended while it was idle stays until it is replaced. */
  #connection: Connection | undefined;
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
  #ended: Promise<void> = Promise.resolve();

  private constructor(options: SharedStoreOptions) {
    this.#options = options;
  }

  /** Resolves when Redis answers, or has been seen to be away. */
  static async open(options: SharedStoreOptions): Promise<SharedStore> {
    const store = new SharedStore(options);
    const first = store.#nextReport;
    store.#ended = store.#keepConnected();
    await first;
    return store;
  }

  /** `away` also while Redis refuses commands. */
  get state(): 'ok' | 'away' {
    return this.#connection ? 'ok' : 'away';
  }

  get report(): Report {
    return this.#connection ? { redis: 'ok' } : this.#failure;
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
    if (this.#connection?.isOpen === false) await Promise.race([this.#nextReport, delay(this.#options.timeoutMs)]);
    const connection = this.#connection;
    if (!connection?.isOpen || this.#underWay >= MAX_UNDER_WAY) return AWAY;
    try {
      return await this.#inTime(connection, action);
    } catch (error) {
      this.#options.log.debug({ reason: failureName(error) }, 'redis failed a command');
      if (connection === this.#connection) await this.#onFailure(connection, error);
      return AWAY;
    }
  }

  /** Closes the connection. All results are AWAY from then on. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection?.end();
    this.#connection = undefined;
    await this.#ended;
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#closing;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      const openedAt = performance.now();
      const reason = await this.#useConnection();
      if (signal.aborted) return;
      const wasSteady = performance.now() - openedAt >= STEADY_MS;
      if (wasSteady) waitMs = FIRST_WAIT_MS;
      if (wasSteady && this.#connection) continue; // it was idle: no action has failed
      this.#fail(reason);
      // Gateways that lost Redis together do not come back together.
      await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  /** Opens a connection, and offers it until it ends. @returns the error for which it ended, if any */
  async #useConnection(): Promise<unknown> {
    try {
      const connection = await Connection.open(this.#options.address);
      await this.#tryOut(connection);
      if (this.#closing.signal.aborted) connection.end();
      else this.#connection = connection;
      this.#lateAnswers = 0;
      this.#tell({ redis: 'ok' });
      return await connection.ended;
    } catch (error) {
      this.#connection = undefined;
      return error;
    }
  }

  /** Ends a connection over which Redis does not do all that is needed. @throws the error of Redis */
  async #tryOut(connection: Connection): Promise<void> {
    try {
      await this.#inTime(connection, tryRedis);
    } catch (error) {
      this.#connection = undefined;
      connection.end(error);
      const reason = await connection.ended; // a wrong database ends it before the trial, which fails without a reason
      this.#fail(reason);
      throw reason;
    }
  }

  async #onFailure(connection: Connection, error: unknown): Promise<void> {
    if (!connection.isOpen) this.#connection = undefined; // its end is told a turn of the loop later
    else if (!(error instanceof LateAnswerError)) {
      this.#trial ??= this.#tryOut(connection).catch(() => {}); // all commands may fail, as with READONLY
      await this.#trial;
      this.#trial = undefined;
    } else if (this.#lateAnswers >= LATE_ANSWERS) {
      this.#connection = undefined;
      connection.end(error);
    }
  }

  /**
   * The time of an action begins when its commands are written, and ends after what has arrived was read: the waits of a busy
   * process are not those of Redis. A late answer is read and dropped when it comes.
   *
   * @throws what the action throws, or a `LateAnswerError`
   */
  async #inTime<T>(connection: Connection, action: (redis: Redis) => Promise<T>): Promise<T> {
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
      const answer = await Promise.race([connection.send(action, onWritten), late]);
      this.#lateAnswers = 0;
      connection.onAnswer(); // a late answer may never end
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
    this.#connection = undefined;
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
