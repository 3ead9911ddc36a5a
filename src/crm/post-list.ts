import { builder } from '../builder.ts';
import { listConnectionOf } from '../lists/connections.ts';
import { identifier, text } from '../http/formats/leaves.ts';
import { Client } from './clients.ts';
import { indexByForeignKey } from '../lists/foreign-keys.ts';
import {
  inFilter,
  idFilter,
  type Condition,
  type Conditions,
  textFilter,
  DateTimeRange,
  filteredList,
  FILTER_DESCRIPTION,
  booleanFilter,
  hasAll,
  instantRange,
} from '../lists/filters.ts';
import { decodeOrNull } from '../lists/decodable.ts';
import { Post, PostKind, postKind, TaskKind, taskKind } from './posts.ts';
import { type PostRecord, tagList } from './wire.ts';

const PostConnection = listConnectionOf('Post', Post, 'Posts.');

const PostFilter = builder.inputType('PostFilter', {
  description: FILTER_DESCRIPTION,
  fields: (t) => ({
    text: t.string({ description: 'This text is in the title, body, summary or nickname. Case does not matter.' }),
    kinds: t.field({ type: [PostKind], description: 'The kind is one of these.' }),
    taskKinds: t.field({ type: [TaskKind], description: 'The kind in the helpdesk is one of these.' }),
    isComment: t.boolean({ description: 'True keeps comments; false keeps all other posts.' }),
    clientIds: t.idList({ description: 'The client is one of these. Takes global ids or upstream ids.' }),
    statusIds: t.idList({ description: 'The status is one of these.' }),
    categoryIds: t.idList({ description: 'The category is one of these.' }),
    projectIds: t.idList({ description: 'The project is one of these.' }),
    responsibleIds: t.idList({ description: 'The assignee is one of these users.' }),
    userIds: t.idList({ description: 'The author is one of these users.' }),
    tags: t.stringList({ description: 'The post has all of these tags. Case does not matter.' }),
    closed: t.boolean({ description: 'True keeps closed posts; false keeps all other posts.' }),
    private: t.boolean({ description: 'True keeps private posts; false keeps all other posts.' }),
    unread: t.boolean({ description: 'True keeps unread posts; false keeps all other posts.' }),
    createdAt: t.field({ type: DateTimeRange, description: 'Created within this range.' }),
    updatedAt: t.field({ type: DateTimeRange, description: 'Last changed within this range.' }),
    scheduledAt: t.field({ type: DateTimeRange, description: 'Scheduled within this range.' }),
  }),
});

/** The keys of a record that the filter `text` looks at. */
export const postTextKeys = ['title', 'content', 'abstract', 'nick'] as const;

const postList = filteredList({
  name: 'Post',
  filter: PostFilter,
  conditions: (filter): Conditions<PostRecord> => [
    textFilter(filter.text, postTextKeys),
    inFilter(filter.kinds, 'kind', postKind),
    inFilter(filter.taskKinds, 'task_kind', taskKind),
    commentFilter(filter.isComment),
    idFilter(filter.clientIds, 'client_id', 'clientIds', 'Client'),
    idFilter(filter.statusIds, 'status_id', 'statusIds'),
    idFilter(filter.categoryIds, 'category_id', 'categoryIds'),
    idFilter(filter.projectIds, 'project_id', 'projectIds'),
    idFilter(filter.responsibleIds, 'responsible_id', 'responsibleIds'),
    idFilter(filter.userIds, 'user_id', 'userIds'),
    hasAll(filter.tags, 'tags', tagList),
    booleanFilter(filter.closed, 'closed'),
    booleanFilter(filter.private, 'private'),
    booleanFilter(filter.unread, 'unread'),
    instantRange(filter.createdAt, 'created_at'),
    instantRange(filter.updatedAt, 'updated_at'),
    instantRange(filter.scheduledAt, 'scheduled_at'),
  ],
  orderings: {
    id: { kind: 'id', about: 'The id: numbers by their size.' },
    title: { kind: 'text', about: 'The title.' },
    priority: { kind: 'numberOrText', about: 'The priority: numbers by their size, then texts.' },
    created_at: { kind: 'instant', about: 'When it was created.' },
    updated_at: { kind: 'instant', about: 'When it was last changed.' },
    scheduled_at: { kind: 'instant', about: 'When it is planned for.' },
  },
});

/**
 * "post_id: id of the parent post (used for comments)". Not documented (A149): what else has one; its task kind tells.
 */
function isComment(post: PostRecord): boolean {
  const taskKindText = decodeOrNull(text, post.task_kind) ?? 'comment';
  return decodeOrNull(identifier, post.post_id) !== null && taskKindText === 'comment';
}

function commentFilter(wanted: boolean | null | undefined): Condition<PostRecord> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return { keys: ['post_id'], leaf: identifier, holds: (post) => isComment(post) === wanted };
}

const postsOfClient = indexByForeignKey<PostRecord>('client_id');
const postsOfParent = indexByForeignKey<PostRecord>('post_id');

builder.queryField('posts', (t) =>
  t.field({
    type: PostConnection,
    description:
      'Posts of the helpdesk, including comments. Calls `GET /app.json`, which returns all posts; the gateway filters, orders and pages them.',
    args: postList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = postList.paging(args, limits.pageSize);
      return pageOf(await crm.posts());
    },
  }),
);

builder.objectField(Client, 'posts', (t) =>
  t.field({
    type: PostConnection,
    description: 'Posts about the client. Calls `GET /app.json`, once for all clients of an operation.',
    args: postList.arguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = postList.paging(args, limits.pageSize);
      const posts = await crm.posts();
      return pageOf(postsOfClient(posts, id), posts);
    },
  }),
);

builder.objectField(Post, 'comments', (t) =>
  t.field({
    type: PostConnection,
    description:
      'Comments on the post. Calls `GET /app.json`, once for all posts of an operation: the API has no list of the comments of one post.',
    args: postList.arguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = postList.paging(args, limits.pageSize);
      const posts = await crm.posts();
      return pageOf(postsOfParent(posts, id).filter(isComment), posts);
    },
  }),
);
