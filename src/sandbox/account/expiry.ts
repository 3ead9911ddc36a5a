import { z } from 'zod';

const isoDate = z.iso.date();
const dayMs = 24 * 60 * 60 * 1000;

/**
 * A date and a time in ISO 8601, with or without seconds, fractions and a zone. Not documented (A201): a blank in place
 * of the `T` or before the zone.
 */
const datetime =
  /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d|:60)?([.,]\d+)?(?: ?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/i;

/** Whether a text is a date or a datetime, in ISO 8601. */
export function isExpiry(text: string): boolean {
  return isDate(text) || parseDatetime(text) !== null;
}

/** Whether a token with this `expires_at` no longer works. */
export function hasExpired(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && now.getTime() >= expiryTime(expiresAt);
}

/** Not documented (A16): a date lets the token work through the end of that day in UTC. */
function expiryTime(expiresAt: string): number {
  return isDate(expiresAt) ? Date.parse(expiresAt) + dayMs : (parseDatetime(expiresAt) ?? 0);
}

function isDate(text: string): boolean {
  return isoDate.safeParse(text).success;
}

/** Milliseconds since 1970, null when the text is no datetime. Not documented (A17): without a zone it is UTC. */
function parseDatetime(text: string): number | null {
  const [, date = '', minutes, seconds = ':00', fraction = '', zone = 'Z'] = datetime.exec(text) ?? [];
  if (minutes === undefined || !isDate(date)) return null;
  const second = seconds.replace('60', '59'); // JavaScript knows no leap second
  return Date.parse(`${date}T${minutes}${second}${fraction.replace(',', '.')}${withColon(zone)}`);
}

/** `+02:00` of `+0200` and `+02`. */
function withColon(zone: string): string {
  const [sign = '', ...digits] = zone.replace(':', '');
  return digits.length === 0 ? 'Z' : `${sign}${digits.join('').padEnd(4, '0').replace(/^\d\d/, '$&:')}`;
}
