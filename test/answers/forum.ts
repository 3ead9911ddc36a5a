import { asAda } from '../forum/support.ts';
import { creation, invalid, missing, written } from './mutations.ts';
import { createRecords } from './records.ts';
import { lostFields, type Scenario } from './support.ts';

const POST = `id upstreamId title content agent votesCount commentsCount createdAt updatedAt kind status categoryId responsibleId
  category { name } comments { id upstreamId text agent kind createdAt updatedAt }`;
const USER = 'login name email description www notification createdAt updatedAt';
const ARMS = '{ title: "Arms", content: "Two" }';

/** The forum, with three suggestions of which one has a comment. */
export const forum: Scenario = {
  headers: asAda,
  seed: async (house) => {
    const { store } = house.sandbox;
    const email = 'ada@example.com';
    store.createUser({ account: house.account, name: 'Ada', login: 'ada', password: 'lovelace', email });
    const category_id = store.createForumCategory(house.account, 'Ideas').id;
    const suggestion = { kind: 'suggestion', task_kind: 'idea', category_id };
    await createRecords(house, [
      ['posts', { post: { ...suggestion, title: 'Longer legs', content: 'Please' } }],
      ['posts', { post: { ...suggestion, title: 'Shorter legs', content: 'Please' } }],
      ['posts', { post: { ...suggestion, title: 'No legs' } }],
      ['posts', { post: { task_kind: 'comment', post_id: 1, content: 'Well' } }],
    ]);
    store.setVotes(2, 3);
  },
  steps: {
    'the user': { query: `{ forumMe { ${USER} } }`, calls: 1, differs: { lean: { notSent: ['forumMe.www'] } } },
    'a user with a wrong password': {
      query: '{ forumMe { login } }',
      headers: { 'x-forum-authorization': 'Basic YWRhOng=' },
      calls: 1,
      errors: [
        {
          path: 'forumMe',
          message: 'The forum API refused the credential of the X-Forum-Authorization header.',
          code: 'UNAUTHENTICATED',
        },
      ],
    },
    'the credentials': {
      query: '{ credentials { account flex crm forum } }',
      data: { credentials: { account: 'ACCEPTED', flex: 'ACCEPTED', crm: 'ACCEPTED', forum: 'ACCEPTED' } },
      calls: 4,
    },
    'the team': {
      query: `{ forumTeam { ${USER} } }`,
      calls: 1,
      differs: {
        lean: {
          notSent: ['forumTeam.0.email', 'forumTeam.0.www', 'forumTeam.1.email', 'forumTeam.1.www', 'forumTeam.2.www'],
        },
      },
    },
    'the categories': { query: '{ forumCategories { id upstreamId name posts { title } } }', calls: 2 },
    'a page of suggestions with what pages have': {
      query: '{ forumPosts(first: 3) { nodes { title content agent votesCount commentsCount createdAt updatedAt } } }',
      calls: 1,
    },
    'a page of suggestions with what pages lack': {
      query: `{ forumPosts(category: "Ideas", order: "new", first: 3) { nodes { ${POST} } } }`,
      calls: 5,
      differs: { lean: { notSent: ['forumPosts.nodes.0.responsibleId', 'forumPosts.nodes.2.responsibleId'] } },
    },
    'a page beyond the last': { query: '{ forumPostList(page: 7) { title } }', calls: 1 },
    'a category that is missing': {
      query: '{ forumPosts(category: "None", first: 3) { nodes { title } } }',
      data: { forumPosts: null },
      errors: [
        {
          path: 'forumPosts',
          message: '`category` is no category that you can see: `forumCategories` has their names.',
          code: 'BAD_USER_INPUT',
        },
      ],
      calls: 1,
    },
    'a suggestion': {
      query: `{ forumPost(id: "ForumPost:1") { ${POST} } }`,
      calls: 2,
      differs: { lean: { notSent: ['forumPost.responsibleId'] } },
    },
    'a suggestion that is missing': { query: '{ forumPost(id: 99) { title } }', data: { forumPost: null }, calls: 1 },
    'a new suggestion with the fields that were sent': {
      query: written('createForumPost', `input: ${ARMS}`, 'ForumPost', 'title content'),
      calls: 1,
    },
    'a new suggestion with its id': creation('createForumPost', `input: ${ARMS}`, 'ForumPost', 'id title'),
    'a new suggestion with fields that were not sent': {
      query: written('createForumPost', `input: ${ARMS}`, 'ForumPost', 'title votesCount status comments { text }'),
      calls: 1,
      differs: { unread: lostFields('createForumPost', 'comments', 'status', 'votesCount') },
    },
    'a new suggestion without a title': invalid('createForumPost', 'input: { title: " ", content: "" }'),
    'a deletion': {
      query: written('deleteForumPost', 'id: "ForumPost:5"', 'DeletedNode', 'deletedId deletedIds'),
      calls: 1,
    },
    'a deletion again': missing('deleteForumPost', 'id: 5'),
    'a new user': {
      query: written(
        'createForumUser',
        'input: { login: "bob", email: "bob@example.com", password: "long enough" }',
        'CreatedForumUser',
        'login',
      ),
      calls: 1,
    },
    'a new user whose login is taken': invalid(
      'createForumUser',
      'input: { login: "ada", email: "no address", password: "long enough" }',
    ),
  },
};
