import { createHash } from 'node:crypto';
import type { SharedStore } from '../redis/shared-store.ts';

/** A script of Redis: its steps are one, for all gateways. Its times are those of Redis' own clock, in milliseconds. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/**
 * Runs a script, which Redis knows by its hash from the second time on.
 *
 * @returns the answer, whose type has to be checked; AWAY as of `SharedStore.run`
 */
export function runScript(
  store: Pick<SharedStore, 'run'>,
  { text, sha1 }: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  return store.run<unknown>(async (redis) => {
    try {
      return await redis.evalsha(sha1, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(text, keys.length, ...keys, ...values);
    }
  });
}

/**
 * A receipt is a field of the hash of its key: `state attempt begun lease expires sent ended id`. The state is O, U or A for OPEN,
 * UNKNOWN and APPLIED, `lease` is its end, a time that is not known is `-`, and an id has a `=` before it. The hash has the operation, too.
 *
 * Keys: the hash, and sorted sets of receipts by the time when they expire: those of the owner, and all of them.
 */
const COMMON = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function whole(number) return string.format('%.0f', number) end

local function receipt(field)
  local text = redis.call('HGET', KEYS[1], field)
  if not text then return nil end
  local state, attempt, begun, lease, expires, sent, ended, id =
    string.match(text, '^(%u) (%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (.*)$')
  local found = {
    state = state, attempt = attempt, begun = tonumber(begun), lease = tonumber(lease), expires = tonumber(expires),
    sent = sent, ended = ended, id = id
  }
  if found.expires <= now then return nil end
  if state == 'O' and found.lease <= now then found.state = 'U' end
  return found
end

local function write(field, r)
  redis.call('HSET', KEYS[1], field, table.concat(
    {r.state, r.attempt, whole(r.begun), whole(r.lease), whole(r.expires), r.sent, r.ended, r.id}, ' '))
end

local function answer(found)
  if found.state == 'O' then return {'OPEN'} end
  if found.state == 'A' then return {'APPLIED', found.id} end
  return {'UNKNOWN', whole(now - found.begun), found.sent, found.ended}
end

local function isReused(operation)
  local bound = redis.call('HGET', KEYS[1], 'operation')
  return bound and bound ~= operation
end

local function keep(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, whole(ms)) end
end

local function list(key, member, expires)
  redis.call('ZADD', key, whole(expires), member)
  keep(key, expires - now)
end

local function count(key)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(now))
  return redis.call('ZCARD', key)
end

local function add(operation, field, member, r)
  redis.call('HSET', KEYS[1], 'operation', operation)
  write(field, r)
  keep(KEYS[1], r.expires - now)
  list(KEYS[2], member, r.expires)
  list(KEYS[3], member, r.expires)
end
`;

/**
 * Begins an attempt, or tells the receipt that is there.
 *
 * Keys: as above, that of the withdrawn attempt, and for a creation the sorted set of its twins whose record is not known.
 * Answers `NEW kept`, `OPEN`, `APPLIED id`, `UNKNOWN msAgo sent ended`, `REUSED`, `FULL`, or `WITHDRAWN`.
 */
export const beginScript = script(`
local operation, field, member, attempt, sent = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local leaseMs, ttlMs, max = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
if redis.call('EXISTS', KEYS[4]) == 1 then return {'WITHDRAWN'} end
if isReused(operation) then return {'REUSED'} end
local found = receipt(field)
if found then return answer(found) end
local kept = count(KEYS[3])
if count(KEYS[2]) >= max - kept then return {'FULL'} end
local expires = now + math.max(ttlMs, leaseMs)
add(operation, field, member, {
  state = 'O', attempt = attempt, begun = now, lease = now + leaseMs, expires = expires, sent = sent, ended = '-', id = ''
})
if KEYS[5] then list(KEYS[5], member, expires) end
return {'NEW', whole(kept + 1)}
`);

/**
 * Tells the end of an attempt: A, U, or R for REFUSED; W for an attempt that is withdrawn, which cannot begin from then on.
 * An end of which Redis has lost the receipt is a receipt, too, whether there is room or not: it was begun once.
 *
 * Keys: as of `beginScript`, and for a creation that is APPLIED with an id the claim to its record.
 */
export const endScript = script(`
local operation, field, member, attempt = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local state, id, ended, ttlMs, withdrawnMs = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9]
if state == 'W' then redis.call('SET', KEYS[4], '1', 'PX', withdrawnMs) end
local found = receipt(field)
if state == 'W' or state == 'R' then
  if not found or found.attempt ~= attempt or found.state == 'A' then return 'OK' end
  redis.call('HDEL', KEYS[1], field)
  if redis.call('HLEN', KEYS[1]) < 2 then redis.call('DEL', KEYS[1]) end
  redis.call('ZREM', KEYS[2], member)
  redis.call('ZREM', KEYS[3], member)
  if KEYS[5] then redis.call('ZREM', KEYS[5], member) end
  return 'OK'
end
if found then
  if found.attempt ~= attempt or found.state == 'A' then return 'OK' end
else
  if isReused(operation) then return 'OK' end
  if redis.call('EXISTS', KEYS[4]) == 1 then return 'OK' end
  found = { attempt = attempt, begun = now, lease = now, expires = now + ttlMs, sent = '-', state = state, ended = '-', id = '' }
  add(operation, field, member, found)
  if KEYS[5] then list(KEYS[5], member, found.expires) end
end
found.state, found.id, found.ended = state, id, ended
write(field, found)
if KEYS[6] then
  redis.call('ZREM', KEYS[5], member)
  redis.call('SET', KEYS[6], member, 'PX', whole(found.expires - now), 'NX')
end
return 'OK'
`);

/**
 * Makes an UNKNOWN receipt APPLIED. Answers 1 when it is APPLIED with that id.
 *
 * Keys: the hash of the key, and for a creation the sorted set of its twins, and the claim to the record.
 */
export const claimScript = script(`
local field, member, id = ARGV[1], ARGV[2], ARGV[3]
local found = receipt(field)
if not found or found.state == 'O' then return 0 end
if found.state == 'A' then return found.id == id and 1 or 0 end
if KEYS[2] then
  local twins = count(KEYS[2])
  if redis.call('ZSCORE', KEYS[2], member) then twins = twins - 1 end
  if twins > 0 then return 0 end
  local claimed = redis.call('GET', KEYS[3])
  if claimed and claimed ~= member then return 0 end
  redis.call('SET', KEYS[3], member, 'PX', whole(found.expires - now))
  redis.call('ZREM', KEYS[2], member)
end
found.state, found.id = 'A', id
write(field, found)
return 1
`);

/** The result of `lookScript` when there is no receipt. */
export const NO_RECEIPT = 'NONE';

/** Returns the existing receipt in the form of `beginScript`, or NO_RECEIPT. Keys: the hash of the key. */
export const lookScript = script(`
if isReused(ARGV[1]) then return {'REUSED'} end
local found = receipt(ARGV[2])
return found and answer(found) or '${NO_RECEIPT}'
`);

function script(body: string): Script {
  const text = `${COMMON}${body}`;
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
