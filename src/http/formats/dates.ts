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

/** A date, and a time and a zone if there are any: `2010/05/01 08:00:00 +0200`. */
const LOOSE = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[T\s]\s*(\d\d:\d\d[\d:.]*)\s*(UTC|Z|[+-][\d:]+)?)?$/i;

/**
 * Reads a date or an instant into the form of ISO 8601. Not documented (A204): other forms. A blank may stand for the `T`
 * and before the zone, `/` for `-`, and `UTC` for `Z`. Other zones stay as they are.
 *
 * @returns a date such as `2010-05-01` or an instant such as `2010-05-01T08:00:00+0200`; undefined for any other text
 */
export function readDateOrDateTime(text: string): string | undefined {
  if (isDateTime(text) || isDate(text)) return text;
  const [, year, , month, day, time, zone = ''] = LOOSE.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const read = time === undefined ? date : `${date}T${time}${/^utc$/i.test(zone) ? 'Z' : zone}`;
  return isDate(read) || isDateTime(read) ? read : undefined;
}

/** Reads an instant as `readDateOrDateTime` does. Not documented (A205): a date stands for its midnight in UTC. */
export function readDateTime(text: string): string | undefined {
  const read = readDateOrDateTime(text);
  return read !== undefined && isDate(read) ? `${read}T00:00:00Z` : read;
}

/** Reads a date as `readDateOrDateTime` does. Not documented (A205): an instant stands for the date in its own zone. */
export function readDate(text: string): string | undefined {
  return readDateOrDateTime(text)?.slice(0, DATE_LENGTH);
}
