import { describe, expect, test } from 'vitest';
import { forumGateway, forumOver, saysXml } from './support.ts';

const USER = 'login name email description www notification createdAt updatedAt';
const LISTED = 'id upstreamId title content agent commentsCount votesCount createdAt updatedAt';
const SINGLE = 'categoryId category { id upstreamId name } kind responsibleId status';
const COMMENT = 'id upstreamId text agent kind createdAt updatedAt';
const NOW = '2026-01-02T03:04:05Z';
const still = { now: () => new Date(NOW) };

describe('users', () => {
  const ada = {
    ...{ login: 'ada', name: 'Ada', email: 'ada@example.com', description: 'Of numbers', www: 'https://ada.example' },
    ...{ notification: 'all', createdAt: NOW, updatedAt: NOW },
  };

  test('forumMe is the calling user', async () => {
    const { execute, sandbox } = await forumGateway({}, still);
    expect(await execute(`{ forumMe { ${USER} } }`)).toMatchObject({ data: { forumMe: ada }, errors: [] });
    expect(sandbox.calls()).toEqual(['GET /app/users/me.xml']);
  });

  test('forumTeam lists all users; keys that upstream lacks are null', async () => {
    const { ask, sandbox, account } = await forumGateway({}, still);
    sandbox.store.createUser({ account, name: 'Bob < & "co"', login: 'bob', password: 'p' });
    const data = await ask(`{ forumTeam { ${USER} } }`);
    const bob = { ...ada, login: 'bob', name: 'Bob < & "co"', email: null, description: null, www: null };
    expect(data).toEqual({ forumTeam: expect.arrayContaining([ada, bob]) });
    expect(sandbox.calls()).toEqual(['GET /app/users/team.xml']);
  });

  test('forumTeam is a list for one user and for no user', async () => {
    const team = async (body: string) =>
      (await (await forumOver(saysXml(body))).execute('{ forumTeam { login } }')).data;
    expect(await team('<users type="array"><user><login>1e5</login></user></users>')).toEqual({
      forumTeam: [{ login: '1e5' }],
    });
    expect(await team('<users type="array"/>')).toEqual({ forumTeam: [] });
    expect(await team('<nil-classes type="array"/>')).toEqual({ forumTeam: [] });
    expect(await team('<objects type="array"/>')).toEqual({ forumTeam: [] });
    expect(await team('<users type="array">lost<user/></users>')).toEqual({ forumTeam: null });
    expect(await team('<nil-classes type="array">lost</nil-classes>')).toEqual({ forumTeam: null });
  });
});

describe('suggestions', () => {
  test('forumPost has every field, and its comments', async () => {
    const { ask, sandbox, category, suggest, crm } = await forumGateway({}, still);
    const ideas = category('Ideas');
    const id = await suggest('Longer\tlegs', ' 007 \r\n<b> & ]]> 🪑 ąę ');
    sandbox.store.setVotes(Number(id), 7);
    await crm('POST', '/app/posts.json', {
      post: { title: 't', content: ' It\nis ', task_kind: 'comment', post_id: Number(id) },
    });

    const data = await ask(`{ forumPost(id: "${id}") { ${LISTED} ${SINGLE} comments { ${COMMENT} } } }`);

    const times = { createdAt: NOW, updatedAt: NOW };
    const commentId = expect.stringMatching(/^\d+$/);
    expect(data).toEqual({
      forumPost: {
        ...{ id: `ForumPost:${id}`, upstreamId: id, title: 'Longer\tlegs', content: ' 007 \r\n<b> & ]]> 🪑 ąę ' },
        ...{ agent: null, commentsCount: 1, votesCount: 7, ...times },
        ...{ categoryId: ideas, category: { id: `ForumCategory:${ideas}`, upstreamId: ideas, name: 'Ideas' } },
        ...{ kind: 'suggestion', responsibleId: null, status: 'new' },
        comments: [
          {
            id: expect.stringMatching(/^ForumComment:\d+$/),
            upstreamId: commentId,
            text: ' It\nis ',
            agent: expect.any(String),
            kind: null,
            ...times,
          },
        ],
      },
    });
    expect(sandbox.calls()).toEqual(['GET /app/posts/:post_id.xml', 'GET /app/categories.xml']);
  });

  test('forumPost takes a global id, and is null where there is none', async () => {
    const { execute, suggest, sandbox } = await forumGateway();
    const id = await suggest();
    const { data } = await execute(
      `{ one: forumPost(id: "ForumPost:${id}") { title } none: forumPost(id: 999) { title } }`,
    );
    expect(data).toEqual({ one: { title: 'Longer legs' }, none: null });
    expect(sandbox.calls()).toEqual(['GET /app/posts/:post_id.xml', 'GET /app/posts/:post_id.xml']);
    expect((await execute('{ forumPost(id: "Post:1") { title } }')).errors[0]?.extensions['code']).toBe(
      'BAD_USER_INPUT',
    );
  });

  test('a responsible user and a kind of comment are returned when upstream sends them', async () => {
    const { execute } = await forumOver(
      saysXml(`<hash><comments type="array"><comment><agent>a</agent><comment><![CDATA[&amp;]]></comment><id type="integer">1</id>
        <kind>praise</kind></comment></comments><post><id type="integer">7</id><kind>error</kind><status>closed</status>
        <responsible-id type="integer">12</responsible-id></post></hash>`),
    );
    const { data } = await execute('{ forumPost(id: 7) { responsibleId status kind comments { text kind agent } } }');
    const comments = [{ text: '&amp;', kind: 'praise', agent: 'a' }];
    expect(data).toEqual({ forumPost: { responsibleId: '12', status: 'closed', kind: 'error', comments } });
  });

  test('counts may be beyond 32 bits', async () => {
    const count = '<votes-cache type="integer">4294967296</votes-cache><comments-cache>4294967297</comments-cache>';
    const { ask } = await forumOver(saysXml(`<hash><post><id>7</id>${count}</post></hash>`));
    const data = await ask('{ forumPost(id: 7) { votesCount commentsCount } }');
    expect(data).toEqual({ forumPost: { votesCount: 2 ** 32, commentsCount: 2 ** 32 + 1 } });
  });

  test('a missing key is null; a value of another type is an error of its own field', async () => {
    const bare = await forumOver(saysXml('<hash><post><id>7</id></post></hash>'));
    expect(await bare.ask(`{ forumPost(id: 7) { ${LISTED} ${SINGLE} comments { id } } }`)).toMatchObject({
      forumPost: { upstreamId: '7', title: null, votesCount: null, category: null, comments: null },
    });

    const odd = await forumOver(
      saysXml(
        '<hash><post><id>7</id><title>x</title><votes-cache>9007199254740993</votes-cache><comments-cache>x</comments-cache></post></hash>',
      ),
    );
    const misfit = await odd.execute('{ forumPost(id: 7) { title votesCount commentsCount } }');
    expect(misfit.data).toEqual({ forumPost: { title: 'x', votesCount: null, commentsCount: null } });
    expect(misfit.errors.map(({ extensions }) => extensions['code'])).toEqual([
      'UPSTREAM_BAD_RESPONSE',
      'UPSTREAM_BAD_RESPONSE',
    ]);
  });

  test('white space around values, entities of HTML and another encoding are read', async () => {
    const { ask, calls } = await forumOver(
      saysXml(
        Buffer.from(
          `<?xml version="1.0" encoding="ISO-8859-2"?>
          <hash><comments type="array"><comment><comment> za\xbf&oacute;\xb3\xe6 </comment><id> 1\n</id></comment></comments>
          <post><id type="integer"> 7 </id><title>a&nbsp;b</title><votes-cache type="integer">\n 12 </votes-cache>
          <created-at type="datetime"> 2010/05/01 08:00:00 +0200 </created-at><responsible-id type="integer"> </responsible-id>
          </post></hash>`,
          'latin1',
        ),
        { headers: { 'content-type': 'application/xml' } },
      ),
    );
    const data = await ask(
      '{ forumPost(id: 7) { upstreamId title votesCount createdAt responsibleId comments { id text } } }',
    );
    expect(data).toEqual({
      forumPost: {
        ...{ upstreamId: '7', title: 'a\u00a0b', votesCount: 12, createdAt: '2010-05-01T08:00:00+02:00' },
        responsibleId: null,
        comments: [{ id: 'ForumComment:1', text: ' zażółć ' }],
      },
    });
    expect(calls()).toEqual(['GET /app/posts/7.xml']);
  });

  test.each(['<post><id>2</id></post>', '<comment><agent>x</agent></comment>', '<comment nil="true"/>'])(
    'a comment that cannot be read is left out: %s',
    async (item) => {
      const comment = '<comment><id>1</id><comment>fine</comment></comment>';
      const { execute } = await forumOver(
        saysXml(`<hash><comments type="array">${item}${comment}</comments><post><id>7</id></post></hash>`),
      );
      const { data } = await execute('{ forumPost(id: 7) { comments { text } } }');
      expect(data).toEqual({ forumPost: { comments: [{ text: 'fine' }] } });
    },
  );

  test.each([
    '<post><title>7</title></post>',
    '<post><id>7</id><id>8</id></post>',
    '<user><id>7</id></user>',
    '<posts type="array"><post><id>7</id></post></posts>',
    '<hash><comments type="array"/></hash>',
    '<hash>lost<post><id>7</id></post></hash>',
    '<hash><post><id>7</id></post><post><id>8</id></post></hash>',
    '<hash><comments><comment><id>1</id></comment></comments><comments/><post><id>7</id></post></hash>',
    '<hash><post><title>7</title></post></hash>',
    '<hash><post nil="true"/></hash>',
  ])('the malformed response %s is an error', async (body) => {
    const { execute } = await forumOver(saysXml(body));
    const { data, errors } = await execute('{ forumPost(id: 7) { title } }');
    expect(data).toEqual({ forumPost: null });
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'UPSTREAM_BAD_RESPONSE',
          upstream: { api: 'forum', endpoint: 'GET /app/posts/:post_id.xml' },
        },
      },
    ]);
  });
});

describe('categories', () => {
  test('have a name, and a page of their suggestions', async () => {
    const { ask, sandbox, category, suggest } = await forumGateway();
    const ids = [category('Pomysły / uwagi'), category('Ąę')];
    await suggest();
    const data = await ask('{ forumCategories { id upstreamId name posts(order: "new", page: 1) { title } } }');
    expect(data).toEqual({
      forumCategories: [
        {
          id: `ForumCategory:${ids[0]}`,
          upstreamId: ids[0],
          name: 'Pomysły / uwagi',
          posts: [{ title: 'Longer legs' }],
        },
        { id: `ForumCategory:${ids[1]}`, upstreamId: ids[1], name: 'Ąę', posts: [] },
      ],
    });
    expect(sandbox.calls()).toEqual(['GET /app/categories.xml', 'GET /:category_name', 'GET /:category_name']);
  });

  test('a forum without categories has empty lists', async () => {
    const { execute } = await forumGateway();
    expect((await execute('{ forumCategories { name } forumPosts { nodes { title } } }')).data).toEqual({
      forumCategories: [],
      forumPosts: { nodes: [] },
    });
  });
});

test('node and nodes find suggestions and categories', async () => {
  const { ask, sandbox, category, suggest } = await forumGateway();
  const ideas = category('Ideas');
  const id = await suggest();
  const node = `... on ForumPost { title } ... on ForumCategory { name }`;
  const data = await ask(
    `query ($ids: [ID!]!) { node(id: "ForumPost:${id}") { ${node} } nodes(ids: $ids) { ${node} } }`,
    {
      variables: { ids: [`ForumCategory:${ideas}`, 'ForumCategory:999', `ForumPost:${id}`, 'ForumPost:999'] },
    },
  );
  expect(data).toEqual({
    node: { title: 'Longer legs' },
    nodes: [{ name: 'Ideas' }, null, { title: 'Longer legs' }, null],
  });
  expect(sandbox.calls().toSorted()).toEqual([
    'GET /app/categories.xml',
    'GET /app/posts/:post_id.xml',
    'GET /app/posts/:post_id.xml',
  ]);
});
