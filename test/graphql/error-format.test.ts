import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { errorLimiter, publicError } from '../../src/operation/errors/public-error.ts';
import {
  advised,
  NotReadError,
  RateLimitedError,
  UnavailableError,
  UnreachableError,
  ValidationError,
} from '../../src/errors.ts';

const call = { api: 'account', endpoint: 'GET /account/api_tokens/:id.json', status: 503 };

/** The error as a caller sees it, and what was reported of it. */
function seen(error: unknown) {
  const reported: unknown[] = [];
  const { message, path, extensions } = publicError(error, (unexpected) => reported.push(unexpected), false);
  return { message, path, extensions, reported };
}

test.each([
  new Error('SELECT * FROM secrets'),
  new TypeError('undefined is not a function'),
  'a text that was thrown',
  null,
])('what nobody foresaw is masked, and reported: %s', (unforeseen) => {
  expect(seen(unforeseen)).toEqual({
    message: 'Something went wrong in the gateway.',
    path: undefined,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
    reported: [unforeseen],
  });
});

test('a masked error keeps its place in the answer, and nothing of the original', () => {
  const original = Object.assign(new Error('password=hunter2'), { extensions: { sql: 'SELECT 1' } });
  const located = new GraphQLError(original.message, { path: ['apiTokens', 0, 'name'], originalError: original });

  const { reported, ...shown } = seen(located);

  expect(shown).toMatchObject({
    message: 'Something went wrong in the gateway.',
    path: ['apiTokens', 0, 'name'],
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
  expect(reported).toEqual([original]);
  expect(JSON.stringify(publicError(located, () => {}, false))).not.toMatch(/hunter2|SELECT/);
});

test('a failure that the gateway foresaw keeps its message, its code and its upstream call', () => {
  const located = new GraphQLError('wrapped', {
    path: ['apiToken'],
    originalError: new UnavailableError('Down.', call),
  });

  expect(seen(located)).toEqual({
    message: 'Down.',
    path: ['apiToken'],
    extensions: { code: 'UPSTREAM_UNAVAILABLE', upstream: call },
    reported: [],
  });
});

test('callers in production are not told which setting to look at, also where another error has the message', () => {
  const failure = () => advised(new UnreachableError('The crm API refuses connections', call), ': see CRM_URL.');
  const messages = [failure(), new NotReadError('The posts are missing.', failure())].map((error) =>
    [false, true].map((hidesAdvice) => publicError(error, () => {}, hidesAdvice).message),
  );
  expect(messages).toEqual([
    ['The crm API refuses connections: see CRM_URL.', 'The crm API refuses connections.'],
    [
      'The posts are missing. The crm API refuses connections: see CRM_URL.',
      'The posts are missing. The crm API refuses connections.',
    ],
  ]);
});

test('a rate limit says how long to wait, where upstream said so', () => {
  expect(seen(new RateLimitedError('Slow down.', 30, call)).extensions).toMatchObject({ retryAfter: 30 });
  expect(seen(new RateLimitedError('Slow down.', undefined, call)).extensions).not.toHaveProperty('retryAfter');
});

test("a refused input lists its fields: upstream's in GraphQL names, the gateway's as they are", () => {
  const messages = ['is taken'];
  const byUpstream = new ValidationError('Refused.', { integration_app_code: messages }, call);
  const byGateway = new ValidationError('Refused.', { 'layout.0.config.raw.custom_url': messages });

  expect(seen(byUpstream).extensions).toEqual({
    code: 'BAD_USER_INPUT',
    upstream: call,
    fields: [{ field: 'integrationAppCode', messages }],
  });
  expect(seen(byGateway).extensions).toEqual({
    code: 'BAD_USER_INPUT',
    fields: [{ field: 'layout.0.config.raw.custom_url', messages }],
  });
});

test('an error that has a code is public already', () => {
  const error = new GraphQLError('Too deep.', { extensions: { code: 'QUERY_LIMIT_EXCEEDED' } });

  expect(publicError(error, () => {}, false)).toBe(error);
});

test.each([
  [100, 100],
  [101, 101],
  [5_000, 101],
])('of %i errors %i are listed', (count, listed) => {
  const errors = Array.from({ length: count }, (_, index) => new GraphQLError(`Error ${index}`));

  const capped = errorLimiter()(errors);

  expect(capped).toHaveLength(listed);
  expect(capped.slice(0, 100)).toEqual(errors.slice(0, 100));
  expect(capped.map(({ extensions }) => extensions['omitted']).filter(Boolean)).toEqual(
    count > 100 ? [count - 100] : [],
  );
});

test('of all parts of one operation 100 errors are listed, and each part that has more counts its own', () => {
  const part = (count: number) =>
    Array.from({ length: count }, () => new GraphQLError('x', { extensions: { code: 'A' } }));
  const listed = errorLimiter();

  const parts = [60, 0, 60, 3].map((count) => listed(part(count)));

  expect(parts.map(({ length }) => length)).toEqual([60, 0, 41, 1]);
  expect(parts.map((errors) => errors.at(-1)?.extensions['omitted'])).toEqual([undefined, undefined, 20, 3]);
  expect(parts.at(-1)?.[0]?.extensions['code']).toBe('A');
});
