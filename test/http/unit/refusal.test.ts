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
} from '../../../src/http/errors.ts';
import { createRedactor } from '../../../src/http/transport/redaction.ts';
import { isRefusal, refusalError } from '../../../src/http/transport/refusal.ts';
import { leastCpuMs } from '../../support/cpu.ts';
import { API } from '../../support/fake-upstream.ts';

const READ = { api: 'CRM', endpoint: 'GET /app/deals.json' };

interface More {
  readonly retryAfter?: string;
  readonly sentKeys?: readonly string[];
  readonly secrets?: readonly string[];
  readonly call?: typeof READ;
  readonly credential?: string | undefined;
}

function refusal(status: number, body: unknown, more: More = {}) {
  const { retryAfter = '', sentKeys = [], secrets = [], call = READ } = more;
  const credential = 'credential' in more ? more.credential : 'X-CRM-Token';
  const redactor = createRedactor(secrets);
  return refusalError({ status, retryAfter }, body, { api: API, call, credential, sentKeys, redactor });
}

function invalid(body: unknown, more?: More): ValidationError {
  const error = refusal(422, body, more);
  if (error instanceof ValidationError) return error;
  throw error;
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
    [409, ConflictError],
    [410, BadResponseError],
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
    [410, 'The CRM API answered with status 410.'],
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

describe('the message of a refused input', () => {
  test.each([
    ['a text', 'name is blank', 'name is blank'],
    ['`message`', { message: 'a' }, 'a'],
    ['`error`', { error: 'a' }, 'a'],
    ['`errors` of texts', { errors: ['a', 'b'] }, 'a; b'],
    ['all of several, each once', { message: 'a', error: 'b', errors: ['c', 'a'] }, 'a; b; c'],
    ['`message` of texts', { message: [7, 'a'] }, 'a'],
    [
      'the first field, where there is no message',
      { errors: { post_code_2: ['is a', 'is b'], b: ['c'] } },
      'post code 2: is a, is b',
    ],
    ['none, of null', null, 'The CRM API refused the input.'],
    ['none, of a list', ['a'], 'The CRM API refused the input.'],
    ['none, of an empty object', {}, 'The CRM API refused the input.'],
  ])('%s', (_name, body, message) => {
    expect(invalid(body).message).toBe(message);
  });

  test('is cut off at 500 characters', () => {
    expect(invalid('x'.repeat(600)).message).toBe('x'.repeat(500));
    expect(invalid({ message: 'x'.repeat(600) }).message).toBe('x'.repeat(500));
  });

  test('is our own where upstream says more than 64 K characters', () => {
    expect(invalid({ message: `is odd ${'x'.repeat(65_000)}` }).message).toMatch(/^is odd xxx/);
    expect(invalid({ message: `is odd ${'x'.repeat(66_000)}` }).message).toBe('The CRM API refused the input.');
    expect(invalid({ errors: ['x'.repeat(40_000), 'y'.repeat(40_000)] }).message).toBe(
      'The CRM API refused the input.',
    );
  });

  test('repeats no secret', () => {
    const secrets = ['canary'];
    expect(invalid('the canary', { secrets }).message).toBe('the [redacted]');
    expect(invalid({ message: 'the canary' }, { secrets }).message).toBe('the [redacted]');
  });
});

describe('the fields of a refused input', () => {
  const name = ['is blank'];

  test.each([
    ['`errors` by field', { errors: { name } }, { name }],
    ['`message` by field', { message: { name } }, { name }],
    ['the top of the body by field', { name }, { name }],
    ['`errors` of a record', { errors: { deal: { name } } }, { 'deal.name': name }],
    ['`message` of a record', { message: { deal: { name } } }, { 'deal.name': name }],
    ['a record at the top', { deal: { name } }, { name }],
    ['`errors` before `message`', { errors: { name }, message: { price: ['is 0'] } }, { name }],
    ['the top before its records', { name, deal: { price: ['is 0'] } }, { name }],
    ['none, of a field that has a text', { errors: { name: 'is blank' } }, {}],
    ['none, of a field without messages', { errors: { name: [] } }, {}],
    ['none, of a field whose messages are no texts', { errors: { name: ['is blank', 7] } }, {}],
    ['none at the top, beside a message', { message: 'a', name }, {}],
    ['those of `errors`, beside a message', { message: 'a', errors: { name } }, { name }],
    ['a field and a record beside it', { errors: { a: ['b'], deal: { name } } }, { a: ['b'], 'deal.name': name }],
    ['none, of a text', 'a', {}],
    ['none, of null', null, {}],
  ])('%s', (_name, body, fields) => {
    expect(invalid(body).fields).toEqual(fields);
  });

  test('are named without the key under which their record was sent', () => {
    const body = { errors: { deal: { name }, 'deal.price': ['is 0'], deals: ['a'] } };
    expect(invalid(body, { sentKeys: ['token', 'deal'] }).fields).toEqual({ name, price: ['is 0'], deals: ['a'] });
  });

  test('keep the messages of two spellings of one field', () => {
    const body = { errors: { name: ['a'], deal: { name: ['b'] } } };
    expect(invalid(body, { sentKeys: ['deal'] }).fields).toEqual({ name: ['a', 'b'] });
  });

  test('and their messages are cut off at 500 characters, and repeat no secret', () => {
    const long = 'x'.repeat(600);
    expect(invalid({ errors: { [long]: [long] } }).fields).toEqual({ [long.slice(0, 500)]: [long.slice(0, 500)] });
    expect(invalid({ errors: { canary: ['the canary'] } }, { secrets: ['canary'] }).fields).toEqual({
      '[redacted]': ['the [redacted]'],
    });
  });
});

describe('a refusal of 20 MB is read within a second', () => {
  const secrets = ['0a1b2c3d4e5f', '\\\\\\/', 'dXNlcjpzZWNyZXQ='];
  const filled = (part: string) => part.repeat(20_000_000 / part.length);

  test.each(['\\', '/', '\\/', '%25', '&amp;', 'dXNlcjpz', '\\\\u005c'])('of %s', async (part) => {
    const text = filled(part);
    expect(await leastCpuMs(1_000, async () => invalid({ message: text }, { secrets }))).toBeLessThan(1_000);
    expect(await leastCpuMs(1_000, async () => invalid({ errors: { name: [text] } }, { secrets }))).toBeLessThan(1_000);
  });

  test('of two million short texts', async () => {
    const texts = Array.from({ length: 2_000_000 }, (_, index) => `${index % 1_000}`);
    const body = { errors: { name: texts }, available_tables: texts };
    expect(await leastCpuMs(1_000, async () => invalid(body, { secrets }))).toBeLessThan(1_000);
    const { fields, availableTables } = invalid(body, { secrets });
    expect(fields['name']?.slice(0, 3)).toEqual(['0', '1', '2']);
    expect([...(fields['name'] ?? []), ...(availableTables ?? [])].join('').length).toBeLessThan(150_000);
  });

  test('of many fields: the first are kept', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field_${index}`, ['is odd']]));
    const { fields } = invalid({ errors: many }, { secrets });
    expect(Object.keys(fields).slice(0, 2)).toEqual(['field_0', 'field_1']);
    expect(Object.keys(fields).length).toBeLessThan(6_000);
  });
});

describe('a body under a status of success', () => {
  test.each([
    [false],
    [{ status: 'error' }],
    [{ status: 'error', message: 'no' }],
    [{ code: 'error', message: { name: ['is odd'] } }],
    [{ success: false }],
    [{ error: 'x' }],
    [{ error: true }],
    [{ errors: { name: ['is odd'] } }],
    [{ errors: ['x'] }],
    [{ errors: 'x' }],
  ])('is a refusal: %j', (body) => {
    expect(isRefusal(body)).toBe(true);
  });

  test.each([
    [undefined],
    [null],
    [true],
    [''],
    ['error'],
    [[]],
    [[{ status: 'error', message: 'a' }]],
    [{}],
    [{ status: 'ok', message: 'a' }],
    [{ code: 'shop' }],
    [{ success: true }],
    [{ error: null, errors: null }],
    [{ error: false }],
    [{ error: '' }],
    [{ errors: {} }],
    [{ errors: [] }],
    [{ id: 1, errors: { a: ['b'] } }],
    [{ id: 1, status: 'error', message: 'a' }],
    [{ id: 1, success: false }],
    [{ client: { status: 'error', error: 'x' } }],
  ])('is no refusal: %j', (body) => {
    expect(isRefusal(body)).toBe(false);
  });
});

describe('the tables that upstream offers', () => {
  test('are part of the error, without secrets', () => {
    const body = { message: 'no such table', available_tables: ['deals', 'canary'] };
    expect(invalid(body, { secrets: ['canary'] }).availableTables).toEqual(['deals', '[redacted]']);
  });

  test.each([
    [{}],
    [{ available_tables: [] }],
    [{ available_tables: [1] }],
    [{ available_tables: 'deals' }],
    ['a'],
    [null],
  ])('are none in %j', (body) => {
    expect(invalid(body).availableTables).toBeUndefined();
  });
});

describe('the time to wait after a 429', () => {
  const wait = (retryAfter: string) => {
    const error = refusal(429, undefined, { retryAfter });
    if (error instanceof RateLimitedError) return error.retryAfter;
    throw error;
  };

  test.each([
    ['0', 0],
    ['120', 120],
    ['999999999', 999_999_999],
    ['', undefined],
    ['soon', undefined],
    ['1234567890', undefined],
    ['12 s', undefined],
  ])('%j is %s seconds', (retryAfter, seconds) => {
    expect(wait(retryAfter)).toBe(seconds);
  });

  test('until a date is counted from now, in whole seconds, and is none for a date in the past', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0, 500) });
    try {
      expect(wait('Thu, 01 Jan 2026 12:01:30 GMT')).toBe(90);
      expect(wait('Thu, 01 Jan 2026 11:00:00 GMT')).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
