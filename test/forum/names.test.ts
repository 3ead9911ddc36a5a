import { describe, expect, test } from 'vitest';
import { forumOver, saysXml } from './support.ts';

// Names that could lead to another endpoint are refused before any call. `test/bad-input/ids.test.ts` has the ids.

const dots = ['.', '..', './', '../', '..\\', 'x/..', 'x/.', '../app/categories.xml', 'x/../app/categories.xml'];
const app = ['app', 'APP', 'aPp', '/app', '//app', '\\app', '/\\APP', 'app/', 'app\\', 'app.json', 'App.xml'];
const deeper = [
  'app/users/me.xml',
  'app\\users\\me.xml',
  '/app/posts/1.xml',
  'APP/categories.xml',
  'app/../x',
  ' app',
  'app ',
  ' /app',
  '/ app',
];
const cut = [
  '?',
  '#x',
  ';a=b',
  'app?x',
  'APP#x',
  'app;x',
  '/app;',
  '..;',
  'x/..;y',
  '.;',
  '..?x',
  'x/..#',
  'app .json',
];
const encoded = [
  '%61pp',
  'app%2Fusers%2Fme.xml',
  'Sklep%2fDostawy',
  '%2e%2e',
  'x%2F..%2fapp',
  '%252e',
  '%c0%af',
  'a%00',
];
const spaces = ['', ' ', '   ', '\u00a0', '/', '//', '\\', ' / ', ' . ', ' .. '];
const unfit = [
  'a\0',
  '\0',
  'a\nb',
  'a\rb',
  '\t',
  'a\u007fb',
  'a\u0085b',
  '\ud800',
  'a\udc00b',
  'x'.repeat(10_000),
  'x'.repeat(501),
  '/app\0',
];

describe('a category name that is refused', () => {
  test('reaches no endpoint', async () => {
    const { execute, calls } = await forumOver(saysXml('<nil-classes type="array"/>'));
    for (const category of [...dots, ...app, ...deeper, ...cut, ...encoded, ...spaces, ...unfit]) {
      const { data, errors } = await execute(
        'query ($category: String) { forumPosts(category: $category) { nodes { id } } }',
        { variables: { category } },
      );
      expect(data, category).toEqual({ forumPosts: null });
      expect(errors, category).toMatchObject([{ path: ['forumPosts'], extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(errors[0]?.message, category).toMatch(/^.{0,60} cannot be the name of a category\.$/s);
      expect(calls(), category).toEqual([]);
    }
  });

  test('a refused name makes the posts of a category null, even when upstream sent that name', async () => {
    const { execute, calls } = await forumOver(
      saysXml(
        '<categories type="array"><category><id>1</id><name>x/../app/categories.xml</name></category><category><id>2</id></category></categories>',
      ),
    );
    const { data, errors } = await execute('{ forumCategories { name posts { id } } }');
    expect(data).toEqual({
      forumCategories: [
        { name: 'x/../app/categories.xml', posts: null },
        { name: null, posts: null },
      ],
    });
    expect(errors).toHaveLength(1);
    expect(calls()).toEqual(['GET /app/categories.xml']);
  });
});

test.each(['ForumPost:../categories', 'ForumCategory:1', 'Post:1'])(
  'the id %s of another type, or of a way, reaches no other endpoint',
  async (id) => {
    const { execute, calls } = await forumOver(saysXml('<nil-classes type="array"/>'));
    const { errors } = await execute('query ($id: ID!) { forumPost(id: $id) { title } }', { variables: { id } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    await execute('query ($id: ID!) { node(id: $id) { id } }', { variables: { id } });
    expect(calls().filter((call) => !/^GET \/app\/(categories\.xml|posts\/1\.json|posts\/1\.xml)/.test(call))).toEqual(
      [],
    );
  },
);
