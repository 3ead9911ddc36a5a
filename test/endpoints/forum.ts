import type { ForumSource } from '../../src/apis/forum/source.ts';
import type { Rows } from './rows.ts';

export const forum: Rows<ForumSource> = {
  me: ['GET /app/users/me.xml', (source) => source.me(), '{ forumMe { login } }'],
  team: ['GET /app/users/team.xml', (source) => source.team(), '{ forumTeam { login } }'],
  firstPosts: ['GET /', (source) => source.firstPosts({}), '{ forumPosts { nodes { id } } }'],
  posts: [
    'GET /:category_name',
    (source) => source.posts('Ideas', {}),
    '{ forumPosts(category: "Ideas") { nodes { id } } }',
  ],
  categories: ['GET /app/categories.xml', (source) => source.categories(), '{ forumCategories { id } }'],
  post: [
    'GET /app/posts/:post_id.xml',
    (source, { forumPost }) => source.post(forumPost),
    '{ forumPost(id: "FORUM_POST") { id } }',
  ],
  createPost: [
    'POST /app/posts.xml',
    (source) => source.createPost({ title: 'Wider', content: 'Please.' }),
    'mutation { createForumPost(input: { title: "Wider", content: "Please." }) { __typename } }',
  ],
  deletePost: [
    'DELETE /app/posts/:post_id.xml',
    (source, { forumPost }) => source.deletePost(forumPost),
    'mutation { deleteForumPost(id: "FORUM_POST") { __typename } }',
  ],
  createUser: [
    'POST /app/users.xml',
    (source) => source.createUser({ login: 'bo', email: 'bo@example.com', password: 'long-enough' }),
    `mutation {
      createForumUser(input: { login: "bo", email: "bo@example.com", password: "long-enough" }) { __typename }
    }`,
  ],
};
