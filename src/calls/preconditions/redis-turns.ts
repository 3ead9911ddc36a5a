import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TurnTimes } from './record-turns.ts';
import type { SharedStore } from '../../redis/shared-store.ts';
import { LocalTurns } from './local-turns.ts';

/** A process that waits asks Redis again after this time, in milliseconds, which doubles. */
const FIRST_ASK_MS = 5;
const MAX_ASK_MS = 40;

/** A process that does not ask for this time, in milliseconds, loses its place. */
const PLACE_MS = 1_000;

/** More processes do not wait for one record at a time. */
const MAX_PROCESSES = 100;

/**
 * A list of `token time` in the order of coming, under the key of a record: the first one has the turn until that time, by the
 * clock of Redis, and the others wait, each until its time. It holds random tokens, and no name.
 *
 * KEYS[1] the record. ARGV the token, the lease, the time of a place, the most places, and the longest lease, in milliseconds: when the
 * clock went back, a lease that ends later has ended.
 * Returns 1 for the turn, 0 for a place, -1 where there is none left.
 */
const TAKE = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local known, kept, place = redis.call('LRANGE', KEYS[1], 0, -1), {}, nil
for _, entry in ipairs(known) do
  local token, till = string.match(entry, '^(%S+) (%d+)$')
  if token == ARGV[1] then
    kept[#kept + 1] = token
    place = #kept
  elseif token and tonumber(till) > now and tonumber(till) <= now + ARGV[5] then
    kept[#kept + 1] = entry
  end
end
if not place then
  if #kept >= tonumber(ARGV[4]) then return -1 end
  kept[#kept + 1] = ARGV[1]
  place = #kept
end
local ms = place == 1 and ARGV[2] or ARGV[3]
kept[place] = ARGV[1] .. ' ' .. string.format('%.0f', now + ms)
local last = now
for _, entry in ipairs(kept) do last = math.max(last, tonumber(string.match(entry, '(%d+)$'))) end
redis.call('DEL', KEYS[1])
redis.call('RPUSH', KEYS[1], unpack(kept))
redis.call('PEXPIRE', KEYS[1], math.ceil(last - now) + 1)
return place == 1 and 1 or 0
`;

/** Gives up the turn, or the place. KEYS[1] the record, ARGV[1] the token. */
const LEAVE = `
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(entry, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then redis.call('LREM', KEYS[1], 1, entry) end
end
return 1
`;

type Store = Pick<SharedStore, 'key' | 'run' | 'report'>;

/**
 * The turns of all processes that share a Redis. Those of one process queue in it, and the first of them in Redis, so that
 * processes take turns, too.
 *
 * The lease is counted from before Redis is asked, so that it ends here before it ends there. A Redis that loses its data loses
 * the turns under way.
 *
 * @see docs/decisions/0057-writes-that-find-a-record-unchanged.md
 */
export class RedisTurns extends LocalTurns {
  readonly #store: Store;
  readonly #longestLeaseMs: number;

  constructor(store: Store, longestLeaseMs: number) {
    super((record) => store.key('turn', record));
    this.#store = store;
    this.#longestLeaseMs = longestLeaseMs;
  }

  protected override async takeShared(key: string, { leaseMs, gone }: TurnTimes, until: number) {
    const token = randomBytes(9).toString('base64url');
    const end = () => void this.#store.run((redis) => redis.eval(LEAVE, 1, key, token));
    for (let askMs = FIRST_ASK_MS; ; askMs = Math.min(askMs * 2, MAX_ASK_MS)) {
      const endsAt = performance.now() + leaseMs;
      const args = [token, Math.ceil(leaseMs), PLACE_MS, MAX_PROCESSES, this.#longestLeaseMs + PLACE_MS];
      const answer: unknown = await this.#store.run((redis) => redis.eval(TAKE, 1, key, ...args));
      if (answer === 1) return { endsAt, end };
      if (answer !== 0) {
        end(); // it may have been carried out, and answered too late
        if (answer === -1) return 'FULL';
        return this.#store.report.redis === 'refusing' ? 'REFUSED' : 'AWAY';
      }
      if (gone?.happened || performance.now() + askMs >= until) {
        end();
        return 'LATE';
      }
      await delay(askMs * (0.5 + Math.random() / 2), undefined, { ref: false });
    }
  }
}
