import { categoryKeys, commentKeys, pagePostKeys, singlePostKeys, userKeys } from '../../apis/forum/keys.ts';
import { checkedCategoryName } from '../../apis/forum/wire.ts';
import { nameAsPath } from '../../calls/transport/path.ts';
import { kinds, kindsOf } from './kinds.ts';
import type { ContractRead } from './shape.ts';

const user = kindsOf(userKeys);
const comment = { id: kinds.ownId, ...kindsOf(commentKeys) };
const listedPost = { id: kinds.ownId, ...kindsOf(pagePostKeys) };
const post = { ...listedPost, ...kindsOf(singlePostKeys) };
const category = { id: kinds.ownId, ...kindsOf(categoryKeys) };

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
    fields: { comments: { rows: comment }, post: { record: post } },
    root: 'hash',
  },
];
