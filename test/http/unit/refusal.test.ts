import { describe, expect, test, vi } from 'vitest';
import {
  BadResponseError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
  ValidationError,
} from '../../../src/errors.ts';
import { createRedactor } from '../../../src/calls/transport/redaction.ts';
import { refusalError } from '../../../src/calls/transport/refusal.ts';
import { API } from '../../support/fake-upstream.ts';

const READ = { api: 'CRM', endpoint: 'GET /app/deals.json' };

interface More {
  readonly retryAfter?: string;
  readonly date?: string;
  readonly sent?: object;
  readonly secrets?: readonly string[];
  readonly call?: typeof READ;
  readonly credential?: string | undefined;
}

function refusal(status: number, body: unknown, more: More = {}) {
  const { retryAfter = '', date = '', sent, secrets = [], call = READ } = more;
  const credential = 'credential' in more ? more.credential : 'X-CRM-Token';
  const redactor = createRedactor(secrets);
  return refusalError({ status, retryAfter, date }, body, { api: API, call, credential, sent, redactor });
}

describe('a status is an error', () => {
  test.each([
    [300, BadResponseError],
    [301, BadResponseError],
    [399, BadResponseError],
    [400, ValidationError],
    [401, UnauthenticatedError],
    [402, BadResponseError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [410, NotFoundError],
    [409, ConflictError],
    [418, BadResponseError],
    [422, ValidationError],
    [429, RateLimitedError],
    [499, BadResponseError],
    [500, UnavailableError],
    [503, UnavailableError],
  ])('%i', (status, kind) => {
    const error = refusal(status, undefined);
    expect(error.constructor).toBe(kind);
    expect(error.upstream).toBe(READ);
  });

  test.each([
    [400, 'The CRM API refused the input.'],
    [401, 'The CRM API refused the credential of the X-CRM-Token header.'],
    [403, 'The CRM API does not allow this to the caller.'],
    [404, 'The CRM API has nothing at GET /app/deals.json: the path of the address in CRM_URL may be wrong.'],
    [409, 'The record has changed, or another one is in the way.'],
    [418, 'The CRM API answered with status 418.'],
    [429, 'The CRM API asks to slow down.'],
    [502, 'The CRM API answered with status 502.'],
    [199, 'The CRM API answered with status 199.'],
    [300, 'The CRM API answered with a redirect (300), which is not followed: is CRM_URL the final address?'],
    [302, 'The CRM API answered with a redirect (302), which is not followed: is CRM_URL the final address?'],
  ])('%i without a body: %s', (status, message) => {
    expect(refusal(status, undefined).message).toBe(message);
  });

  test('401 without a credential asks for one', () => {
    expect(refusal(401, undefined, { credential: undefined }).message).toBe(
      'The CRM API refused to answer without a credential.',
    );
  });

  test.each([300, 302, 401, 402, 403, 404, 409, 410, 418, 429, 451, 499, 500, 503])(
    '%i says the same whatever upstream said',
    (status) => {
      const { message } = refusal(status, undefined);
      for (const body of [{ message: 'not on Sundays' }, { errors: { name: ['not on Sundays'] } }, 'not on Sundays']) {
        expect(refusal(status, body).message).toBe(message);
      }
    },
  );

  test.each([400, 422])('%i says what upstream said', (status) => {
    expect(refusal(status, { message: 'not on Sundays' }).message).toBe('not on Sundays');
  });
});

describe('the time to wait after a 429', () => {
  const wait = (retryAfter: string, date = '') => {
    const error = refusal(429, undefined, { retryAfter, date });
    if (error instanceof RateLimitedError) return error.retryAfter;
    throw error;
  };

  test.each([
    ['0', 0],
    ['59', 59],
    ['120', 60], // the pause that the gateway keeps
    ['999999999', 60],
    ['', undefined],
    ['soon', undefined],
    ['1234567890', undefined],
    ['12 s', undefined],
    ['12.5', 13],
    ['0.2', 1],
    ['-1', undefined],
    ['1e3', undefined],
    ['2026', 60],
    ['2026-01-01', undefined],
    ['May 1', undefined],
    ['1/2/2026', undefined],
    ['Thu, 01 Jan 2026 12:01:30 +0200', undefined],
  ])('%j is %s seconds', (retryAfter, seconds) => {
    expect(wait(retryAfter)).toBe(seconds);
  });

  test('until a date is counted from now, in whole seconds, and is none for a date in the past', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0, 500) });
    try {
      expect(wait('Thu, 01 Jan 2026 12:00:30 GMT')).toBe(30);
      expect(wait('Thu, 01 Jan 2026 11:00:00 GMT')).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ['an hour behind', 'Thu, 01 Jan 2026 11:00:30 GMT', 'Thu, 01 Jan 2026 11:00:10 GMT', 20],
    ['right, and the response is old', 'Thu, 01 Jan 2026 12:00:30 GMT', 'Thu, 01 Jan 2026 12:00:00 GMT', 30],
    ['ahead', 'Thu, 01 Jan 2026 13:00:30 GMT', 'Thu, 01 Jan 2026 13:00:10 GMT', 60],
    ['not told', 'Thu, 01 Jan 2026 12:00:30 GMT', '', 30],
    ['not readable', 'Thu, 01 Jan 2026 12:00:30 GMT', 'yesterday', 30],
  ])(
    'until a date is counted by the clock of upstream where the response tells it: %s',
    (_name, until, date, seconds) => {
      vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0, 500) });
      try {
        expect(wait(until, date)).toBe(seconds);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test.each(['Thu, 01 Jan 2026 12:00:30 GMT', 'Thursday, 01-Jan-26 12:00:30 GMT', 'Thu Jan  1 12:00:30 2026'])(
    'in each form of a date it is in GMT, wherever the process runs: %s',
    (date) => {
      const zone = process.env['TZ'];
      process.env['TZ'] = 'Asia/Tokyo';
      vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0, 500) });
      try {
        expect(wait(date)).toBe(30);
      } finally {
        vi.useRealTimers();
        if (zone === undefined) delete process.env['TZ'];
        else process.env['TZ'] = zone;
      }
    },
  );
});
