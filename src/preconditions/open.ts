import type { RecordTurns } from '../http/session/record-turns.ts';
import type { KeyedHash, SharedStore } from '../redis/shared-store.ts';
import { LocalTurns } from './local-turns.ts';

/**
 * Opens the turns of writes that must find a record unchanged: over Redis where there is one, else those of all workers, else
 * those of this process. The code of those over Redis is loaded only then.
 *
 * @param workers those that the primary of the workers keeps; takes keyed hashes of records. Undefined in a process that is no worker
 */
export async function openTurns(
  hash: KeyedHash,
  store: SharedStore | undefined,
  workers: RecordTurns | undefined,
  longestLeaseMs: number,
): Promise<RecordTurns> {
  if (store) return new (await import('./redis-turns.ts')).RedisTurns(store, longestLeaseMs);
  if (!workers) return new LocalTurns(hash);
  return {
    isBusy: (record) => workers.isBusy(hash(record)),
    take: (record, times) => workers.take(hash(record), times),
  };
}
