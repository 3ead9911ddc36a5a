import { describe, expect, test } from 'vitest';
import { basic, declaration, forumSandbox, refusal, requestsOf, texts, xml } from './support.ts';

const now = () => new Date('2026-03-01T10:00:00.123Z');

const ada = `<user>
  <created-at type="datetime">2026-03-01T10:00:00Z</created-at>
  <description nil="true"/>
  <email nil="true"/>
  <login>ada</login>
  <name>Ada</name>
  <notification>all</notification>
  <updated-at type="datetime">2026-03-01T10:00:00Z</updated-at>
  <www nil="true"/>
</user>
`;

test('GET /app/users/me.xml answers the calling user, as XML', async () => {
  const { get } = await forumSandbox({ now });
  const { status, type, text } = await get('/app/users/me.xml');
  expect({ status, type }).toEqual({ status: 200, type: xml });
  expect(text).toBe(declaration + ada);
});

test('a user has a description, an email address and a web address, escaped', async () => {
  const { sandbox, base, account } = await forumSandbox();
  const description = 'A & B <b>"x"</b>\r\n]]> żółw 🪑\u0000\u0008\uFFFE\ud800';
  const sent = { login: 'bo', password: 'p', email: 'bo@example.com', www: 'bo.example', description, name: '' };
  sandbox.store.createUser({ account, ...sent });
  const { text } = await requestsOf(base, basic('bo', 'p')).get('/app/users/me.xml');
  expect(text).toContain('<description>A &amp; B &lt;b&gt;"x"&lt;/b&gt;&#13;\n]]&gt; żółw 🪑</description>');
  expect(text).toContain('<email>bo@example.com</email>');
  expect(text).toContain('<www>bo.example</www>');
  expect(text).toContain('<name></name>');
});

test('GET /app/users/team.xml answers an array of the users of the account', async () => {
  const { sandbox, account, get, stranger } = await forumSandbox({ now });
  const indented = ada.replaceAll(/^/gm, '  ').trimEnd();
  const only = `${declaration}<users type="array">\n${indented}\n</users>\n`;
  stranger();
  expect(await get('/app/users/team.xml')).toMatchObject({ status: 200, text: only });
  sandbox.store.createUser({ account, name: 'Bo' });
  const { text } = await get('/app/users/team.xml');
  expect(text.match(/<name>.*/g)).toEqual(['<name>Ada</name>', '<name>Bo</name>']);
});

describe('POST /app/users.xml', () => {
  const user = (login: string, email = 'bo@example.com', password = 'a-password') =>
    `<user><login>${login}</login><email>${email}</email><password>${password}</password></user>`;

  test('answers 201 with the user, without the password', async () => {
    const { post } = await forumSandbox({ now });
    const { status, text } = await post('/app/users.xml', user('bo'));
    expect(status).toBe(201);
    const made = ada
      .replace('<login>ada', '<login>bo')
      .replace('<name>Ada', '<name>bo')
      .replace('<email nil="true"/>', '<email>bo@example.com</email>');
    expect(text).toBe(declaration + made);
  });

  test('the new user gets in at once, and is of the account of the caller', async () => {
    const { base, post, stranger } = await forumSandbox();
    await post('/app/users.xml', user(' Bo '));
    const bo = requestsOf(base, basic('bo', 'a-password'));
    const logins = async ({ get }: Pick<typeof bo, 'get'>, path: string) => texts((await get(path)).text, 'login');
    expect(await logins(bo, '/app/users/me.xml')).toEqual(['bo']);
    expect(await logins(bo, '/app/users/team.xml')).toEqual(['ada', 'bo']);
    const other = stranger();
    await other.post('/app/users.xml', user('cy'));
    expect(await logins(other, '/app/users/team.xml')).toEqual(['eve', 'cy']);
  });

  test('a password of 8 characters is enough, and keeps its spaces and what was escaped', async () => {
    const { base, post } = await forumSandbox();
    expect((await post('/app/users.xml', user('cy', 'cy@example.com', '12345678'))).status).toBe(201);
    await post('/app/users.xml', user('bo', 'bo@example.com', ' 007 &amp; &#243; '));
    expect((await requestsOf(base, basic('bo', ' 007 & ó ')).get('/app/users/me.xml')).status).toBe(200);
  });

  test.each([
    ['a blank login', user(' '), "Login can't be blank"],
    ['a login with a colon', user('b:o'), "Login can't contain a colon"],
    ['a taken login', user('ADA '), 'Login has already been taken'],
    ['no email address', user('bo', 'bo'), 'Email must be an email address'],
    ['a short password', user('bo', 'bo@example.com', '1234567'), 'Password must have at least 8 characters'],
    ['a login of another account', user('eve'), 'Login has already been taken'],
  ])('%s is refused with 422', async (_what, body, error) => {
    const { post, get, stranger } = await forumSandbox();
    stranger();
    expect(await post('/app/users.xml', body)).toMatchObject(refusal(error));
    expect((await get('/app/users/team.xml')).text.match(/<user>/g)).toHaveLength(1);
  });

  test('all that is wrong with a user is said at once, and what the query says is no part of it', async () => {
    const { post } = await forumSandbox();
    for (const body of ['<user/>', '<user><login nil="true"/></user>', '<user><login><x/></login></user>']) {
      const { status, text } = await post('/app/users.xml?login=bo&email=bo@example.com&password=12345678', body);
      expect(status).toBe(422);
      expect(text.match(/<error>\w+/g)).toEqual(['<error>Login', '<error>Email', '<error>Password']);
    }
  });
});
