import { z } from 'zod';
import { newSecret } from '../account/secrets.ts';
import type { Caller } from '../account/users.ts';
import { type JsonObject, parseJsonObject } from '../json-object.ts';
import type { Store } from '../store.ts';
import { linkId } from './links.ts';
import { touchClient } from './stored-clients.ts';

const row = z.object({
  id: z.int(),
  post_id: z.int().nullable(),
  client_id: z.int().nullable(),
  duplicate_from_id: z.int().nullable(),
  user_id: z.int(),
  task_kind: z.string(),
  fields: z.string().transform(parseJsonObject),
  created_at: z.string(),
  updated_at: z.string(),
  comments_cache: z.int(),
});

/** A row of the table `posts`: a task, comment or suggestion. */
export type StoredPost = z.infer<typeof row>;

const selectSql = `SELECT posts.*,
    (SELECT count(*) FROM posts AS comments WHERE comments.post_id = posts.id AND task_kind = 'comment') AS comments_cache
  FROM posts WHERE account_id = :accountId`;

/** All posts of an account, ordered by id. */
export function listPosts(store: Store, { accountId }: Pick<Caller, 'accountId'>): StoredPost[] {
  return store.all(row, `${selectSql} ORDER BY id`, { accountId });
}

export function findPost(store: Store, { accountId }: Pick<Caller, 'accountId'>, id: number | null): StoredPost | null {
  return store.find(row, `${selectSql} AND id = :id`, { accountId, id });
}

/** The comments on a post, by id. */
export function listComments(
  store: Store,
  { accountId }: Pick<Caller, 'accountId'>,
  { id }: Pick<StoredPost, 'id'>,
): StoredPost[] {
  return store.all(row, `${selectSql} AND post_id = :id AND task_kind = 'comment' ORDER BY id`, { accountId, id });
}

interface Page {
  readonly order: 'newest' | 'votes';
  readonly offset: number;
  readonly limit: number;
}

const orderTerms = {
  newest: 'created_at DESC, id DESC',
  votes: `coalesce(json_extract(fields, '$.votes_cache'), 0) DESC, created_at DESC, id DESC`,
};

/** One page of the posts in a category, without comments. */
export function listPostsInCategory(
  store: Store,
  { accountId }: Pick<Caller, 'accountId'>,
  category: number,
  { order, offset, limit }: Page,
): StoredPost[] {
  return store.all(
    row,
    `${selectSql} AND category_id = :category AND task_kind <> 'comment'
     ORDER BY ${orderTerms[order]} LIMIT :limit OFFSET :offset`,
    { accountId, category, limit, offset },
  );
}

/** Its comments go with it. Not documented (A192): a task under it stays, without a parent. */
export function deletePost(store: Store, { id }: StoredPost): void {
  store.run("UPDATE posts SET post_id = NULL WHERE post_id = :id AND task_kind <> 'comment'", { id });
  store.run('DELETE FROM posts WHERE id = :id', { id });
}

/** Overwrites fields of a post. No endpoint does. */
export function savePostFields(store: Store, { id, fields }: StoredPost, changes: JsonObject): void {
  store.run('UPDATE posts SET fields = :fields WHERE id = :id', {
    id,
    fields: JSON.stringify({ ...fields, ...changes }),
  });
}

/** Sets the votes of a post. No endpoint does. */
export function setVotes(store: Store, id: number, votes: number): void {
  store.run("UPDATE posts SET fields = json_set(fields, '$.votes_cache', :votes) WHERE id = :id", { id, votes });
}

/**
 * Inserts a post with this time of creation. Updates its client's `last_activity`, and for a comment the `updated_at` of
 * its post.
 *
 * @param id default: the next one
 * @returns the id
 */
export function insertPost(
  store: Store,
  { accountId, userId, name }: Pick<Caller, 'accountId' | 'userId' | 'name'>,
  given: JsonObject,
  time: Date,
  id: number | null = null,
): number {
  const { post_id, client_id, duplicate_from_id, task_kind, ...fields } = given;
  const links = {
    post_id: linkId.parse(post_id),
    client_id: linkId.parse(client_id),
    duplicate_from_id: linkId.parse(duplicate_from_id),
  };
  const kind = typeof task_kind === 'string' ? task_kind : 'task'; // Not documented (A148): the kind of a task that names none
  const stamp = time.toISOString();
  touchClient(store, links.client_id, time);
  if (kind === 'comment') {
    store.run('UPDATE posts SET updated_at = max(updated_at, :stamp) WHERE id = :id', { id: links.post_id, stamp });
  }
  return store.insert(
    `INSERT INTO posts (id, account_id, post_id, client_id, duplicate_from_id, user_id, task_kind, fields, created_at, updated_at)
     VALUES (:id, :accountId, :post_id, :client_id, :duplicate_from_id, :userId, :kind, :fields, :stamp, :stamp)`,
    {
      ...links,
      id,
      accountId,
      userId,
      kind,
      stamp,
      fields: JSON.stringify({ uid: newSecret(), ...fields, nick: fields['nick'] || name }),
    },
  );
}
