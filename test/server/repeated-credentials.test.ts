import { expect, test } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { ask, partsOf } from '../support/parts.ts';

const FORUM =
  '{ forumMe { login } mine: forumPost(id: 1) { title } forumCategories { name } account: apiTokens { name } }';

test('one missing credential is told once: the other fields name the first', async () => {
  const { execute } = await gateway();
  const { errors } = await execute(FORUM);
  expect(errors.map(({ path, message }) => [path, message])).toEqual([
    [
      ['forumMe'],
      'No credential for the forum: send the header `X-Forum-Authorization: Basic <login:password in base64>`.',
    ],
    [['forumCategories'], 'No credential for the forum: see the error of `forumMe`.'],
    [['mine'], 'No credential for the forum: see the error of `forumMe`.'],
  ]);
  for (const { extensions } of errors) expect(extensions).toEqual({ code: 'UNAUTHENTICATED' });
});

test('two missing credentials are told both, and the next operation is told again', async () => {
  const { execute } = await gateway();
  for (const _time of ['first', 'second']) {
    const { errors } = await execute(FORUM, { token: null });
    const messages = errors.map(({ message }) => message);
    expect(messages.filter((message) => message.includes('send the header'))).toHaveLength(2);
    expect(messages.filter((message) => message.includes('see the error of `forumMe`'))).toHaveLength(2);
  }
});

test('a later part names the error of an earlier one', async () => {
  const { url, admin } = await gateway();
  const query = '{ forumMe { login } ... @defer { forumCategories { name } } }';
  const response = await ask(url, query, { headers: { authorization: `Bearer ${admin.token}` } });
  let messages = '';
  for await (const part of partsOf(response)) messages += JSON.stringify(part);
  expect(messages.match(/send the header/g)).toHaveLength(1);
  expect(messages.match(/see the error of `forumMe`/g)).toHaveLength(1);
});
