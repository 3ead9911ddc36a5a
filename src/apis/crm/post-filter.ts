import { identifier, text } from '../../formats/leaves.ts';
import { nullableKeys } from '../../graph/key-fields.ts';
import { decodeOrNull, decodeOrUndefined } from '../../graph/lists/decodable.ts';
import {
  booleanField,
  decimalsField,
  enumsField,
  filterField,
  idsField,
  instantsField,
  listFilter,
  nullsField,
  textsField,
} from '../../graph/lists/filter-fields.ts';
import { type Condition, hasAll } from '../../graph/lists/filters.ts';
import { textFilter, textInFilter } from '../../graph/lists/text-filters.ts';
import { postKeys } from './keys.ts';
import { PostKind, postKind, TaskKind, taskKind } from './posts.ts';
import { type PostRecord, tagList } from './wire.ts';

/** The keys of a record that the filter `text` looks at. */
export const postTextKeys = ['title', 'content', 'abstract', 'nick'] as const;

const addressKeys = ['email', 'email_to', 'email_cc', 'email_bcc', 'email_recipient', 'email_reply_to'] as const;

/** Not documented (A218): whether a value holds one address. Splits a header such as `Ada <ada@example.com>, bo@example.com` into its addresses and the words between them. */
const addressesIn = (header: string) => header.split(/[\s,;<>]+/);

const PostFilterField = nullableKeys('PostFilterField', 'A field of a post that may have no value.', postKeys);

export const postFilter = listFilter<PostRecord>('Post', {
  text: filterField(
    'String',
    'This text is in the title, body, summary or nickname. Case and accents do not matter. At most 200 characters.',
    (words, path) => textFilter(words, path, postTextKeys),
  ),
  kinds: enumsField('kind', PostKind, postKind, 'The kind is one of these.'),
  taskKinds: enumsField('task_kind', TaskKind, taskKind, 'The kind in the helpdesk is one of these.'),
  isComment: filterField(
    'Boolean',
    'True keeps comments; false keeps all other posts. Both are kept by default.',
    commentFilter,
  ),
  parentIds: idsField('post_id', 'The parent is one of these posts. Takes global ids or upstream ids.', 'Post'),
  clientIds: idsField('client_id', 'The client is one of these. Takes global ids or upstream ids.', 'Client'),
  statusIds: idsField('status_id', 'The status is one of these.'),
  categoryIds: idsField('category_id', 'The category is one of these.'),
  projectIds: idsField('project_id', 'The project is one of these.'),
  responsibleIds: idsField('responsible_id', 'The assignee is one of these users.'),
  userIds: idsField('user_id', 'The author is one of these users.'),
  emails: filterField(
    ['String'],
    "The author's address, or one of those in To, Cc, Bcc, recipient and reply-to, is one of these. Case does not matter.",
    (emails) => textInFilter<PostRecord>(emails, addressKeys, addressesIn),
  ),
  priorities: textsField('priority', 'The priority is one of these. Case does not matter.'),
  tags: filterField(['String'], 'The post has all of these tags. Case and accents do not matter.', (tags) =>
    hasAll(tags, 'tags', tagList),
  ),
  closed: booleanField('closed', 'True keeps closed posts; false keeps all other posts.'),
  private: booleanField('private', 'True keeps private posts; false keeps all other posts.'),
  unread: booleanField('unread', 'True keeps unread posts; false keeps all other posts.'),
  answered: booleanField('answered', 'True keeps answered posts; false keeps all other posts.'),
  spamKinds: textsField('spam_kind', 'The result of the spam check is one of these. Case does not matter.'),
  spamScore: decimalsField('spam_score', 'The spam score is in this range.'),
  createdAt: instantsField('created_at', 'Created within this range.'),
  updatedAt: instantsField('updated_at', 'Last changed within this range.'),
  scheduledAt: instantsField('scheduled_at', 'Scheduled within this range.'),
  isNull: nullsField(PostFilterField, true),
  isNotNull: nullsField(PostFilterField, false),
});

/**
 * "post_id: id of the parent post (used for comments)". Not documented (A149): what else has one; its task kind tells.
 */
export function isComment(post: PostRecord): boolean {
  const taskKindText = decodeOrNull(text, post.task_kind) ?? 'comment';
  return decodeOrNull(identifier, post.post_id) !== null && taskKindText === 'comment';
}

function commentFilter(wanted: boolean | null | undefined): Condition<PostRecord> | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  return {
    keys: ['post_id'],
    leaf: identifier,
    holds: (post) =>
      decodeOrUndefined(identifier, post.post_id) === undefined ? undefined : isComment(post) === wanted,
  };
}
