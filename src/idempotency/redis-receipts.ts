import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Departure } from '../calls/transport/departure.ts';
import { AWAY, type SharedStore } from '../redis/shared-store.ts';
import {
  BY_CERTAINTY,
  countBegin,
  type End,
  type Found,
  keptId,
  type KeptName,
  noBegins,
  type ReceiptName,
  type Receipts,
  type ReceiptsOptions,
} from './receipts.ts';
import { beginScript, claimScript, EARLIER, endScript, lookScript, NO_RECEIPT, type Script } from './scripts.ts';
import { type ToldEnd, UNTOLD_MS, UntoldEnds } from './untold-ends.ts';
import { Waiters } from './waiters.ts';

/** The waits before Redis is asked again for the end of a write, in milliseconds: the first one, doubled up to the last. */
const FIRST_POLL_MS = 25;
const LAST_POLL_MS = 250;

export interface RedisReceiptsOptions extends ReceiptsOptions {
  readonly store: Pick<SharedStore, 'key' | 'run' | 'state'>;
  readonly log: Logger;
  readonly longestLeaseMs: number;
}

/**
 * Warns where Redis keeps no append-only file, may evict receipts when its memory is full, or does not say so: managed servers may
 * forbid INFO. Nothing is said of a Redis that is away.
 */
export async function warnOfLoss({ store, log }: Pick<RedisReceiptsOptions, 'store' | 'log'>): Promise<void> {
  const info = await store.run<unknown>((redis) => redis.info().catch(onRefusal));
  if (info === AWAY) return;
  const lines = new Set(typeof info === 'string' ? info.split('\r\n') : []);
  const keepsFile = lines.has('aof_enabled:1');
  const evictsNothing = lines.has('maxmemory_policy:noeviction') || lines.has('maxmemory:0');
  if (!keepsFile || !evictsNothing) log.warn({ keepsFile, evictsNothing }, MAY_LOSE);
}

const MAY_LOSE =
  'redis may lose receipts of writes, or does not say: set appendonly yes and maxmemory-policy noeviction, see docs/scale.md';

/** Redis refuses a command that the user may not send. @throws other errors, such as that of a lost connection */
function onRefusal(error: unknown): undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
}

/**
 * The receipts of several gateways, in Redis. Their room has the rules of `MemoryReceipts`, over all gateways.
 *
 * An attempt is named by the caller of Redis, so that one whose begin was not answered in time can be withdrawn: it was not sent.
 * Its receipt is OPEN until then, for a moment where Redis answers again, and UNKNOWN after its lease where this process ends before.
 */
export class RedisReceipts implements Receipts {
  readonly begins = noBegins();
  readonly #options: RedisReceiptsOptions;
  readonly #untold: UntoldEnds;
  readonly #waiters = new Waiters();
  readonly #process = randomBytes(9).toString('base64url');
  readonly #keys: Readonly<Record<'all' | 'newcomers' | 'credentials', string>>;
  #attempts = 0;
  /** How many receipts there were when Redis told it last. */
  #count = 0;
  #isClosed = false;

  constructor(options: RedisReceiptsOptions) {
    this.#options = options;
    const keyOf = (list: string) => options.store.key('receipts', list);
    this.#keys = { all: keyOf('all'), newcomers: keyOf('newcomers'), credentials: keyOf('credentials') };
    this.#untold = new UntoldEnds((end) => this.#tell(end), options.log);
  }

  async begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Promise<Found> {
    return countBegin(this.begins, await this.#begin(name, sentAt, leaseMs));
  }

  async count(): Promise<number> {
    const count = await this.#options.store.run(async (redis) => {
      const [now] = await redis.time();
      return redis.zcount(this.#keys.all, Number(now) * 1_000, '+inf');
    });
    if (typeof count === 'number') this.#count = count;
    return this.#count;
  }

  async look(name: ReceiptName): Promise<Found | undefined> {
    if (this.#options.store.state === 'away' || !(await this.#untold.tellOf(name))) return { state: 'AWAY' };
    const answer = await this.#look(name);
    return answer === NO_RECEIPT ? undefined : this.#found(answer, '');
  }

  async end(name: KeptName, attempt: string, end: End, endedAt: number | undefined): Promise<void> {
    // An earlier end that may be under way still must not come after this one.
    const mayOvertake = this.#untold.drop(attempt);
    const state = end.state === 'REFUSED' && mayOvertake ? 'W' : STATES[end.state];
    const id = end.state === 'APPLIED' ? keptId(end.id) : undefined;
    const told: ToldEnd = { name: hashesOf(name), attempt, state, id, endedAt };
    if (!(await this.#tell(told))) this.#untold.add({ ...told, state: state === 'R' ? 'W' : state });
    this.#waiters.wake(name);
  }

  async settled(name: ReceiptName, ms: number, gone?: Departure): Promise<void> {
    const until = performance.now() + ms;
    for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, LAST_POLL_MS)) {
      const answer = await this.#look(name);
      const isSettled = answer === NO_RECEIPT || (Array.isArray(answer) && answer[0] !== 'OPEN');
      const leftMs = until - performance.now();
      if (isSettled || leftMs <= 0 || this.#isClosed || gone?.happened) return;
      await this.#waiters.wait(name, Math.min(waitMs, leftMs), gone);
    }
  }

  async claim(name: ReceiptName, id: string): Promise<boolean> {
    const recordId = keptId(id);
    if (recordId === undefined) return false;
    const keys = [...this.#keysOf(name, ''), ...this.#claimOf(name, recordId)];
    return (await this.#ask(claimScript, keys, name, [idText(recordId)])) === 1;
  }

  /** Waits end at their next look. The store has to be open still. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#untold.close();
  }

  async #begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Promise<Found> {
    if (this.#options.store.state === 'away') return { state: 'AWAY' }; // nothing is sent that had to be withdrawn
    if (!(await this.#untold.tellOf(name))) return { state: 'AWAY' };
    this.#attempts += 1;
    const attempt = `${this.#process}.${this.#attempts.toString(36)}`;
    const { ttlMs, max } = this.#options;
    const values = [attempt, timeText(sentAt), Math.ceil(leaseMs), ttlMs, max, name.mutation, ...name.writes];
    const found = this.#found(await this.#ask(beginScript, this.#keysOf(name, attempt), name, values), attempt);
    if (found.state === 'AWAY')
      this.#untold.add({ name: hashesOf(name), attempt, state: 'W', id: undefined, endedAt: undefined });
    return found;
  }

  /** Checks the answer to `beginScript`. AWAY for any other one. */
  #found(answer: unknown, attempt: string): Found {
    const [state, ...values]: unknown[] = Array.isArray(answer) ? answer : [];
    if (state === 'NEW') return { state, attempt };
    if (state === 'OPEN' || state === 'FULL') return { state };
    const [text, sent, ended] = values;
    if (state === 'REUSED' || state === EARLIER)
      return { state: 'REUSED', by: BY_CERTAINTY.find((by) => by === text) ?? 'UNKNOWN' };
    if (state === 'APPLIED' && typeof text === 'string') return { state, id: idIn(text) };
    const sentMsAgo = numberIn(text);
    if (state !== 'UNKNOWN' || sentMsAgo === undefined) return { state: 'AWAY' };
    return { state, sentMsAgo, sentAt: numberIn(sent), endedAt: numberIn(ended) };
  }

  async #tell({ name, attempt, state, id, endedAt }: ToldEnd): Promise<boolean> {
    const { ttlMs } = this.#options;
    const claim = state === 'A' && id !== undefined ? this.#claimOf(name, id) : [];
    const keys = [...this.#keysOf(name, attempt), ...claim];
    const values = [attempt, state, idText(id), timeText(endedAt), ttlMs, UNTOLD_MS];
    return (await this.#ask(endScript, keys, name, values)) === 'OK';
  }

  #look(name: ReceiptName): Promise<unknown> {
    return this.#ask(lookScript, [this.#keyOf(name)], name, []);
  }

  /** Asks about a write, by the name that the version before gave it, too, where the receipts of its key are of that version. */
  async #ask(script: Script, keys: readonly string[], name: KeptName & Partial<ReceiptName>, values: Values) {
    const ask = (operation: string, write: string) =>
      this.#run(script, keys, [operation, `at ${write}`, `${name.key} ${write}`, ...values]);
    const answer = await ask('', `${name.mutation} ${name.place}`);
    const earlier = Array.isArray(answer) && answer[0] === EARLIER ? name.earlier : undefined;
    return earlier ? ask(earlier.operation, earlier.place) : answer;
  }

  /**
   * Runs a script, which Redis knows by its hash from the second time on.
   *
   * @returns the answer, whose type has to be checked; AWAY as of `SharedStore.run`
   */
  #run({ text, sha1 }: Script, keys: readonly string[], values: Values): Promise<unknown> {
    const { store, longestLeaseMs } = this.#options;
    const given = [...keys, ...values, longestLeaseMs];
    return store.run<unknown>(async (redis) => {
      try {
        return await redis.evalsha(sha1, keys.length, ...given);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return redis.eval(text, keys.length, ...given);
      }
    });
  }

  /** The keys of `beginScript`, in their order. */
  #keysOf(name: KeptName, attempt: string): string[] {
    const { store } = this.#options;
    const { all, newcomers, credentials } = this.#keys;
    return [
      ...[this.#keyOf(name), store.key('receipts', `of ${name.credential}`), all],
      ...[store.key('receipt-withdrawn', attempt), store.key('receipt-accepted', name.credential)],
      ...[newcomers, store.key('receipts', `at ${name.network}`), credentials],
      ...(name.twins === undefined ? [] : [store.key('receipt-twins', name.twins)]),
    ];
  }

  #keyOf({ key }: KeptName): string {
    return this.#options.store.key('receipt', key);
  }

  /** Only a creation claims its record. */
  #claimOf({ twins, records = '' }: KeptName, id: string): string[] {
    return twins === undefined ? [] : [this.#options.store.key('receipt-claim', `${records} ${id}`)];
  }
}

type Values = readonly (string | number)[];

const STATES = { APPLIED: 'A', UNKNOWN: 'U', REFUSED: 'R' } as const;

/** A name that may be kept after the write: nothing but its hashes. */
function hashesOf({ key, mutation, place, credential, network, twins, records }: KeptName): KeptName {
  return { key, mutation, place, credential, network, twins, records };
}

/** A time of upstream, which may not be known, in a receipt. */
function timeText(time: number | undefined): string {
  return time === undefined ? '-' : String(time);
}

function idText(id: string | undefined): string {
  return id === undefined ? '' : `=${id}`;
}

function idIn(text: string): string | undefined {
  return text.startsWith('=') ? keptId(text.slice(1)) : undefined;
}

/** @returns undefined for what is no number that a clock or a counter has */
function numberIn(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,16}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}
