import { z } from 'zod';

const date = z.iso.date();
const dateOrDatetime = z.union([date, z.iso.datetime({ offset: true, local: true })]);
const dayMs = 24 * 60 * 60 * 1000;

/** Whether a text is a date or a datetime, in ISO 8601. */
export function isExpiry(text: string): boolean {
  return dateOrDatetime.safeParse(text).success;
}

/** Whether a token with this `expires_at` no longer works. */
export function hasExpired(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && now.getTime() >= expiryTime(expiresAt);
}

/**
 * Not documented (A16, A17): a date lets the token work through the end of that day in UTC; without a zone it is UTC.
 */
function expiryTime(expiresAt: string): number {
  if (date.safeParse(expiresAt).success) return Date.parse(expiresAt) + dayMs;
  const zoned = /(Z|[+-]\d\d:\d\d)$/.test(expiresAt);
  return Date.parse(zoned ? expiresAt : `${expiresAt}Z`);
}
