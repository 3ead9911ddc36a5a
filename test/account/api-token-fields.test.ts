import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { accountGateway, gatewayOverAnswers } from './support.ts';

const LIST = 'GET /account/api_tokens.json';
const CREATE = 'POST /account/api_tokens.json';
const ONE = 'GET /account/api_tokens/:id.json';

/** Reads fields of a token from a list that holds only this token. */
async function listed(token: object, fields: string) {
  const { execute } = await gatewayOverAnswers({ [LIST]: [{ id: 7, ...token }] });
  return execute(`{ apiTokens { ${fields} } }`);
}

test.each([
  ['id name kind active expired expiresAt forAccount integrationAppCode', [CREATE]],
  ['name code', [CREATE, ONE]],
  ['privileges', [CREATE, ONE]],
  ['tokenInfo', [CREATE, ONE]],
  ['code privileges tokenInfo', [CREATE, ONE]],
])('createApiToken with the fields %s makes the calls %j', async (fields, calls) => {
  const { ask, sandbox } = await accountGateway();

  const data = await ask(
    `mutation { createApiToken(input: { name: "Shop", code: "shop", privileges: ["todo"] }) {
      ... on CreatedApiToken { apiToken { ${fields} } }
    } }`,
  );

  const expected = { name: 'Shop', code: 'shop', privileges: ['todo'], tokenInfo: expect.any(String) };
  const selected = Object.entries(expected).filter(([field]) => fields.split(' ').includes(field));
  expect(data).toMatchObject({ createApiToken: { apiToken: Object.fromEntries(selected) } });
  expect(sandbox.calls()).toEqual(calls);
});

test('a field that the list lacks is read by id, only when it is selected', async () => {
  const { execute, received } = await gatewayOverAnswers({
    [LIST]: [{ id: 7, name: 'Shop' }],
    'GET /account/api_tokens/7.json': { id: 7, name: 'Shop', code: 'shop', privileges: [], token_info: 'ab…yz' },
  });

  expect((await execute('{ apiTokens { id upstreamId name } }')).data).toEqual({
    apiTokens: [{ id: 'ApiToken:7', upstreamId: '7', name: 'Shop' }],
  });
  expect(received).toEqual([LIST]);

  expect((await execute('{ apiTokens { code privileges tokenInfo } }')).data).toEqual({
    apiTokens: [{ code: 'shop', privileges: [], tokenInfo: 'ab…yz' }],
  });
  expect(received).toEqual([LIST, LIST, 'GET /account/api_tokens/7.json']);
});

test('a field that the token itself lacks is null, unless the document says that empty has a meaning', async () => {
  const { ask } = await gatewayOverAnswers({ [LIST]: [{ id: 7 }], 'GET /account/api_tokens/7.json': { id: 7 } });

  const data = await ask(
    '{ apiTokens { name code active expired expiresAt kind kindText integrationAppCode forAccount privileges tokenInfo } }',
  );

  expect(data).toEqual({
    apiTokens: [
      {
        name: null,
        code: null,
        active: null,
        expired: false,
        expiresAt: null,
        kind: 'API',
        kindText: null,
        integrationAppCode: null,
        forAccount: null,
        privileges: null,
        tokenInfo: null,
      },
    ],
  });
});

test.each([null, '', []])('the privileges %j are an empty list', async (privileges) => {
  const { data, errors } = await listed({ privileges }, 'privileges');

  expect({ data, errors }).toEqual({ data: { apiTokens: [{ privileges: [] }] }, errors: [] });
});

test('a token that is deleted after the list was read has an error at each field that the list lacks', async () => {
  const { execute } = await gatewayOverAnswers({ [LIST]: [{ id: 7, name: 'Shop' }] });

  const { data, errors } = await execute('{ apiTokens { name code } }');

  expect(data).toEqual({ apiTokens: [{ name: 'Shop', code: null }] });
  expect(errors).toEqual([
    {
      message: 'The record cannot be read any more: there is none with this id.',
      path: ['apiTokens', 0, 'code'],
      locations: expect.any(Array),
      extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
    },
  ]);
});

test.each([
  [null, 'API'],
  ['', 'API'],
  ['api_token', 'API'],
  ['web_token', 'WEB'],
])('the kind %j is %s, and given as a text, too', async (sent, kind) => {
  expect(await listed({ kind: sent }, 'kind kindText')).toMatchObject({
    data: { apiTokens: [{ kind, kindText: sent }] },
    errors: [],
  });
});

test('an unknown kind is null, with an error of that field only', async () => {
  const { data, errors } = await listed({ kind: 'robot', name: 'Shop' }, 'name kind kindText');

  expect(data).toEqual({ apiTokens: [{ name: 'Shop', kind: null, kindText: 'robot' }] });
  expect(errors).toMatchObject([{ path: ['apiTokens', 0, 'kind'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

/** Whether a token has expired at noon of the first of March 2026, in UTC. */
async function expiredAtNoon(expires_at: unknown) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 1, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const { data, errors } = await listed({ expires_at }, 'expired expiresAt');
  expect(errors).toEqual([]);
  return data;
}

test.each<[what: string, expires_at: string | null, expired: boolean]>([
  ['null', null, false],
  ['an empty text', '', false],
  ['a date long ago', '2024-12-31', true],
  ['a date far ahead', '2999-12-31', false],
  ['yesterday', '2026-02-28', true],
  ['today, before its end in UTC', '2026-03-01', false],
  ['tomorrow', '2026-03-02', false],
  ['a second ago', '2026-03-01T11:59:59Z', true],
  ['now', '2026-03-01T12:00:00.000Z', true],
  ['in a second', '2026-03-01T12:00:01Z', false],
  ['an hour ago, without a zone', '2026-03-01T11:00:00', true],
  ['in an hour, without a zone', '2026-03-01T13:00:00', false],
  ['in an hour, on a clock that shows five hours ago', '2026-03-01T07:00:00-06:00', false],
  ['an hour ago, on a clock that shows in five hours', '2026-03-01T17:00:00+06:00', true],
  ['a leap second long ago', '2016-12-31T23:59:60Z', true],
])('`expired` follows from `expires_at`: %s', async (_what, expires_at, expired) => {
  expect(await expiredAtNoon(expires_at)).toEqual({ apiTokens: [{ expired, expiresAt: expires_at || null }] });
});

test.each([
  ['Tue, 31 Dec 2024 08:00:00 GMT', true],
  ['Tue Dec 31 08:00:00 +0100 2999', false],
  [1_735_632_000, true],
  ['32500000000', false],
])('`expired` follows from `expires_at` in the other forms of an instant: %j', async (expires_at, expired) => {
  expect(await expiredAtNoon(expires_at)).toEqual({
    apiTokens: [{ expired, expiresAt: expect.stringMatching(/^(2024|2999)-12-31T08|^2999-11-/) }],
  });
});

test.each([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  [null, null],
])('the boolean %j reads as %j', async (sent, read) => {
  const { data, errors } = await listed({ active: sent, for_account: sent }, 'active forAccount');

  expect({ data, errors }).toEqual({ data: { apiTokens: [{ active: read, forAccount: read }] }, errors: [] });
});

test.each([
  ['active', { active: 'perhaps' }],
  ['expired', { expires_at: 'soon' }],
  ['expiresAt', { expires_at: '2026-02-30' }],
  ['privileges', { privileges: 'todo' }],
  ['name', { name: { pl: 'Sklep' } }],
])('an invalid value is an error of the field %s only', async (field, token) => {
  const { data, errors } = await listed({ code: 'shop', ...token }, `id code ${field}`);

  expect(data).toEqual({ apiTokens: [{ id: 'ApiToken:7', code: 'shop', [field]: null }] });
  expect(errors).toMatchObject([{ path: ['apiTokens', 0, field], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
});

/** Upstream responses with `count` tokens in pages of 25. A page after the last one repeats it, as in a sister API. */
function pages(count: number): Record<string, object[]> {
  const tokens = Array.from({ length: count }, (_, index) => ({ id: index + 1, code: `token-${index + 1}` }));
  const last = Math.ceil(count / 25);
  const page = (number: number) => tokens.slice((number - 1) * 25, number * 25);
  const numbered = Array.from({ length: 9 }, (_, index) => [
    `${LIST}?page=${index + 1}`,
    page(Math.min(index + 1, last)),
  ]);
  return { ...Object.fromEntries(numbered), [LIST]: page(1) };
}

test.each([
  [24, 1],
  [25, 2],
  [26, 2],
  [50, 3],
  [60, 3],
])('%i tokens in pages of 25, the last of which repeats, are read in %i calls', async (count, calls) => {
  const { execute, received } = await gatewayOverAnswers(pages(count));

  const { data } = await execute('{ apiTokens { code } }');

  const codes = Array.from({ length: count }, (_, index) => ({ code: `token-${index + 1}` }));
  expect(data).toEqual({ apiTokens: codes });
  expect(received).toEqual([LIST, `${LIST}?page=2`, `${LIST}?page=3`].slice(0, calls));
});

test('a list of 25 tokens without pages costs one additional call and returns no token twice', async () => {
  const { execute, sandbox, makeToken } = await accountGateway();
  for (let count = 1; count < 25; count += 1) await makeToken({ for_account: true });
  await makeToken({ for_account: true });

  const { data } = await execute('{ apiTokens(scope: ACCOUNT) { id } }');

  expect(data).toEqual({ apiTokens: Array.from({ length: 25 }, (_, index) => ({ id: `ApiToken:${index + 2}` })) });
  expect(sandbox.calls()).toEqual([`${LIST}?for_account=yes`, `${LIST}?for_account=yes`]);
});

const FULL = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, name: `token-${index + 1}` }));
const names = (from: number, to: number) => FULL.slice(from - 1, to).map(({ name }) => ({ name }));

test.each([
  [500, 'UPSTREAM_UNAVAILABLE'],
  [403, 'FORBIDDEN'],
  [429, 'UPSTREAM_RATE_LIMITED'],
])('a complete page is kept where the next one answers %d, with an error beside it', async (status, code) => {
  const upstream = await stubUpstream((request, response) =>
    (request.url?.includes('page=') ? says('{}', { status }) : says(JSON.stringify(FULL)))(request, response),
  );
  const { execute } = await gatewayOver(upstream.url, {}, 'secret');

  const { data, errors } = await execute('{ apiTokens { name } }');

  expect(data).toEqual({ apiTokens: names(1, 25) });
  const message = expect.stringMatching(/^The list may be longer, but its next page was not read\. The account API/);
  expect(errors).toMatchObject([{ path: ['apiTokens'], message, extensions: { code, upstream: { status } } }]);
});

test('a first page that cannot be read is an error and no list', async () => {
  const upstream = await stubUpstream(says('{}', { status: 500 }));
  const { execute } = await gatewayOver(upstream.url, {}, 'secret');

  expect(await execute('{ apiTokens { name } }')).toMatchObject({
    data: { apiTokens: null },
    errors: [{ path: ['apiTokens'] }],
  });
});

describe('tokens with one id in a page', () => {
  test('are one when they are equal', async () => {
    const { ask } = await gatewayOverAnswers({ [LIST]: [FULL[0], FULL[1], FULL[0]] });
    expect(await ask('{ apiTokens { name } }')).toEqual({ apiTokens: names(1, 2) });
  });

  test('are the first when they differ, and an error counts the others', async () => {
    const other = { id: 1, name: 'another' };
    const { execute } = await gatewayOverAnswers({ [LIST]: [FULL[0], other, FULL[1], { ...other, id: '1' }] });
    const { data, errors } = await execute('{ apiTokens { name } }');
    expect(data).toEqual({ apiTokens: names(1, 2) });
    const message = 'The account API: 2 of 4 rows were left out: Another row has its id.';
    expect(errors).toMatchObject([{ path: ['apiTokens'], message, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test('do not make a full page one that ends the list', async () => {
    const { ask } = await gatewayOverAnswers({
      [LIST]: [...FULL.slice(0, 24), FULL[0]],
      [`${LIST}?page=2`]: [FULL[24]],
    });
    expect(await ask('{ apiTokens { name } }')).toEqual({ apiTokens: names(1, 25) });
  });
});

test('a last page that repeats tells its unreadable rows once', async () => {
  const page = [...FULL.slice(0, 24), null];
  const { execute, received } = await gatewayOverAnswers({ [LIST]: page, [`${LIST}?page=2`]: page });
  const { data, errors } = await execute('{ apiTokens { name } }');
  expect(data).toEqual({ apiTokens: names(1, 24) });
  expect(errors).toHaveLength(1);
  expect(received).toEqual([LIST, `${LIST}?page=2`]);
});
