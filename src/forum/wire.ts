import { BadResponseError, ValidationError } from '../http/errors.ts';
import {
  type XmlElement,
  xmlElement,
  xmlItems,
  xmlObject,
  xmlParts,
  xmlRecord,
  xmlRecords,
} from '../http/formats/xml.ts';

// What the forum sends and takes, by its own names with hyphens. Not documented: which elements may be missing, so any but
// the id may, and leaves are coerced where GraphQL reads them.

export interface ForumUserRecord {
  readonly 'created-at'?: unknown;
  readonly description?: unknown;
  readonly email?: unknown;
  readonly login?: unknown;
  readonly name?: unknown;
  readonly notification?: unknown;
  readonly 'updated-at'?: unknown;
  readonly www?: unknown;
}

export interface ForumPostRecord {
  readonly id: string;
  readonly agent?: unknown;
  readonly 'comments-cache'?: unknown;
  readonly content?: unknown;
  readonly 'created-at'?: unknown;
  readonly title?: unknown;
  readonly 'updated-at'?: unknown;
  readonly 'votes-cache'?: unknown;
  /** Only a single or a created post has this and the next three. */
  readonly 'category-id'?: unknown;
  readonly kind?: unknown;
  readonly 'responsible-id'?: unknown;
  readonly status?: unknown;
  /** Only a single post has them. */
  readonly comments?: readonly ForumCommentRecord[];
}

export interface ForumCommentRecord {
  readonly id: string;
  readonly agent?: unknown;
  /** Its text: a comment in a comment. */
  readonly comment?: unknown;
  readonly 'created-at'?: unknown;
  readonly kind?: unknown;
  readonly 'updated-at'?: unknown;
}

export interface ForumCategoryRecord {
  readonly id: string;
  readonly name?: unknown;
}

/** Which suggestions of a category. */
export interface ForumPage {
  readonly order?: string | undefined;
  /** From 1 on. */
  readonly page?: string | undefined;
}

export interface NewForumPost {
  readonly title: string;
  readonly content: string;
}

export interface NewForumUser {
  readonly login: string;
  readonly email: string;
  readonly password: string;
}

export const forumUser = (root: XmlElement): ForumUserRecord => xmlObject(xmlElement(root, 'user'));

export function forumUsers(root: XmlElement): ForumUserRecord[] {
  return isEmpty(root) ? [] : xmlItems(xmlElement(root, 'users')).map(forumUser);
}

export function forumPosts(root: XmlElement): ForumPostRecord[] {
  return isEmpty(root) ? [] : xmlRecords(xmlElement(root, 'posts'), 'post');
}

export function forumCategories(root: XmlElement): ForumCategoryRecord[] {
  return isEmpty(root) ? [] : xmlRecords(xmlElement(root, 'categories'), 'category');
}

/** A created post. */
export const forumPost = (root: XmlElement): ForumPostRecord => xmlRecord(xmlElement(root, 'post'));

/** A single post: `<hash>` with its comments beside it. */
export function forumPostWithComments(root: XmlElement): ForumPostRecord {
  const parts = xmlParts(xmlElement(root, 'hash'));
  const [post, comments] = [parts.get('post'), parts.get('comments')];
  if (!post) throw new BadResponseError('Expected <post> in <hash>.');
  return { ...xmlRecord(post), ...(comments && { comments: xmlRecords(comments, 'comment') }) };
}

/** An empty array may have this root, whatever it is an array of. */
function isEmpty(root: XmlElement): boolean {
  return root.name === 'nil-classes' && xmlItems(root).length === 0;
}

/**
 * A category's name in a path. It is the whole path: one that begins with `app`, or that climbs, could lead to another
 * endpoint once a server has decoded it.
 */
export function categoryName(name: string): string {
  const leadsElsewhere =
    /^[\s/\\]*(?:app(?:[./\\]|\s*$)|$)/i.test(name) || name.split(/[/\\]/).some((part) => /^\s*\.{1,2}\s*$/.test(part));
  const isText = name.length <= LONGEST_NAME && !/\p{Cc}/u.test(name) && name.isWellFormed();
  if (isText && !leadsElsewhere) return name;
  const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  throw new ValidationError(`${shown} cannot be the name of a category.`, { category: ['cannot be a name'] });
}

/** As long as a parameter of a path can be. */
const LONGEST_NAME = 500;
