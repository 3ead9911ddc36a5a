import { expect, test } from 'vitest';
import { gatewayOverReplies, KEY } from './public-support.ts';

// Texts of upstream that repeat the values of the cookies of public methods are not shown.

const GENERAL = 'The flex API refused the input.';

test('the values of cookies are in no text of upstream', async () => {
  const given = 'fedcba9876543210fedcba9876543210';
  const setCookie = [`flex_key=${given}`];
  const { ask } = await gatewayOverReplies([
    { status: 422, body: { error: `The key ${KEY} is not allowed.` }, setCookie },
    { status: 422, body: { error: `The key ${given} is not allowed.` } },
    { status: 422, body: { error: 'No key is allowed.' } },
  ]);
  const refused = 'createPublicFlexRecord(code: "book", data: {}) { ... on MutationError { message } }';

  const data = await ask(`mutation { a: ${refused} b: ${refused} c: ${refused} }`, {
    token: null,
    headers: { cookie: `flex_key=${KEY}` },
  });
  expect(data).toEqual({ a: { message: GENERAL }, b: { message: GENERAL }, c: { message: 'No key is allowed.' } });
});

const ENCODED = 'k%C3%A9y%2B/54af=0%25zz';
const VALUE = 'kéy+/54af=0%zz';
const UTF_8 = 'zażółć-gęślą';
test.each([
  ['as it is', ENCODED],
  ['decoded, as frameworks read it', VALUE],
  ['decoded, in JSON', String.raw`k\u00e9y+\/54af=0%zz`],
  ['decoded, in XML', 'k&#xe9;y&#43;/54af=0%zz'],
  ['decoded, in base64', Buffer.from(VALUE).toString('base64')],
  ['encoded once more', encodeURIComponent(ENCODED)],
  ['in base64', Buffer.from(ENCODED).toString('base64')],
  ['in quotation marks', `"${ENCODED}"`],
  ['of UTF-8, as text', UTF_8, Buffer.from(UTF_8).toString('latin1')],
])('a text that repeats a value is not shown: %s', async (_name, spelling, value = ENCODED) => {
  const { execute } = await gatewayOverReplies([{ status: 422, body: { error: `Not <${spelling}>, please.` } }]);
  const { data } = await execute(
    'mutation { createPublicFlexRecord(code: "book", data: {}) { ... on MutationError { message } } }',
    { token: null, headers: { cookie: `flex_key=${value}` } },
  );
  expect(data).toEqual({ createPublicFlexRecord: { message: GENERAL } });
});
