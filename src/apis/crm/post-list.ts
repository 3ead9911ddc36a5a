import { builder } from '../../graph/builder.ts';
import { continuedRow, listConnectionOf } from '../../graph/lists/connections.ts';
import { filteredList } from '../../graph/lists/filtered-list.ts';
import { referringRows } from '../../graph/lists/foreign-keys.ts';
import { Client } from './clients.ts';
import { isComment, postFilter } from './post-filter.ts';
import { Post } from './posts.ts';

const PostConnection = listConnectionOf('Post', Post, 'Posts.');

const postList = filteredList({
  name: 'Post',
  ...postFilter,
  orderings: {
    id: { kind: 'id', about: 'The id: numbers by their size.' },
    title: { kind: 'text', about: 'The title.' },
    priority: { kind: 'numberOrText', about: 'The priority: numbers by their size, then texts.' },
    created_at: { kind: 'instant', about: 'When it was created.' },
    updated_at: { kind: 'instant', about: 'When it was last changed.' },
    scheduled_at: { kind: 'instant', about: 'When it is planned for.' },
  },
});

builder.queryField('posts', (t) =>
  t.field({
    type: PostConnection,
    semanticNonNull: true,
    description:
      'Posts of the helpdesk, including comments, which `filter: { isComment: false }` leaves out. Calls `GET /app.json`, which returns all posts; the gateway filters, orders and pages them.',
    args: postList.arguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = postList.paging(args, limits.pageSize);
      return pageOf(await crm.posts(continuedRow(args)));
    },
  }),
);

builder.objectField(Client, 'posts', (t) =>
  t.field({
    type: PostConnection,
    semanticNonNull: true,
    description:
      'Posts about the client, including comments, which `filter: { isComment: false }` leaves out. Calls `GET /app.json`, once for all clients of an operation.',
    args: postList.arguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = postList.paging(args, limits.pageSize);
      const posts = await crm.posts(continuedRow(args));
      return pageOf(await referringRows(posts, 'client_id', id), posts);
    },
  }),
);

builder.objectField(Post, 'comments', (t) =>
  t.field({
    type: PostConnection,
    semanticNonNull: true,
    description:
      'Comments on the post. Calls `GET /app.json`, once for all posts of an operation: the API has no list of the comments of one post.',
    args: postList.arguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = postList.paging(args, limits.pageSize);
      const posts = await crm.posts(continuedRow(args));
      const children = await referringRows(posts, 'post_id', id);
      return pageOf(children.filter(isComment), posts);
    },
  }),
);
