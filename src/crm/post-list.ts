import { type ArgBuilder, builder } from '../builder.ts';
import { listConnectionOf, type PageArguments, pageArguments } from '../graphql/connections.ts';
import { wireValues } from '../graphql/enums.ts';
import { identifier, oneOf, text } from '../http/leaves.ts';
import { Client } from './clients.ts';
import { naming } from './joins.ts';
import {
  among,
  amongIds,
  type Condition,
  type Conditions,
  containing,
  DateTimeRange,
  is,
  listing,
  orderInput,
  quietly,
  withAll,
  within,
} from '../graphql/lists.ts';
import { kinds, Post, PostKind, TaskKind, taskKinds } from './posts.ts';
import { type PostRecord, tagList } from './wire.ts';

const PostConnection = listConnectionOf('Post', Post, 'Posts.');

const PostFilter = builder.inputType('PostFilter', {
  description:
    'Conditions that all have to hold; one that is left out, null or empty is none. They are looked at in the gateway, for upstream takes none.',
  fields: (t) => ({
    text: t.string({ description: 'Stands in the title, body, summary or nickname, in whatever case.' }),
    kinds: t.field({ type: [PostKind], description: 'Says one of these.' }),
    taskKinds: t.field({ type: [TaskKind], description: 'Is one of these in the helpdesk.' }),
    isComment: t.boolean({ description: 'Is a comment on another post, or is none.' }),
    clientIds: t.idList({ description: 'Is about one of these clients: global ids or upstream ids.' }),
    statusIds: t.idList({ description: 'Has one of these statuses.' }),
    categoryIds: t.idList({ description: 'Is of one of these categories.' }),
    projectIds: t.idList({ description: 'Is of one of these projects.' }),
    responsibleIds: t.idList({ description: 'Is assigned to one of these users.' }),
    userIds: t.idList({ description: 'Was written by one of these users.' }),
    tags: t.stringList({ description: 'Has all of these tags, in whatever case.' }),
    closed: t.boolean({ description: 'Is done, or is not.' }),
    private: t.boolean({ description: 'Is not for everybody, or is.' }),
    unread: t.boolean({ description: 'Was read by nobody, or by somebody.' }),
    createdAt: t.field({ type: DateTimeRange, description: 'Was created then.' }),
    updatedAt: t.field({ type: DateTimeRange, description: 'Was last changed then.' }),
    scheduledAt: t.field({ type: DateTimeRange, description: 'Is planned for then.' }),
  }),
});

const orderings = {
  id: { kind: 'id', about: 'The id: numbers by their size.' },
  title: { kind: 'text', about: 'The title.' },
  priority: { kind: 'numberOrText', about: 'The priority: numbers by their size, else as text.' },
  created_at: { kind: 'instant', about: 'When it was created.' },
  updated_at: { kind: 'instant', about: 'When it was last changed.' },
  scheduled_at: { kind: 'instant', about: 'When it is planned for.' },
} as const;
const PostOrder = orderInput('PostOrder', orderings);

/** Where `text` looks. */
export const postTexts = ['title', 'content', 'abstract', 'nick'] as const;

const postArguments = (arg: ArgBuilder) => ({
  ...pageArguments(arg),
  filter: arg({ type: PostFilter, description: 'Which of them; all unless given.' }),
  orderBy: arg({ type: PostOrder, description: 'In which order; that of upstream unless given.' }),
});

interface PostArguments extends PageArguments {
  readonly filter?: typeof PostFilter.$inferInput | null | undefined;
  readonly orderBy?: typeof PostOrder.$inferInput | null | undefined;
}

function listed({ filter, orderBy, ...page }: PostArguments, maxSize: number) {
  return listing({ conditions: conditions(filter ?? {}), orderings, orderBy, page, maxSize });
}

function conditions(filter: typeof PostFilter.$inferInput): Conditions<PostRecord> {
  return [
    containing(filter.text, postTexts),
    among(filter.kinds, 'kind', oneOf(wireValues(kinds))),
    among(filter.taskKinds, 'task_kind', oneOf(wireValues(taskKinds))),
    commenting(filter.isComment),
    amongIds(filter.clientIds, 'client_id', 'clientIds', 'Client'),
    amongIds(filter.statusIds, 'status_id', 'statusIds'),
    amongIds(filter.categoryIds, 'category_id', 'categoryIds'),
    amongIds(filter.projectIds, 'project_id', 'projectIds'),
    amongIds(filter.responsibleIds, 'responsible_id', 'responsibleIds'),
    amongIds(filter.userIds, 'user_id', 'userIds'),
    withAll(filter.tags, 'tags', tagList),
    is(filter.closed, 'closed'),
    is(filter.private, 'private'),
    is(filter.unread, 'unread'),
    within(filter.createdAt, 'created_at'),
    within(filter.updatedAt, 'updated_at'),
    within(filter.scheduledAt, 'scheduled_at'),
  ];
}

/** "post_id: id of the parent post (used for comments)". Not documented: what else has one; its task kind tells. */
function isComment(post: PostRecord): boolean {
  const taskKind = quietly(text, post.task_kind) ?? 'comment';
  return quietly(identifier, post.post_id) !== null && taskKind === 'comment';
}

function commenting(wanted: boolean | null | undefined): Condition<PostRecord> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return { keys: ['post_id'], holds: (post) => isComment(post) === wanted };
}

const postsOfClient = naming<PostRecord>('client_id');
const postsOfParent = naming<PostRecord>('post_id');

builder.queryField('posts', (t) =>
  t.field({
    type: PostConnection,
    description:
      'Posts of the helpdesk, comments among them. Calls `GET /app.json`, which answers all of them at once: filter, ' +
      'order and page are made in the gateway.',
    args: postArguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = listed(args, limits.pageSize);
      return pageOf(await crm.posts());
    },
  }),
);

builder.objectField(Client, 'posts', (t) =>
  t.field({
    type: PostConnection,
    description: 'Posts that are about it. Calls `GET /app.json`, once for all clients of an operation.',
    args: postArguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = listed(args, limits.pageSize);
      return pageOf(postsOfClient(await crm.posts(), id));
    },
  }),
);

builder.objectField(Post, 'comments', (t) =>
  t.field({
    type: PostConnection,
    description: 'Comments on it. Calls `GET /app.json`, once for all posts of an operation: only that tells them.',
    args: postArguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = listed(args, limits.pageSize);
      return pageOf(postsOfParent(await crm.posts(), id).filter(isComment));
    },
  }),
);
