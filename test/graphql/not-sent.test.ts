import { expect, test } from 'vitest';
import { asAda, saysXml } from '../forum/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Objects that upstream cannot send again tell which of their keys it did not send, too.
test.each([
  ['{ forumMe { login name } }', saysXml('<user><login>a</login></user>'), [['forumMe', 'name']]],
  [
    '{ forumCategories { name } }',
    saysXml('<categories type="array"><category><id>1</id></category></categories>'),
    [['forumCategories', 0, 'name']],
  ],
  [
    '{ forumPost(id: 1) { comments { text kind } } }',
    saysXml('<hash><post><id>1</id></post><comments><comment><id>2</id><kind/></comment></comments></hash>'),
    [['forumPost', 'comments', 0, 'text']],
  ],
  ['{ dashboardWidget(key: "a") { name settings { name } } }', says('{"name":"A"}'), [['dashboardWidget', 'settings']]],
  [
    `mutation { createAccount(input: { prefix: "a", user: { login: "a", email: "a", password: "a" } }) {
      ... on CreatedAccount { prefix apiToken }
    } }`,
    says('{"prefix":"a"}'),
    [['createAccount', 'apiToken']],
  ],
])('%s', async (query, answer, notSent) => {
  const upstream = await stubUpstream(answer);
  const address = new URL(upstream.url);
  const { url } = await gatewayOver(upstream.url, { FORUM_URL: address, CRM_URL: address });

  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer a',
      'x-crm-token': 'a',
      'x-trivium-not-sent': '1',
      ...asAda,
    },
    body: JSON.stringify({ query }),
  });

  const { errors, extensions } = await response.json();
  expect(errors).toBeUndefined();
  expect(extensions).toEqual({ notSent });
});
