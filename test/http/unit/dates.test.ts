import { expect, test } from 'vitest';
import { isDate, isDateTime, readDate, readDateOrDateTime, readDateTime } from '../../../src/formats/dates.ts';

test.each([
  ['2026-01-31', true],
  ['2024-02-29', true],
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['26-01-01', false],
  ['2026-01-01T00:00', false],
])('%s is in the calendar: %s', (date, valid) => {
  expect(isDate(date)).toBe(valid);
});

test.each([
  ['2026-01-01T00:00', true],
  ['2026-01-01t23:59:60.5z', true],
  ['2026-01-01T00:00:00+01:00', true],
  ['2026-01-01', false],
  ['2026-01-01T24:00', false],
  ['2026-02-30T00:00', false],
  ['2026-01-01T00:00T00:00', false],
  ['', false],
])('%s is an instant: %s', (instant, valid) => {
  expect(isDateTime(instant)).toBe(valid);
});

test.each([
  ['2010-05-01T08:00:00+02:00', '2010-05-01T08:00:00+02:00'],
  ['2010-05-01t08:00z', '2010-05-01t08:00z'],
  ['2010/05/01 08:00:00 +0200', '2010-05-01T08:00:00+02:00'],
  ['2030-01-01 08:00:00 +0200', '2030-01-01T08:00:00+02:00'],
  ['2010-05-01 08:00:00 UTC', '2010-05-01T08:00:00Z'],
  ['2026-11-26T17:41:16.000GMT-00:00', '2026-11-26T17:41:16.000-00:00'],
  ['2010-05-01T08:00:00UTC+02:00', '2010-05-01T08:00:00+02:00'],
  ['Sat, 01 May 2010 08:00:00 gmt+0200', '2010-05-01T08:00:00+02:00'],
  ['2010-05-01T08:00:00 utc', '2010-05-01T08:00:00Z'],
  ['2010-05-01 08:00', '2010-05-01T08:00'],
  ['2010-05-01  08:00:00.5  Z', '2010-05-01T08:00:00.5Z'],
  [' 2010-05-01T08:00:00Z\n', '2010-05-01T08:00:00Z'],
  ['2010-05-01T08:00:00+0200', '2010-05-01T08:00:00+02:00'],
  ['2010-05-01T08:00-0530', '2010-05-01T08:00-05:30'],
  ['2010-05-01T08:00:00+01', '2010-05-01T08:00:00+01:00'],
  ['2010-05-01 08:00:00 -03', '2010-05-01T08:00:00-03:00'],
  ['2010-05-01 08:00:00,25 +02:00', '2010-05-01T08:00:00.25+02:00'],
  ['2010-05-01 08:00:00 GMT', '2010-05-01T08:00:00Z'],
  ['Sat May 01 08:00:00 +0200 2010', '2010-05-01T08:00:00+02:00'],
  ['Sat May 01 08:00:00 UTC 2010', '2010-05-01T08:00:00Z'],
  ['Sat May  1 08:00:00 2010', '2010-05-01T08:00:00'],
  ['Sat, 01 May 2010 08:00:00 +0000', '2010-05-01T08:00:00+00:00'],
  ['Sat, 01 May 2010 08:00:00 GMT', '2010-05-01T08:00:00Z'],
  ['sat, 1 may 2010 08:00 -0330', '2010-05-01T08:00-03:30'],
  ['31 Dec 2010 23:59:60 UTC', '2010-12-31T23:59:60Z'],
  ['2010-05-01', '2010-05-01'],
  ['2010/05/01', '2010-05-01'],
])('upstream may write %j for %s', (written, read) => {
  const date = read.slice(0, 10);
  expect(readDateOrDateTime(written)).toBe(read);
  expect(readDate(written)).toBe(date);
  expect(readDateTime(written)).toBe(read === date ? `${date}T00:00:00Z` : read);
});

test.each([
  '',
  '2010/05-01',
  '2010-05-01T',
  '2010-02-30 08:00:00',
  '2010/02/30',
  '2010-05-01 24:00:00',
  '2010-05-01 08:00:00 CEST',
  '2010-05-01 08:00:00 +25:00',
  '2010-05-01 08:00:00 +0200 UTC',
  '2010-05-01 8:00',
  '01.05.2010',
  '05/01/2010',
  '1 May 2010',
  'Sat, 31 Feb 2010 08:00:00 GMT',
  'Sat, 01 Maj 2010 08:00:00 GMT',
  'Saturday, 01-May-10 08:00:00 GMT',
  'Sat, 01 May 2010 08:00:00 EST',
  'Sat, 01 May 2010',
  'Sat May 01 08:00:00 CEST 2010',
  'Sat May 01 08:00:00 +2500 2010',
  '2010-05-01T08:00:00+1',
  '20100501',
  '01272700800',
  '-1272700800',
  '1272700800.5',
  '1272700800000',
])('%j is neither a date nor an instant', (written) => {
  for (const read of [readDate, readDateTime, readDateOrDateTime]) expect(read(written)).toBeUndefined();
});

test.each([
  [1_272_700_800, '2010-05-01T08:00:00Z'],
  ['1272700800', '2010-05-01T08:00:00Z'],
  [' 1272700800\n', '2010-05-01T08:00:00Z'],
  [100_000_000, '1973-03-03T09:46:40Z'],
  ['99999999999', '5138-11-16T09:46:39Z'],
])('%j stands for the instant %s, and for no date', (written, read) => {
  expect(readDateTime(written)).toBe(read);
  expect(readDateOrDateTime(written)).toBe(read);
  expect(readDate(written)).toBeUndefined();
});

test.each([99_999_999, 1e11, -1_272_700_800, 1_272_700_800.5, Number.NaN, null, undefined, true, {}, [1_272_700_800]])(
  '%j is neither a date nor an instant',
  (written) => {
    for (const read of [readDate, readDateTime, readDateOrDateTime]) expect(read(written)).toBeUndefined();
  },
);
