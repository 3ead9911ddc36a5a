import { BadResponseError, ValidationError } from '../../errors.ts';
import { isObject } from '../../formats/decode.ts';
import type { RecordOf, ValuesOf } from '../../formats/keys.ts';
import { Rows } from '../../formats/rows.ts';
import type { XmlElement } from '../../formats/xml-document.ts';
import {
  xmlElement,
  xmlItems,
  xmlObject,
  xmlObjects,
  xmlParts,
  xmlRecord,
  xmlRecords,
} from '../../formats/xml-values.ts';
import type { categoryKeys, commentKeys, pagePostKeys, singlePostKeys, userKeys } from './keys.ts';

// Requests and responses of the forum, with its hyphenated names. Not documented (A176): which elements may be missing,
// so any but the id may, and leaves are coerced where GraphQL reads them. The names are in keys.ts.

export type ForumUserRecord = ValuesOf<typeof userKeys>;

export interface ForumPostRecord extends RecordOf<typeof pagePostKeys>, ValuesOf<typeof singlePostKeys> {
  /** Only a single post has comments. */
  readonly comments?: Rows<ForumCommentRecord>;
}

export type ForumCommentRecord = RecordOf<typeof commentKeys>;
export type ForumCategoryRecord = RecordOf<typeof categoryKeys>;

/** Selects a page of the suggestions of a category. */
export interface ForumPage {
  readonly order?: string | undefined;
  /** The number of the page, from 1. */
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

export const decodeUser = (root: XmlElement): ForumUserRecord =>
  xmlObject(xmlElement(onlyItem(root, ['hash', 'users'], 'user'), 'user'));

export function decodeUsers(root: XmlElement): Rows<ForumUserRecord> {
  return xmlObjects(listRoot(root, 'users', 'user'), 'user');
}

export function decodePosts(root: XmlElement): Rows<ForumPostRecord> {
  return xmlRecords(listRoot(root, 'posts', 'post'), 'post');
}

export function decodeCategories(root: XmlElement): Rows<ForumCategoryRecord> {
  return xmlRecords(listRoot(root, 'categories', 'category'), 'category');
}

/**
 * Decodes a created post as `decodePostWithComments` does. A response without comments stands for a post that has none yet.
 *
 * @throws BadResponseError as `decodePostWithComments` does
 */
export function decodePost(root: XmlElement): ForumPostRecord {
  const post = decodePostWithComments(root);
  return { ...post, comments: post.comments ?? new Rows([]) };
}

/**
 * Decodes a single post: `<hash>` holds `<post>` and `<comments>`. Not documented (A240): a `<post>` alone, which may hold its
 * comments, and may be the only one in `<posts>` that is no list.
 *
 * @throws BadResponseError without a `<post>`
 */
export function decodePostWithComments(answer: XmlElement): ForumPostRecord {
  const root = onlyItem(answer, ['posts'], 'post');
  const isPost = root.name === 'post';
  const parts = xmlParts(isPost ? root : xmlElement(root, 'hash'));
  const [post, comments] = [isPost ? root : parts.get('post'), parts.get('comments')];
  if (!post) throw new BadResponseError('Expected <post> in <hash>.');
  return { ...xmlRecord(post), ...(comments && { comments: xmlRecords(comments, 'comment') }) };
}

/** Reads the comments of a suggestion as `decodePostWithComments` decodes them. Null without them. */
export function readComments(comments: unknown): Rows<ForumCommentRecord> | null {
  return isCommentList(comments) ? comments : null;
}

function isCommentList(value: unknown): value is Rows<ForumCommentRecord> {
  if (!(value instanceof Rows)) return false;
  return [...value].every((comment) => isObject(comment) && typeof comment['id'] === 'string');
}

/** Roots that say what they hold, also when they are empty: no other list. */
const NAMED_ROOTS: ReadonlySet<string> = new Set(['users', 'posts', 'categories', 'comments', 'errors']);

/**
 * Takes a wrapper off a record. Not documented (A229, A240): that an answer may have one.
 *
 * @returns the only element of this name in a root of one of these names, which is no list; else the root
 */
function onlyItem(root: XmlElement, wrappers: readonly string[], item: string): XmlElement {
  const isWrapper = wrappers.includes(root.name) && root.attributes['type'] !== 'array';
  const [found, ...others] = isWrapper ? xmlItems(root).filter(({ name }) => name === item) : [];
  return found && others.length === 0 ? found : root;
}

/**
 * Returns the root of a list. Not documented (A177): its name. Beside the plural of its items, any root with `type="array"` is
 * one that holds such an item, or that is empty. `<hash>` may have the list inside (A229).
 *
 * @throws BadResponseError for any other root
 */
function listRoot(root: XmlElement, list: string, item: string): XmlElement {
  if (root.name === list) return root;
  if (root.name === 'hash') return xmlElement(onlyItem(root, ['hash'], list), list);
  const isArray = root.attributes['type'] === 'array' || root.name === 'nil-classes';
  const items = isArray ? xmlItems(root) : [];
  const isEmptyArray = isArray && items.length === 0 && !NAMED_ROOTS.has(root.name);
  return isEmptyArray || items.some(({ name }) => name === item) ? root : xmlElement(root, list);
}

/** Empty, or `app` as a segment of its own or with an ending: the root, and the other endpoints, begin like this. */
const OTHER_ENDPOINT = /^(?:$|[?#;]|app\s*(?:[./\\?#;]|$))/i;

/** The folder itself and the one above, also with the parameters that some servers cut off. */
const DOT_SEGMENT = /^\s*\.{1,2}\s*(?:;|$)/;

/** A server that decodes the path twice would see another name. */
const PERCENT_ENCODED = /%[\da-f]{2}/i;

/**
 * Checks the name of a category, which is the whole path of a request. It may hold a slash, `?` or `#`. A name that begins with
 * `app`, that holds `.` or `../..` as a segment, or that is percent-encoded could lead to another endpoint once a server has
 * decoded the path.
 *
 * @returns the name, unchanged
 * @throws ValidationError for such a name, an empty one, one of more than 500 characters, and one with control characters
 */
export function checkedCategoryName(name: string): string {
  const reachesOtherEndpoint =
    OTHER_ENDPOINT.test(name.replace(/^[\s/\\]+/, '')) ||
    PERCENT_ENCODED.test(name) ||
    name.split(/[/\\?#]/).some((part) => DOT_SEGMENT.test(part));
  const isPlainText = name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name) && name.isWellFormed();
  if (isPlainText && !reachesOtherEndpoint) return name;
  const quotedName = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  throw new ValidationError(`${quotedName} cannot be the name of a category.`, { category: ['cannot be a name'] });
}

/** The limit of a path parameter, in UTF-16 units. */
const MAX_NAME_LENGTH = 500;
