import { createHash } from 'node:crypto';
import { MIN_EVICTED_MS } from './memory-receipts.ts';

/** A script of Redis: its steps are one, for all gateways. Its times are those of Redis' own clock, in milliseconds. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/** In the place of the operation that the version before has there. It must differ from every hash. */
const MARK = 'writes';

/**
 * The answer of a script when the hash is that of another operation of the version before. The first argument of a script is the
 * operation by which that version would name the write, or empty for the name that this one gives it.
 */
export const EARLIER = 'EARLIER';

/** For how long a credential counts as accepted after its last accepted write, in milliseconds. */
const ACCEPTED_MS = 30 * 86_400_000;

/** The number of credentials that one eviction looks at. */
const MAX_SEARCHED = 100;

/**
 * A receipt is a field of the hash of its key: `state attempt begun lease expires sent ended id`. The state is O, U or A for OPEN,
 * UNKNOWN and APPLIED, `lease` is its end, a time that is not known is `-`, and an id has a `=` before it. Its name is
 * `at mutation write ...`. The hash has a mark, too, where the version before has the one operation of the key: it refuses each other.
 *
 * Keys of all scripts but `lookScript`:
 * 1. the hash
 * 2. a sorted set of receipts by the time when they expire: those of the credential that are not APPLIED. Those that are have a set of
 *    their own, with the hash in each member, as eviction needs it
 * 3. all receipts, in the same order
 * 4. the withdrawal of the attempt
 * 5. whether upstream has accepted the credential
 * 6. and 7. the receipts of credentials that it has not accepted: all of them, and those of the network
 * 8. credentials by the number of their receipts, which may have expired since
 *
 * The last argument is the longest lease: after the clock of Redis went back, a lease that ends later has ended.
 */
const COMMON = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local longestLease = tonumber(ARGV[#ARGV])
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
  if state == 'O' and (found.lease <= now or found.lease > now + longestLease) then found.state = 'U' end
  return found
end

local function write(field, r)
  redis.call('HSET', KEYS[1], field, table.concat(
    {r.state, r.attempt, whole(r.begun), whole(r.lease), whole(r.expires), r.sent, r.ended, r.id}, ' '))
end

local function answer(found)
  if found.state == 'O' then return {'OPEN'} end
  if found.state == 'A' then return {'APPLIED', found.id} end
  return {'UNKNOWN', whole(math.max(0, now - found.begun)), found.sent, found.ended}
end

local function isOfEarlierVersion()
  local operation = redis.call('HGET', KEYS[1], 'operation')
  return operation and operation ~= '${MARK}' and operation ~= ARGV[1]
end

local function leastCertain(isMeant)
  local states = {}
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    local found = field ~= 'operation' and (not isMeant or isMeant(field)) and receipt(field)
    if found and found.state == 'U' then return 'UNKNOWN' end
    if found then states[found.state] = true end
  end
  return states.O and 'OPEN' or states.A and 'APPLIED'
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

local function sizeOf(credential) return count(credential) + count(credential .. ':applied') end

local function rank(credential, size)
  if size == 0 then redis.call('ZREM', KEYS[8], credential) else redis.call('ZADD', KEYS[8], size, credential) end
end

local function drop(key, field)
  redis.call('HDEL', key, field)
  if redis.call('HLEN', key) < 2 then redis.call('DEL', key) end
end

local function isAccepted() return redis.call('EXISTS', KEYS[5]) == 1 end

local function add(field, member, r)
  redis.call('HSET', KEYS[1], 'operation', '${MARK}')
  write(field, r)
  keep(KEYS[1], r.expires - now)
  local size = sizeOf(KEYS[2])
  for _, set in ipairs(isAccepted() and {2, 3} or {2, 3, 6, 7}) do list(KEYS[set], member, r.expires) end
  rank(KEYS[2], size + 1)
  keep(KEYS[8], r.expires - now)
end

local function accept(member, r)
  if not isAccepted() then
    for _, each in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
      for set = 6, 7 do redis.call('ZREM', KEYS[set], each) end
    end
  end
  redis.call('SET', KEYS[5], '1', 'PX', '${ACCEPTED_MS}')
  redis.call('ZREM', KEYS[2], member)
  list(KEYS[2] .. ':applied', KEYS[1] .. ' ' .. member, r.expires)
end
`;

/**
 * Begins an attempt, or tells the receipt that is there.
 *
 * Has the rules of `MemoryReceipts` for its room. Keys: as above, and for a creation the sorted set of its twins whose record is not known.
 * Answers `NEW`, `OPEN`, `APPLIED id`, `UNKNOWN msAgo sent ended`, `REUSED state`, `EARLIER state`, `FULL`,
 * or `WITHDRAWN`. Without a state it is not known.
 */
export const beginScript = script(`
local operation, field, member, attempt, sent = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local leaseMs, ttlMs, max, mutation = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
if redis.call('EXISTS', KEYS[4]) == 1 then return {'WITHDRAWN'} end
if isOfEarlierVersion() then return {'${EARLIER}', leastCertain()} end
local found = receipt(field)
if found then return answer(found) end
if operation ~= '' then return {'REUSED', leastCertain()} end
local writes = {}
for at = 10, #ARGV - 1 do writes[ARGV[at]] = true end
local other = leastCertain(function(each)
  local of, write = string.match(each, '^at (%S+) (%S+)')
  return of == mutation and not writes[write]
end)
if other then return {'REUSED', other} end
local tenth, accepted = math.ceil(max / 10), isAccepted()
local newcomers = count(KEYS[6])
local function isFull()
  local all = count(KEYS[3])
  if not accepted then return all >= max end
  if all - newcomers < max - tenth * 2 then return false end
  return all - newcomers >= max - tenth or sizeOf(KEYS[2]) > 0
end
local function evict()
  local own, at = sizeOf(KEYS[2]), 0
  for _ = 1, ${MAX_SEARCHED} do
    local credential, size = unpack(redis.call('ZREVRANGE', KEYS[8], at, at, 'WITHSCORES'))
    if not credential or tonumber(size) < own then return end
    local actual = sizeOf(credential)
    rank(credential, actual)
    if actual == tonumber(size) then
      local set, oldest = credential .. ':applied', now + ttlMs - ${MIN_EVICTED_MS}
      local old = redis.call('ZRANGEBYSCORE', set, '-inf', whole(oldest), 'LIMIT', 0, math.ceil(max / 100))
      for _, each in ipairs(old) do
        local key, member, place = string.match(each, '^(%S+) (%S+ (.*))$')
        drop(key, 'at ' .. place)
        redis.call('ZREM', set, each)
        redis.call('ZREM', KEYS[3], member)
      end
      if #old > 0 then
        rank(credential, actual - #old)
        return
      end
      at = at + 1
    end
  end
end
if not accepted and count(KEYS[7]) >= tenth - newcomers then return {'FULL'} end
if isFull() then
  evict()
  if isFull() then return {'FULL'} end
end
redis.call('ZREMRANGEBYRANK', KEYS[8], 0, -max - 1)
local expires = now + math.max(ttlMs, leaseMs)
add(field, member, {
  state = 'O', attempt = attempt, begun = now, lease = now + leaseMs, expires = expires, sent = sent, ended = '-', id = ''
})
if KEYS[9] then list(KEYS[9], member, expires) end
return {'NEW'}
`);

/**
 * Tells the end of an attempt: A, U, or R for REFUSED; W for an attempt that is withdrawn, which cannot begin from then on.
 * An end of which Redis has lost the receipt is a receipt, too, whether there is room or not: it was begun once.
 *
 * Keys: as of `beginScript`, and for a creation that is APPLIED with an id the claim to its record.
 */
export const endScript = script(`
local field, member, attempt = ARGV[2], ARGV[3], ARGV[4]
local state, id, ended, ttlMs, withdrawnMs = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9]
if state == 'W' then redis.call('SET', KEYS[4], '1', 'PX', withdrawnMs) end
local found = receipt(field)
if state == 'W' or state == 'R' then
  if not found or found.attempt ~= attempt or found.state == 'A' then return 'OK' end
  drop(KEYS[1], field)
  for _, set in ipairs({2, 3, 6, 7}) do redis.call('ZREM', KEYS[set], member) end
  if KEYS[9] then redis.call('ZREM', KEYS[9], member) end
  rank(KEYS[2], sizeOf(KEYS[2]))
  return 'OK'
end
if found then
  if found.attempt ~= attempt or found.state == 'A' then return 'OK' end
else
  if isOfEarlierVersion() then return 'OK' end
  if redis.call('EXISTS', KEYS[4]) == 1 then return 'OK' end
  found = { attempt = attempt, begun = now, lease = now, expires = now + ttlMs, sent = '-', state = state, ended = '-', id = '' }
  add(field, member, found)
  if KEYS[9] then list(KEYS[9], member, found.expires) end
end
found.state, found.id, found.ended = state, id, ended
write(field, found)
if state == 'A' then accept(member, found) end
if KEYS[10] then
  redis.call('ZREM', KEYS[9], member)
  redis.call('SET', KEYS[10], member, 'PX', whole(found.expires - now), 'NX')
end
return 'OK'
`);

/**
 * Makes an UNKNOWN receipt APPLIED. Answers 1 when it is APPLIED with that id.
 *
 * Keys: as of `beginScript`, and for a creation the claim to the record.
 */
export const claimScript = script(`
local field, member, id = ARGV[2], ARGV[3], ARGV[4]
if isOfEarlierVersion() then return {'${EARLIER}'} end
local found = receipt(field)
if not found or found.state == 'O' then return 0 end
if found.state == 'A' then return found.id == id and 1 or 0 end
if KEYS[9] then
  local twins = count(KEYS[9])
  if redis.call('ZSCORE', KEYS[9], member) then twins = twins - 1 end
  if twins > 0 then return 0 end
  local claimed = redis.call('GET', KEYS[10])
  if claimed and claimed ~= member then return 0 end
  redis.call('SET', KEYS[10], member, 'PX', whole(found.expires - now))
  redis.call('ZREM', KEYS[9], member)
end
found.state, found.id = 'A', id
write(field, found)
accept(member, found)
return 1
`);

/** The result of `lookScript` when there is no receipt. */
export const NO_RECEIPT = 'NONE';

/** Returns the existing receipt in the form of `beginScript`, or NO_RECEIPT. Keys: the hash of the key. */
export const lookScript = script(`
if isOfEarlierVersion() then return {'${EARLIER}'} end
local found = receipt(ARGV[2])
return found and answer(found) or '${NO_RECEIPT}'
`);

function script(body: string): Script {
  const text = `${COMMON}${body}`;
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
