import type { Reply } from '../redis/stub-redis.ts';

/**
 * Answers of a Redis that has the two scripts of turns, done in JavaScript. test/servers/preconditions.test.ts runs the scripts
 * themselves.
 */
export function turnsRedis(clock = Date.now): Reply {
  const places = new Map<string, { token: string; till: number }[]>();
  return ([name = '', ...given]) => {
    const [key = '', token = '', ...times] = given.slice(2);
    if (name.toLowerCase() !== 'eval') return '+OK\r\n';
    const now = clock();
    const known = places.get(key) ?? [];
    const [leaseMs, placeMs] = times.map(Number);
    if (leaseMs === undefined || placeMs === undefined) {
      places.set(
        key,
        known.filter((place) => place.token !== token),
      );
      return ':1\r\n';
    }
    const kept = known.filter((place) => place.token === token || place.till > now);
    const own = kept.find((place) => place.token === token) ?? { token, till: 0 };
    if (!kept.includes(own)) kept.push(own);
    const hasTurn = kept[0] === own;
    own.till = now + (hasTurn ? leaseMs : placeMs);
    places.set(key, kept);
    return hasTurn ? ':1\r\n' : ':0\r\n';
  };
}
