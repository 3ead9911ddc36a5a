// What became of a write, from the results of client libraries: docs/outcomes.md and docs/app.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asksForCredentials, isOpen, isUnauthenticated, outcomeOf, refusesKey } from '../../kits/src/outcome.ts';

interface Recorded {
  readonly case: string;
  readonly from: readonly string[];
  readonly outcome: string;
  readonly answer: { readonly data?: Answer | null; readonly errors?: readonly object[] };
}

/** Responses of federation routers to `mutation { createClient … }`, each with the outcome that a client can conclude from it. */
const { answers }: { readonly answers: readonly Recorded[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'answers-of-routers.json'), 'utf8'),
);

interface Answer {
  readonly __typename?: 'Mutation';
  readonly createClient?:
    | { readonly __typename: 'Client'; readonly id: string }
    | { readonly __typename: 'ValidationError'; readonly message: string; readonly fields: readonly object[] }
    | { readonly __typename: 'ConflictError'; readonly message: string }
    | null;
}

const client = { __typename: 'Client', id: 'Client:1' } as const;
const failure = (extensions: Record<string, unknown>, path = ['createClient']) => ({
  message: 'Failed.',
  path,
  extensions,
});

/** An error of each client library that holds these errors of an answer. */
const shapes = [
  ['Apollo Client', (...errors: object[]) => Object.assign(new Error('Errors'), { errors })],
  ['urql', (...graphQLErrors: object[]) => Object.assign(new Error('Errors'), { graphQLErrors })],
  ['Relay, in its list of errors', (...errors: object[]) => errors],
  ['Relay, as it throws them', (...errors: object[]) => Object.assign(new Error('Errors'), { source: { errors } })],
] as const;

const outcome = (data: Answer | null | undefined, error?: unknown) => outcomeOf<Answer>({ data, error });

describe('by its result, a write', () => {
  test('with a record was applied, also beside an error of a field of the record', () => {
    expect(outcome({ __typename: 'Mutation', createClient: client })).toEqual({ outcome: 'APPLIED', record: client });
    const error = [failure({ outcome: 'APPLIED' }, ['createClient', 'posts'])];
    expect(outcome({ createClient: client }, error)).toEqual({ outcome: 'APPLIED', record: client });
  });

  test('with a refusal was refused, with its message and the messages of its fields', () => {
    const fields = [{ field: 'name', messages: ["can't be blank"] }];
    expect(outcome({ createClient: { __typename: 'ValidationError', message: 'Invalid.', fields } })).toEqual({
      outcome: 'REFUSED',
      message: 'Invalid.',
      fields: new Map([['name', ["can't be blank"]]]),
    });
    expect(outcome({ createClient: { __typename: 'ConflictError', message: 'Changed.' } })).toEqual({
      outcome: 'REFUSED',
      message: 'Changed.',
      fields: new Map(),
    });
  });

  test('with several fields is told by the name of its field', () => {
    const data = { one: client, other: { __typename: 'NotFoundError', message: 'Gone.' }, third: null } as const;
    const error = [failure({ outcome: 'UNKNOWN' }, ['third'])];
    expect(outcomeOf({ data, error }, 'one').outcome).toBe('APPLIED');
    expect(outcomeOf({ data, error }, 'other').outcome).toBe('REFUSED');
    expect(outcomeOf({ data, error }, 'third').outcome).toBe('UNKNOWN');
  });
});

describe.each(shapes)('by the error of %s, a write', (_library, errorOf) => {
  test.each([
    ['APPLIED', ['APPLIED']],
    ['REFUSED', ['REFUSED']],
    ['UNKNOWN', ['UNKNOWN']],
    ['UNKNOWN', ['REFUSED', 'UNKNOWN']],
    ['UNKNOWN', ['APPLIED', 'UNKNOWN']],
    ['APPLIED', ['REFUSED', 'APPLIED']],
    ['UNKNOWN', [undefined]],
    ['UNKNOWN', ['REFUSED', undefined]],
    ['UNKNOWN', ['REFUSED', 'SUCCESS']], // another subgraph's own extension
  ])('is %s after %j', (expected, told) => {
    const error = errorOf(...told.map((outcome) => failure({ outcome })));
    expect(outcome({ createClient: null }, error).outcome).toBe(expected);
    expect(outcome(undefined, error).outcome).toBe(expected);
  });

  test('has the message and the fields of the error', () => {
    const fields = [{ field: 'input.discount', messages: ['no number'] }];
    expect(outcome(null, errorOf(failure({ outcome: 'REFUSED', fields })))).toEqual({
      outcome: 'REFUSED',
      message: 'Failed.',
      fields: new Map([['input.discount', ['no number']]]),
    });
  });
});

describe.each(answers)('$case, behind $from', ({ outcome: expected, answer: { data, errors = [] } }) => {
  test('the outcome of the answer as it is', () => {
    expect(outcomeOf({ data, errors }, 'createClient').outcome).toBe(expected);
  });

  test.each(shapes)('the outcome of the result of %s', (_library, errorOf) => {
    const error = errors.length > 0 ? errorOf(...errors) : undefined;
    expect(outcomeOf({ data, error }, 'createClient').outcome).toBe(expected);
  });
});

test.each([
  ['no extensions', { message: 'fetch failed' }],
  ['extensions that are null', { message: 'fetch failed', extensions: null }],
  ['no message, as @apollo/gateway has them', {}],
])('an error with %s leaves the outcome unknown, also beside a refusal', (_case, error) => {
  const refused = failure({ outcome: 'REFUSED' });
  expect(outcome(null, [error]).outcome).toBe('UNKNOWN');
  expect(outcomeOf({ data: null, errors: [refused, error] }, 'createClient').outcome).toBe('UNKNOWN');
  expect(outcome(null, [error, refused])).toHaveProperty('message', expect.stringMatching(/./));
});

test('without an answer the outcome is unknown', () => {
  expect(outcome(undefined)).toMatchObject({ outcome: 'UNKNOWN', message: 'There was no answer.' });
  for (const answer of [undefined, null, {}]) expect(outcomeOf(answer).outcome).toBe('UNKNOWN');
  for (const error of ['gone', null, { status: 502 }]) {
    expect(outcome(undefined, error)).toMatchObject({ outcome: 'UNKNOWN', message: 'There was no answer.' });
  }
  const urql = Object.assign(new Error('[Network] failed'), { graphQLErrors: [], networkError: new Error('failed') });
  for (const error of [new TypeError('fetch failed'), urql]) {
    expect(outcome(undefined, error)).toMatchObject({ outcome: 'UNKNOWN', message: error.message });
  }
});

test('a credential is refused by an API alone, and only where nothing was written', () => {
  const upstream = { api: 'crm', status: 401 };
  const code = 'UNAUTHENTICATED';
  expect(isUnauthenticated(failure({ code, upstream }))).toBe(true);
  expect(isUnauthenticated(failure({ code, upstream, outcome: 'REFUSED' }))).toBe(true);
  expect(isUnauthenticated(failure({ code, upstream, outcome: 'APPLIED' }))).toBe(false);
  expect(isUnauthenticated(failure({ code }))).toBe(false);
  expect(isUnauthenticated(failure({ code: 'FORBIDDEN', upstream }))).toBe(false);
  expect(isUnauthenticated({ message: 'No extensions.' })).toBe(false);
});

test.each([
  [{ outcome: 'UNKNOWN' }, true],
  [{ outcome: 'REFUSED', code: 'IDEMPOTENCY_UNAVAILABLE' }, true],
  [{ outcome: 'REFUSED', code: 'IDEMPOTENCY_LIMIT_EXCEEDED' }, true],
  [{ outcome: 'REFUSED', code: 'OVERLOADED' }, true],
  [{ outcome: 'REFUSED', code: 'RATE_LIMITED' }, true],
  [{ code: 'SHUTTING_DOWN' }, true],
  [{ outcome: 'REFUSED', code: 'IDEMPOTENCY_KEY_REUSED' }, false], // another attempt gets the same
  [{ outcome: 'REFUSED', code: 'IDEMPOTENCY_KEY_NOT_TAKEN' }, false],
  [{ outcome: 'REFUSED', code: 'FORBIDDEN' }, false],
  [{ outcome: 'APPLIED' }, false],
])('a write is open after %j: %s', (extensions, expected) => {
  expect(isOpen(failure(extensions))).toBe(expected);
});

test.each([
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_LIMIT_EXCEEDED',
  'IDEMPOTENCY_UNAVAILABLE',
  'OVERLOADED',
  'RATE_LIMITED',
])('%s says nothing of an earlier attempt, so the outcome is unknown', (code) => {
  expect(outcome(null, { errors: [failure({ code, outcome: 'REFUSED' })] }).outcome).toBe('UNKNOWN');
});

test('a refusal that is newer than the kit is one', () => {
  const member = { __typename: 'QuotaError', message: 'Too many.' };
  expect(outcomeOf({ data: { createClient: member } })).toMatchObject({ outcome: 'REFUSED', message: 'Too many.' });
});

test('a result that cannot be told is an error of the program', () => {
  const client = { __typename: 'Client' };
  const clients: object = [client];
  expect(() => outcomeOf({ data: { createClient: client, createDeal: client } })).toThrow(
    "outcomeOf(result, 'createDeal')",
  );
  expect(() => outcomeOf({ data: { createClient: {} } })).toThrow('`createClient` is no result');
  expect(() => outcomeOf({ data: { createClients: clients } })).toThrow('`createClients` is no result');
  expect(outcomeOf({ data: { createClient: client, createDeal: null } }, 'createClient').outcome).toBe('APPLIED');
});

describe('an answer asks for other credentials', () => {
  const refused = failure({ code: 'UNAUTHENTICATED', upstream: { api: 'crm' }, outcome: 'REFUSED' });
  const other = failure({ code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' });

  test('of a query when any API has refused them', () => {
    expect(asksForCredentials({ clients: [] }, [other, refused], false)).toBe(true);
    expect(asksForCredentials({ clients: [] }, [other], false)).toBe(false);
  });

  test.each([
    ['all of its writes were refused so', null, [refused, refused], true],
    ['the fields of its writes are null', { createClient: null, createClients: [null] }, [refused], true],
    ['another of its writes was made', { createClient: { __typename: 'Client' }, createPost: null }, [refused], false],
    ['an item was made', { createClients: [null, { __typename: 'Client' }] }, [refused], false],
    ['another of its writes is unknown', { createClient: null, createPost: null }, [refused, other], false],
    ['none was refused', null, [], false],
  ])('of a mutation only where no write can have been made: %s', (_case, data, failures, expected) => {
    expect(asksForCredentials(data, failures, true)).toBe(expected);
  });
});

describe('an answer refuses the key', () => {
  const refused = failure({ code: 'IDEMPOTENCY_KEY_NOT_TAKEN', outcome: 'REFUSED' });
  const other = failure({ code: 'FORBIDDEN', outcome: 'REFUSED' });

  test.each([
    ['all of its writes were refused so', null, [refused, refused], true],
    ['the fields of its writes are null', { __typename: 'Mutation', createForumUser: null }, [refused], true],
    ['another of its writes was made', { createForumUser: null, createClient: { id: '1' } }, [refused], false],
    ['another of its writes was refused', { createForumUser: null, createPost: null }, [refused, other], false],
    ['another field is null without an error', { createForumUser: null, payInvoice: null }, [refused], false],
    ['it is another refusal', null, [other], false],
    ['there is none', null, [], false],
  ])('only where no write can have been made: %s', (_case, data, failures, expected) => {
    expect(refusesKey(data, failures)).toBe(expected);
  });

  test('and a write that is sent no more was refused', () => {
    expect(outcome({ createClient: null }, [refused]).outcome).toBe('REFUSED');
    expect(outcome({ createClient: null }, [refused, failure({ outcome: 'UNKNOWN' })]).outcome).toBe('UNKNOWN');
  });
});
