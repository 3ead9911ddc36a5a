import {
  checkedCategoryName,
  type ForumCategoryRecord,
  type ForumCommentRecord,
  type ForumPostRecord,
  type ForumUserRecord,
} from '../../apis/forum/wire.ts';
import { nameAsPath } from '../../calls/transport/path.ts';
import { kinds } from './kinds.ts';
import type { ContractRead, FieldsOf } from './shape.ts';

const user = {
  'created-at': kinds.instant,
  description: kinds.text,
  email: kinds.text,
  login: kinds.text,
  name: kinds.text,
  notification: kinds.text,
  'updated-at': kinds.instant,
  www: kinds.text,
} satisfies FieldsOf<ForumUserRecord>;

const comment = {
  id: kinds.ownId,
  agent: kinds.text,
  comment: kinds.text,
  'created-at': kinds.instant,
  kind: kinds.text,
  'updated-at': kinds.instant,
} satisfies FieldsOf<ForumCommentRecord>;

const { comments, ...post } = {
  id: kinds.ownId,
  agent: kinds.text,
  'comments-cache': kinds.integer,
  content: kinds.text,
  'created-at': kinds.instant,
  title: kinds.text,
  'updated-at': kinds.instant,
  'votes-cache': kinds.integer,
  'category-id': kinds.id,
  kind: kinds.text,
  'responsible-id': kinds.id,
  status: kinds.text,
  comments: { rows: comment },
} satisfies FieldsOf<ForumPostRecord>;

const { 'category-id': _category, kind: _kind, 'responsible-id': _responsible, status: _status, ...listedPost } = post;

const category = { id: kinds.ownId, name: kinds.text } satisfies FieldsOf<ForumCategoryRecord>;

const posts = {
  fields: listedPost,
  isList: true,
  root: 'posts',
  gives: ({ id }) => ({ post: id }),
} satisfies Partial<ContractRead>;

export const forumReads: readonly ContractRead[] = [
  { endpoint: 'GET /app/users/me.xml', fields: user, root: 'user' },
  {
    endpoint: 'GET /app/users/team.xml',
    fields: user,
    isList: true,
    root: 'users',
  },
  { endpoint: 'GET /', ...posts },
  {
    endpoint: 'GET /app/categories.xml',
    fields: category,
    isList: true,
    root: 'categories',
    gives: ({ name }) => ({ category: name }),
  },
  {
    endpoint: 'GET /:category_name',
    needs: { category_name: 'category' },
    path: ({ category: name = '' }) => nameAsPath('category_name', checkedCategoryName(name)),
    ...posts,
  },
  {
    endpoint: 'GET /app/posts/:post_id.xml',
    needs: { post_id: 'post' },
    fields: { comments, post: { record: post } },
    root: 'hash',
  },
];
