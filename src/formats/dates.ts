// Dates and instants as texts. The documents do not say how upstream writes them.

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE_LENGTH = '2010-05-01'.length;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/i;

/** Whether a text is a date of the calendar, such as `2026-03-01`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  // Only days after the 28th need the calendar. Skipping it saves time in a long list.
  return Number(text.slice(8)) <= 28 || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

/** Whether a text is an ISO 8601 instant. Upstream may leave out the zone; the gateway adds none. */
export function isDateTime(text: string): boolean {
  const separator = text.charAt(DATE_LENGTH);
  if (separator !== 'T' && separator !== 't') return false;
  return TIME.test(text.slice(DATE_LENGTH + 1)) && isDate(text.slice(0, DATE_LENGTH));
}

/** A time of day, perhaps with a zone. */
const LOOSE_TIME = String.raw`(?<time>\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)`;
const ZONE = String.raw`(?<zone>UTC|GMT|Z|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?)`;
const NAMED_DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const NAMED_MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';

/** Other forms than ISO 8601 that can be read in one way only. */
const OTHER_FORMS = [
  // 2010/05/01, 2010-05-01 08:00:00 +0200
  new RegExp(String.raw`^(?<year>\d{4})([-/])(?<month>\d\d)\2(?<day>\d\d)(?:[T\s]\s*${LOOSE_TIME}\s*${ZONE}?)?$`, 'i'),
  // Sat, 01 May 2010 08:00:00 +0000
  new RegExp(
    String.raw`^(?:${NAMED_DAY},\s+)?(?<day>\d\d?)\s+${NAMED_MONTH}\s+(?<year>\d{4})\s+${LOOSE_TIME}\s*${ZONE}?$`,
    'i',
  ),
  // Sat May 01 08:00:00 +0200 2010
  new RegExp(
    String.raw`^${NAMED_DAY}\s+${NAMED_MONTH}\s+(?<day>\d\d?)\s+${LOOSE_TIME}\s+(?:${ZONE}\s+)?(?<year>\d{4})$`,
    'i',
  ),
];

/**
 * Seconds since 1970, of the years from 1973 to 5138. The same digits as milliseconds would be before March 1973, and no other
 * form of a date has so many.
 */
const UNIX_SECONDS = /^[1-9]\d{8,10}$/;

/**
 * Reads a date or an instant into the form of ISO 8601. Not documented (A204): other forms, those above. An instant keeps its
 * own zone, or has none.
 *
 * @param value a text, or a number of seconds since 1970
 * @returns a date such as `2010-05-01` or an instant such as `2010-05-01T08:00:00+02:00`; undefined for any other value
 */
export function readDateOrDateTime(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  return readCalendar(text) ?? (UNIX_SECONDS.test(text.trim()) ? ofUnixTime(Number(text)) : undefined);
}

/** Reads an instant as `readDateOrDateTime` does. Not documented (A205): a date stands for its midnight in UTC. */
export function readDateTime(value: unknown): string | undefined {
  const read = readDateOrDateTime(value);
  return read !== undefined && isDate(read) ? `${read}T00:00:00Z` : read;
}

/**
 * Reads a date as `readDateOrDateTime` does, but no seconds since 1970. Not documented (A205): an instant stands for the date in
 * its own zone.
 */
export function readDate(value: unknown): string | undefined {
  return typeof value === 'string' ? readCalendar(value)?.slice(0, DATE_LENGTH) : undefined;
}

function readCalendar(text: string): string | undefined {
  if (isDateTime(text) ? !hasBareZone(text) : isDate(text)) return text;
  const trimmed = text.trim();
  for (const form of OTHER_FORMS) {
    const { year, month = '', day = '', time, zone } = form.exec(trimmed)?.groups ?? {};
    if (year === undefined) continue;
    const date = `${year}-${monthDigits(month)}-${day.padStart(2, '0')}`;
    const read = time === undefined ? date : `${date}T${time.replace(',', '.')}${isoZone(zone)}`;
    return isDate(read) || isDateTime(read) ? read : undefined;
  }
  return undefined;
}

/** Whether an instant ends with a zone such as `+0200`. ISO 8601 has a colon in it, where the time has colons. */
function hasBareZone(dateTime: string): boolean {
  const sign = dateTime.charAt(dateTime.length - '+0200'.length);
  return sign === '+' || sign === '-';
}

/** Writes a zone as `Z` or with a colon: `+02`, `+0200` and `GMT+02:00` become `+02:00`. */
function isoZone(zone: string | undefined): string {
  if (zone === undefined) return '';
  const offset = zone.replace(/^[a-z]+/i, '');
  return offset === '' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function monthDigits(month: string): string {
  const position = MONTHS.indexOf(month.toLowerCase());
  return position === -1 ? month : String(position + 1).padStart(2, '0');
}

function ofUnixTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}
