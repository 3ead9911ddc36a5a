import { describe, expect, test } from 'vitest';
import { forumOver, saysXml } from './support.ts';

// No document names the root of an answer.

test.each([
  ['<post><id type="integer"> 7 </id><title>New</title></post>', null],
  ['<post><id>7</id><title>New</title><comments type="array"/></post>', []],
  ['<post><comments type="array"><comment><id> 1 </id></comment></comments><id>7</id><title>New</title></post>', ['1']],
])('a single suggestion may be a post alone: %s', async (body, comments) => {
  const { ask, calls } = await forumOver(saysXml(body));
  const data = await ask('{ forumPost(id: 7) { upstreamId title comments { upstreamId } } }');
  const found = comments?.map((upstreamId) => ({ upstreamId })) ?? null;
  expect(data).toEqual({ forumPost: { upstreamId: '7', title: 'New', comments: found } });
  expect(calls()).toEqual(['GET /app/posts/7.xml']);
});

test.each([
  ['<posts><post><id>7</id><title>New</title></post></posts>'],
  ['<hash><post><id>7</id><title>New</title></post></hash>'],
])('a single suggestion may be in a wrapper: %s', async (body) => {
  const { ask } = await forumOver(saysXml(body));
  expect(await ask('{ forumPost(id: 7) { title } }')).toEqual({ forumPost: { title: 'New' } });
});

describe('the calling user', () => {
  test.each([['<hash><user><login>x</login></user></hash>'], ['<users><user><login>x</login></user></users>']])(
    'may be in a wrapper: %s',
    async (body) => {
      const { ask } = await forumOver(saysXml(body));
      expect(await ask('{ forumMe { login } }')).toEqual({ forumMe: { login: 'x' } });
    },
  );

  test.each([
    ['<users type="array"><user><login>x</login></user></users>'],
    ['<users><user><login>x</login></user><user><login>y</login></user></users>'],
    ['<hash><login>x</login></hash>'],
  ])('is not in a list, and not beside others: %s', async (body) => {
    const { execute } = await forumOver(saysXml(body));
    const { data, errors } = await execute('{ forumMe { login } }');
    expect(data).toEqual({ forumMe: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });
});

test.each([
  ['forumTeam { login }', '<users type="array"><user><login>x</login></user></users>', [{ login: 'x' }]],
  ['forumPostList { upstreamId }', '<posts type="array"><post><id>1</id></post></posts>', [{ upstreamId: '1' }]],
  ['forumCategories { upstreamId }', '<categories><category><id>1</id></category></categories>', [{ upstreamId: '1' }]],
])('a list may be in a <hash>: %s', async (field, list, rows) => {
  const { ask } = await forumOver(saysXml(`<hash>${list}<page type="integer">1</page></hash>`));
  expect(await ask(`{ list: ${field} }`)).toEqual({ list: rows });
});

describe('a list has any root with type="array"', () => {
  const lists = [
    ['forumTeam { login }', 'user', '<login>x</login>', [{ login: 'x' }]],
    ['forumPostList { upstreamId }', 'post', '<id>1</id>', [{ upstreamId: '1' }]],
    ['forumCategories { upstreamId }', 'category', '<id>1</id>', [{ upstreamId: '1' }]],
  ] as const;
  const listed = async (field: string, body: string) => (await forumOver(saysXml(body))).execute(`{ list: ${field} }`);

  test.each(lists)('that holds its items, or nothing: %s', async (field, item, content, rows) => {
    for (const root of ['objects', 'records', 'hashes', 'nil-classes']) {
      const { data, errors } = await listed(field, `<${root} type="array"><${item}>${content}</${item}></${root}>`);
      expect({ data, errors }).toEqual({ data: { list: rows }, errors: [] });
      expect(await listed(field, `<${root} type="array"/>`)).toMatchObject({ data: { list: [] }, errors: [] });
    }
  });

  test('of which items of another name are left out', async () => {
    const { data, errors } = await listed(
      'forumPostList { upstreamId }',
      `<a type="array"><post><id>1</id></post><ad/></a>`,
    );
    expect(data).toEqual({ list: [{ upstreamId: '1' }] });
    expect(errors).toMatchObject([{ message: expect.stringMatching(/: 1 of 2 rows was left out: /) }]);
  });

  test.each(
    lists.flatMap(([field, item, content]) => [
      [field, `<objects><${item}>${content}</${item}></objects>`] as const,
      [field, '<objects type="array"><comment><id>1</id></comment></objects>'] as const,
      [field, `<objects type="array">lost<${item}>${content}</${item}></objects>`] as const,
      [field, '<errors type="array"/>'] as const,
      [field, '<comments type="array"/>'] as const,
      [field, '<html><body/></html>'] as const,
      [field, `<${item}>${content}</${item}>`] as const,
    ]),
  )('%s is not %s', async (field, body) => {
    const { data, errors } = await listed(field, body);
    expect(data).toEqual({ list: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });
});
