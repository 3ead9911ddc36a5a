import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RedisAddress } from '../config/setting.ts';

/** The time in which a connection opens, login included, or is given up, in milliseconds. */
const CONNECT_MS = 1_000;

/** The bytes that may arrive without the end of an answer: beyond them a connection is given up. */
const MAX_ANSWER_BYTES = 16 * 1024 ** 2;

/** An open connection to Redis. It repeats nothing, and opens no other one when it ends. */
export class Connection {
  readonly redis: Redis;
  /** Resolves when it has ended, with the first error that it met, if any. */
  readonly ended: Promise<unknown>;
  #error: unknown;
  #bytes = 0;
  /** To be called when the commands of this turn of the event loop are written. Undefined before the first of them. */
  #onWritten: (() => void)[] | undefined;

  private constructor(address: RedisAddress) {
    this.redis = new Redis(options(address));
    this.redis.on('error', (error: unknown) => this.end(error));
    this.ended = new Promise((resolve) => this.redis.once('end', () => resolve(this.#error)));
  }

  /** @throws the error for which it could not be opened */
  static async open(address: RedisAddress): Promise<Connection> {
    const connection = new Connection(address);
    const late = new AbortController();
    const opened = connection.redis.connect().catch((error: unknown) => {
      throw connection.#error ?? error;
    });
    try {
      await Promise.race([opened, rejectLater(late.signal)]);
    } catch (error) {
      connection.end(error);
      throw error;
    } finally {
      late.abort();
    }
    connection.redis.stream.on('data', (chunk: Buffer) => connection.#count(chunk.length));
    return connection;
  }

  /** Whether it takes commands. It turns false before `ended` resolves: ioredis tells its end a turn of the event loop later. */
  get isOpen(): boolean {
    return this.redis.status === 'ready' && this.redis.stream.writable;
  }

  /**
   * Runs an action. The commands of a turn of the event loop are one write: a call of the system costs more than a command.
   *
   * @param onWritten called when its first commands are written, which may be late in a busy process
   */
  send<T>(action: (redis: Redis) => Promise<T>, onWritten: () => void): Promise<T> {
    if (this.#onWritten) this.#onWritten.push(onWritten);
    else {
      const { stream } = this.redis;
      const all = [onWritten];
      this.#onWritten = all;
      stream.cork();
      setImmediate(() => {
        this.#onWritten = undefined;
        stream.uncork();
        for (const call of all) call();
      });
    }
    return action(this.redis);
  }

  /** Has to be called when an answer is complete: its bytes are no longer counted. */
  onAnswer(): void {
    this.#bytes = 0;
  }

  /** Closes it at once. The commands under way fail. */
  end(error?: unknown): void {
    // Commands that fail because it has ended do not tell why.
    if (this.redis.status !== 'close' && this.redis.status !== 'end') this.#error ??= error;
    this.redis.disconnect();
    this.redis.stream?.destroy();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_ANSWER_BYTES) this.end(failure('TOO_LARGE'));
  }
}

/** An error of our own, with a code for the log. */
function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

async function rejectLater(signal: AbortSignal): Promise<never> {
  await delay(CONNECT_MS, undefined, { signal }).catch(() => {});
  throw failure('TIMEOUT');
}

function options({ host, port, tls, database, username, password }: RedisAddress) {
  return {
    ...{ host, port, db: database, username, password },
    ...(tls && { tls: {} }),
    // The fewest commands before the first one: `SharedStore` tries the connection by one of its own.
    ...{ protocol: 2 as const, disableClientInfo: true, enableReadyCheck: false },
    // `SharedStore` opens the next connection. A command is sent once, at once, or it fails.
    ...{ lazyConnect: true, retryStrategy: null, enableOfflineQueue: false, autoResendUnfulfilledCommands: false },
    ...{ connectTimeout: CONNECT_MS, maxRetriesPerRequest: 0 },
  };
}
