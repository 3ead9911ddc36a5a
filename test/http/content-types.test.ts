import { expect, test } from 'vitest';
import { forumGateway } from '../forum/support.ts';

// "The header `Content-Type: application/json; charset=utf-8` is used" by the account API and the flex API. The CRM has
// "`Accept: application/json`, `Content-Type: application/json`", and the forum "`Accept: application/xml`,
// `Content-Type: application/xml`".

test.each([
  ['createApiToken(input: {})', 'POST /account/api_tokens.json', 'application/json', '; charset=utf-8'],
  ['createFlexDb(input: { name: "Shop" })', 'POST /flex/dbs.json', 'application/json', '; charset=utf-8'],
  ['createClient(input: { name: "Café" })', 'POST /app/clients.json', 'application/json', ''],
  ['createForumPost(input: { title: "Café", content: "" })', 'POST /app/posts.xml', 'application/xml', ''],
])('%s is sent with the content type of its document', async (field, call, type, charset) => {
  const { ask, sandbox } = await forumGateway();

  const data = await ask(`mutation { result: ${field} { __typename ... on MutationError { message } } }`);

  expect(data).toEqual({ result: { __typename: expect.not.stringContaining('Error') } });
  expect(sandbox.calls()).toEqual([call]);
  expect(sandbox.requests).toMatchObject([{ headers: { accept: type, 'content-type': type + charset } }]);
});
