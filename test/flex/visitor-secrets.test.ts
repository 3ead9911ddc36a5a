import { expect, test } from 'vitest';
import { gatewayOverReplies, KEY } from './public-support.ts';

// Values of the cookies of public methods are removed from texts of upstream.

test('the values of cookies are removed from the texts of upstream', async () => {
  const given = 'fedcba9876543210fedcba9876543210';
  const body = { error: `The keys ${KEY} and ${given} are not allowed.` };
  const setCookie = [`flex_key=${given}`];
  const { execute } = await gatewayOverReplies([
    { status: 422, body, setCookie },
    { status: 422, body },
  ]);
  const refused = 'createPublicFlexRecord(code: "book", data: {}) { ... on MutationError { message } }';

  const { data, errors } = await execute(`mutation { a: ${refused} b: ${refused} }`, {
    token: null,
    headers: { cookie: `flex_key=${KEY}` },
  });

  expect(errors).toEqual([]);
  const told = 'The keys [redacted] and ';
  expect(data).toMatchObject({
    a: { message: expect.stringContaining(told) },
    b: { message: expect.stringContaining(told) },
  });
  expect(JSON.stringify(data)).not.toMatch(new RegExp(`${given}|${KEY}`));
});

const ENCODED = 'k%C3%A9y%2B/54af=0%25zz';
const VALUE = 'kéy+/54af=0%zz';
test.each([
  ['as it is', ENCODED],
  ['decoded, as frameworks read it', VALUE],
  ['decoded, in JSON', String.raw`k\u00e9y+\/54af=0%zz`],
  ['decoded, in HTML', 'k&#xe9;y&#43;/54af&equals;0%zz'],
  ['decoded, in base64', Buffer.from(VALUE).toString('base64')],
  ['encoded once more', encodeURIComponent(ENCODED)],
  ['in base64', Buffer.from(ENCODED).toString('base64')],
  ['in quotation marks', `"${ENCODED}"`],
])('a percent-encoded value is removed: %s', async (_name, spelling) => {
  const { execute } = await gatewayOverReplies([{ status: 422, body: { error: `Not <${spelling}>, please.` } }]);
  const { data } = await execute(
    'mutation { createPublicFlexRecord(code: "book", data: {}) { ... on MutationError { message } } }',
    { token: null, headers: { cookie: `flex_key=${ENCODED}` } },
  );
  expect(JSON.stringify(data)).toMatch(/<(?:\\")?\[redacted\](?:\\")?>, please/);
});

test('a value of UTF-8 is removed as text', async () => {
  const value = 'zażółć-gęślą';
  const { execute } = await gatewayOverReplies([{ status: 422, body: { error: `Not <${value}>, please.` } }]);
  const { data } = await execute(
    'mutation { createPublicFlexRecord(code: "book", data: {}) { ... on MutationError { message } } }',
    { token: null, headers: { cookie: `flex_key=${Buffer.from(value).toString('latin1')}` } },
  );
  expect(JSON.stringify(data)).toContain('<[redacted]>, please');
});
