import { expect, test } from 'vitest';
import { gateway } from '../support/gateway.ts';

const FORUM =
  '{ forumMe { login } mine: forumPost(id: 1) { title } forumCategories { name } account: apiTokens { name } }';

test('each field that lacks a credential says what to send: its client may see no other field', async () => {
  const { execute } = await gateway();
  const { errors } = await execute(FORUM);
  const message =
    'No credential for the forum: send the header `X-Forum-Authorization: Basic <login:password in base64>`.';
  expect(errors).toEqual(
    ['forumMe', 'forumCategories', 'mine'].map((field) =>
      expect.objectContaining({ path: [field], message, extensions: { code: 'UNAUTHENTICATED' } }),
    ),
  );
});

test('an error in a subgraph names no place of it: the paths of a router are others', async () => {
  const { execute } = await gateway({ SUBGRAPH: 'true' });
  const representations = [1, 2].map((upstreamId) => ({ __typename: 'Client', upstreamId }));
  const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';
  const { errors } = await execute(query, { token: null, variables: { representations } });
  const [first, second] = errors.map(({ message }) => message);
  expect(second).toBe(first);
  expect(first).not.toContain('_entities');
});
