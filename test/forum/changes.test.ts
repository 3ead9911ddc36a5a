import { describe, expect, test } from 'vitest';
import { basic, forumGateway, forumOver, REFUSAL, saysXml } from './support.ts';

const CREATE = `mutation ($input: CreateForumPostInput!) {
  createForumPost(input: $input) { ${REFUSAL} ... on ForumPost { upstreamId title content kind status responsibleId categoryId } }
}`;
const CREATE_USER = `mutation ($input: CreateForumUserInput!) {
  createForumUser(input: $input) { ${REFUSAL} ... on CreatedForumUser { login } }
}`;
const newUser = { login: 'bob', email: 'bob@example.com', password: ' <Sécret> & "☃" ]]> ' };

describe('createForumPost', () => {
  test('returns the new suggestion, in one call', async () => {
    const { ask, sandbox, category } = await forumGateway();
    const ideas = category('Ideas');
    const input = { title: 'Longer legs', content: 'Please' };
    const data = await ask(CREATE, { variables: { input } });
    const single = { kind: 'suggestion', status: 'new', responsibleId: null, categoryId: ideas };
    expect(data).toEqual({
      createForumPost: { __typename: 'ForumPost', upstreamId: expect.stringMatching(/^\d+$/), ...input, ...single },
    });
    expect(sandbox.calls()).toEqual(['POST /app/posts.xml']);
  });

  test('a new suggestion has no comments yet, and no call is made for them', async () => {
    const { ask, sandbox } = await forumGateway();
    const data = await ask(
      'mutation { createForumPost(input: { title: "x", content: "y" }) { ... on ForumPost { title comments { text } } } }',
    );
    expect(data).toEqual({ createForumPost: { title: 'x', comments: [] } });
    expect(sandbox.calls()).toEqual(['POST /app/posts.xml']);
  });

  test.each([
    ['<post><id>7</id><title>x</title></post>', []],
    ['<hash><post><id type="integer"> 7 </id><title>x</title></post></hash>', []],
    [
      '<hash><comments type="array"><comment><comment>Soon</comment><id>1</id></comment></comments><post><id>7</id><title>x</title></post></hash>',
      [{ text: 'Soon' }],
    ],
  ])('the new suggestion may come as a single one does: %s', async (body, comments) => {
    const { ask, calls } = await forumOver(saysXml(body, { status: 201 }));
    const data = await ask(
      'mutation { createForumPost(input: { title: "x", content: "y" }) { ... on ForumPost { upstreamId title comments { text } } } }',
    );
    expect(data).toEqual({ createForumPost: { upstreamId: '7', title: 'x', comments } });
    expect(calls()).toEqual(['POST /app/posts.xml']);
  });

  test.each([
    'a & b < c > d "e" \'f\' &amp; &#65; &lt;',
    '<b>x</b><!-- y --><![CDATA[z]]>',
    ']]>',
    'one\ntwo\r\nthree\rfour\tfive',
    ' leading and trailing ',
    'Zażółć gęślą jaźń',
    '🪑👩‍👩‍👧 \u{10FFFF}',
    '\u0085\u2028\u00a0\u007f\uFFFD\uFEFF',
    '007',
    '<post><title>x</title></post>',
    'x'.repeat(50_000),
  ])('sends a text as it is: %j', async (content) => {
    const { execute, sandbox } = await forumGateway();
    const { data } = await execute(CREATE, { variables: { input: { title: `t${content.slice(0, 99)}`, content } } });
    expect(data).toMatchObject({ createForumPost: { title: `t${content.slice(0, 99)}`, content } });
    expect(sandbox.requests.map(({ body }) => body)).toEqual([
      { post: { title: `t${content.slice(0, 99)}`, content } },
    ]);
    expect(sandbox.requests[0]?.headers).toMatchObject({
      accept: 'application/xml',
      'content-type': 'application/xml',
    });
  });

  test('markup in a text is escaped', async () => {
    const { execute, requests } = await forumOver(saysXml('<post><id>1</id></post>', { status: 201 }));
    await execute(CREATE, { variables: { input: { title: '</title><id>1</id>', content: ']]>\r"' } } });
    expect(requests[0]?.body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<post><title>&lt;/title&gt;&lt;id&gt;1&lt;/id&gt;</title><content>]]&gt;&#13;&quot;</content></post>',
    );
  });

  test.each(['\0', '\u0001', '\b', '\v', '\f', '\u001b', '\uFFFE', '\uFFFF', '\ud800', '\udc00\ud800'])(
    '%j, which XML cannot carry, is refused without a call',
    async (unfit) => {
      const { execute, calls } = await forumOver(saysXml('<post><id>1</id></post>'));
      const refused = async (title: string, content: string) =>
        (await execute(CREATE, { variables: { input: { title, content } } })).data;
      const of = (field: string) => ({
        createForumPost: {
          __typename: 'ValidationError',
          message: expect.stringContaining(`\`${field}\``),
          fields: [{ field, messages: [expect.any(String)] }],
        },
      });
      expect(await refused(`a${unfit}b`, 'x')).toEqual(of('title'));
      expect(await refused('x', `a${unfit}b`)).toEqual(of('content'));
      expect(calls()).toEqual([]);
    },
  );
});

describe('createForumUser', () => {
  test('makes a user who can log in', async () => {
    const { execute, ask, sandbox } = await forumGateway();
    const data = await ask(CREATE_USER, { variables: { input: newUser } });
    expect(data).toEqual({ createForumUser: { __typename: 'CreatedForumUser', login: 'bob' } });
    expect(sandbox.calls()).toEqual(['POST /app/users.xml']);
    expect(sandbox.requests.map(({ body }) => body)).toEqual([{ user: { ...newUser, password: '…' } }]);

    const headers = { 'x-forum-authorization': basic('bob', newUser.password) };
    expect(await execute('{ forumMe { login email } }', { headers })).toMatchObject({
      data: { forumMe: { login: 'bob', email: 'bob@example.com' } },
      errors: [],
    });
  });

  test.each([
    ['<errors type="array"><error>Login&#160;zajęty</error></errors>', 'Login\u00a0zajęty'],
    ['<errors><error>a</error><error>b</error></errors>', 'a; b'],
    ['<errors><error><![CDATA[<b>]]></error></errors>', '<b>'],
    ['<errors/>', 'The forum API refused the input.'],
    ['<errors><error> </error></errors>', 'The forum API refused the input.'],
    ['<html>no</html>', 'The forum API refused the input.'],
    ['<errors><error>cut', 'The forum API refused the input.'],
    ['Oops: <b>no</b>', 'The forum API refused the input.'],
    ['{"errors":["no"]}', 'The forum API refused the input.'],
    ['Nazwa jest zajęta', 'Nazwa jest zajęta'],
    ['', 'The forum API refused the input.'],
  ])('the refusal %j has the message %j', async (body, message) => {
    const { execute } = await forumOver(saysXml(body, { status: 422 }));
    const { data } = await execute(CREATE_USER, { variables: { input: newUser } });
    expect(data).toEqual({ createForumUser: { __typename: 'ValidationError', message, fields: [] } });
  });

  test.each([
    ["Login can't be blank", [{ field: 'login', messages: ["can't be blank"] }]],
    ['Login zajęty', [{ field: 'login', messages: ['zajęty'] }]],
    [
      'Password is too short</error><error>Email is bad',
      [
        { field: 'password', messages: ['is too short'] },
        { field: 'email', messages: ['is bad'] },
      ],
    ],
    ['Nickname is bad', []],
  ])('the refusal %j names its fields', async (texts, fields) => {
    const { execute } = await forumOver(saysXml(`<errors><error>${texts}</error></errors>`, { status: 422 }));
    const { data } = await execute(CREATE_USER, { variables: { input: newUser } });
    expect(data).toMatchObject({ createForumUser: { __typename: 'ValidationError', fields } });
  });

  test.each(['login', 'email', 'password'])(
    'a control character in the %s, which XML cannot carry, is refused without a call',
    async (field) => {
      const { execute, calls, logs } = await forumOver(saysXml(''));
      const input = { ...newUser, [field]: 'canary\u0001\ud800' };
      const result = await execute(CREATE_USER, { variables: { input } });
      expect(result.data).toMatchObject({ createForumUser: { __typename: 'ValidationError', fields: [{ field }] } });
      expect(JSON.stringify(result) + logs.join('')).not.toContain('canary');
      expect(calls()).toEqual([]);
    },
  );
});
