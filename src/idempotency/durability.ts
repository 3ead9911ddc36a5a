import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AWAY, type SharedStore } from '../redis/shared-store.ts';

/** The wait before Redis is asked again while it is away, in milliseconds. */
const RETRY_MS = 5_000;

/** The persistence and eviction settings of Redis. Undefined where it does not tell them. */
interface Durability {
  /** Whether it keeps an append-only file. */
  readonly hasFile: boolean | undefined;
  /** Whether it may delete receipts before their time when its memory is full. */
  readonly mayEvict: boolean | undefined;
  /** `appendfsync`: when the file is written to the disk. */
  readonly sync: keyof typeof LOST | undefined;
}

/**
 * Logs what a crash of Redis can lose: a warning where it keeps no append-only file, may evict receipts, or does not say so.
 * While Redis is away it is asked again.
 *
 * @param signal ends it
 */
export async function logDurability(store: Pick<SharedStore, 'run'>, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const durability = await readDurability(store);
    if (durability !== undefined) {
      tell(log, durability);
      return;
    }
    await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

function tell(log: Logger, { hasFile, mayEvict, sync }: Durability): void {
  if (hasFile === false)
    log.warn('redis keeps no append-only file: a crash of it loses receipts of writes, see docs/scale.md');
  if (mayEvict === true) log.warn('redis may evict receipts of writes: set maxmemory-policy to noeviction');
  if (hasFile === undefined || mayEvict === undefined)
    log.warn('redis does not say whether it keeps an append-only file and evicts nothing, see docs/scale.md');
  if (hasFile === true)
    log.info({ crashLoses: LOST[sync ?? 'everysec'] }, 'redis keeps receipts of writes in an append-only file');
}

/** The receipts that a crash of Redis, or of its machine, can lose, by the value of `appendfsync`. */
const LOST = {
  always: 'no receipt of a write',
  everysec: 'the receipts of up to a second, or two while its disk is slow',
  no: 'the receipts that the system has not written to the disk yet: those of half a minute, often',
};

/** Managed servers often forbid CONFIG, and INFO tells most of it. @returns undefined while Redis is away */
async function readDurability(store: Pick<SharedStore, 'run'>): Promise<Durability | undefined> {
  const answers = await store.run((redis) =>
    Promise.all([
      redis.info('persistence').catch(onRefusal),
      redis.info('memory').catch(onRefusal),
      redis.config('GET', 'appendfsync').catch(onRefusal),
    ]),
  );
  if (answers === AWAY) return undefined;
  const [persistence, memory, config] = answers;
  const file = valueIn(persistence, 'aof_enabled');
  const policy = valueIn(memory, 'maxmemory_policy');
  return {
    hasFile: file === undefined ? undefined : file === '1',
    mayEvict: policy === undefined ? undefined : policy !== 'noeviction' && valueIn(memory, 'maxmemory') !== '0',
    sync: syncIn(config),
  };
}

/** Redis refuses a command that the user may not send. @throws other errors, such as that of a lost connection */
function onRefusal(error: unknown): undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
}

/** Reads a line of INFO: `name:value`. */
function valueIn(info: unknown, name: string): string | undefined {
  if (typeof info !== 'string') return undefined;
  const line = info.split('\r\n').find((text) => text.startsWith(`${name}:`));
  return line?.slice(name.length + 1);
}

/** Reads the answer to CONFIG GET: `[name, value]`. */
function syncIn(config: unknown): keyof typeof LOST | undefined {
  const value: unknown = Array.isArray(config) ? config[1] : undefined;
  return value === 'always' || value === 'everysec' || value === 'no' ? value : undefined;
}
