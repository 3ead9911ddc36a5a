import { bulk, creation, invalid, written } from './mutations.ts';
import { createRecords } from './records.ts';
import { lostFields, type Scenario } from './support.ts';

const post = (post: object) => ['posts', { post }] as const;

const POST = `id title content abstract kind kindText taskKind taskKindText tags priority closed private unread useHtml points
  votesCount commentsCount userId clientId parentId createdAt updatedAt scheduledAt
  request { ip } mail { email to } help { link } spam { kind score }`;

/** Twenty posts with the same keys. */
const alike = Array.from({ length: 20 }, (_, index) =>
  post({ title: `Post ${index + 1}`, client_id: 1, kind: 'question' }),
);

/** Paths in each node of the page, in the order of the alphabet. */
const ofEachRow = (...paths: readonly string[]) =>
  alike.flatMap((_post, index) => paths.map((path) => `posts.nodes.${index}.${path}`)).toSorted();

/** Posts of the helpdesk and their comments. */
export const posts: Scenario = {
  seed: async (house) =>
    createRecords(house, [
      ['clients', { client: { name: 'Oak' } }],
      ...alike,
      post({ task_kind: 'comment', post_id: 1, content: 'Well' }),
    ]),
  steps: {
    'a post': {
      query: `{ post(id: 1) { ${POST} client { name } comments { nodes { content parent { title } } } } }`,
      calls: 3,
      differs: {
        lean: { notSent: ['post.abstract', 'post.mail.to', 'post.parentId', 'post.priority', 'post.spam.score'] },
      },
    },
    'a post that is missing': { query: '{ post(id: 99) { title } }', data: { post: null }, calls: 1 },
    'a page of posts with a key that upstream may not send': {
      query: '{ posts(first: 20) { nodes { abstract } } }',
      calls: 1,
      differs: {
        lean: { notSent: ofEachRow('abstract'), calls: 4 },
      },
    },
    'several such keys': {
      query:
        '{ posts(first: 20) { nodes { request { referrer } abstract nick priority mail { to cc } spam { kind } } } }',
      calls: 1,
      differs: {
        lean: { notSent: ofEachRow('abstract', 'mail.to', 'priority'), calls: 4 },
      },
    },
    'posts by a filter': {
      query:
        '{ posts(filter: { isComment: false, kinds: [QUESTION] }, first: 2) { totalCount nodes { title client { name } } } }',
      calls: 2,
    },
    'a new post with the fields that were sent': {
      query: written('createPost', 'input: { title: "New", tags: ["a", "b"] }', 'Post', 'title tags'),
      calls: 1,
    },
    'a new post with its id': creation('createPost', 'input: { title: "New" }', 'Post', 'id title'),
    'a new post with fields that were not sent': {
      query: written('createPost', 'input: { title: "New" }', 'Post', 'title unread votesCount'),
      calls: 1,
      differs: { unread: lostFields('createPost', 'unread', 'votesCount') },
    },
    'a new post without a title': invalid('createPost', 'input: { content: "x" }', "title can't be blank"),
    'a new comment': {
      query: written(
        'addPostComment',
        'postId: "Post:1", input: { content: "So" }',
        'Post',
        'content parentId taskKind parent { title }',
      ),
      calls: 2,
    },
    'a new comment with its id': creation('addPostComment', 'postId: 1, input: { content: "So" }', 'Post', 'id'),
    'a new comment on a post that is missing': invalid('addPostComment', 'postId: 99, input: { content: "So" }'),
    'new posts': {
      query: bulk('createPosts', 'inputs: [{ title: "B1" }, { title: " " }, { title: "B2" }]', 'Post', 'title'),
      calls: 2,
      refused: ['ValidationError', 'NotAttempted'],
      differs: { 'bare:refused-200': { data: { 'createPosts.1.message': "title can't be blank" } } },
    },
  },
};
