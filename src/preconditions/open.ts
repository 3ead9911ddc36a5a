import type { RecordTurns } from '../http/session/record-turns.ts';
import type { KeyedHash, SharedStore } from '../redis/shared-store.ts';
import { LocalTurns } from './local-turns.ts';

/**
 * Opens the turns of writes that must find a record unchanged: over Redis where there is one, else those
 * of this process. The code of those over Redis is loaded only then.
 */
export async function openTurns(
  hash: KeyedHash,
  store: SharedStore | undefined,
  longestLeaseMs: number,
): Promise<RecordTurns> {
  if (store) return new (await import('./redis-turns.ts')).RedisTurns(store, longestLeaseMs);
  return new LocalTurns(hash);
}
