import type { InputFieldBuilder } from '../../graph/builder.ts';
import { identifier, text } from '../../formats/leaves.ts';
import { decodeOrNull, decodeOrUndefined } from '../../graph/lists/decodable.ts';
import {
  anyOf,
  booleanFilter,
  type Condition,
  type Conditions,
  DateTimeRange,
  DecimalRange,
  decimalRange,
  enumFilter,
  filterInputs,
  hasAll,
  idFilter,
  instantRange,
  nullFilters,
} from '../../graph/lists/filters.ts';
import { textFilter, textInFilter } from '../../graph/lists/text-filters.ts';
import { nullableKeys } from '../../graph/key-fields.ts';
import { postKeys } from './keys.ts';
import { PostKind, postKind, TaskKind, taskKind } from './posts.ts';
import { type PostRecord, tagList } from './wire.ts';

const PostFilterField = nullableKeys('PostFilterField', 'A field of a post that may have no value.', postKeys);

const conditionInputs = (t: InputFieldBuilder) => ({
  text: t.string({
    description:
      'This text is in the title, body, summary or nickname. Case and accents do not matter. At most 200 characters.',
  }),
  kinds: t.field({ type: [PostKind], description: 'The kind is one of these.' }),
  taskKinds: t.field({ type: [TaskKind], description: 'The kind in the helpdesk is one of these.' }),
  isComment: t.boolean({ description: 'True keeps comments; false keeps all other posts. Both are kept by default.' }),
  parentIds: t.idList({ description: 'The parent is one of these posts. Takes global ids or upstream ids.' }),
  clientIds: t.idList({ description: 'The client is one of these. Takes global ids or upstream ids.' }),
  statusIds: t.idList({ description: 'The status is one of these.' }),
  categoryIds: t.idList({ description: 'The category is one of these.' }),
  projectIds: t.idList({ description: 'The project is one of these.' }),
  responsibleIds: t.idList({ description: 'The assignee is one of these users.' }),
  userIds: t.idList({ description: 'The author is one of these users.' }),
  emails: t.stringList({
    description:
      "The author's address, or one of those in To, Cc, Bcc, recipient and reply-to, is one of these. Case does not matter.",
  }),
  priorities: t.stringList({ description: 'The priority is one of these. Case does not matter.' }),
  tags: t.stringList({ description: 'The post has all of these tags. Case and accents do not matter.' }),
  closed: t.boolean({ description: 'True keeps closed posts; false keeps all other posts.' }),
  private: t.boolean({ description: 'True keeps private posts; false keeps all other posts.' }),
  unread: t.boolean({ description: 'True keeps unread posts; false keeps all other posts.' }),
  answered: t.boolean({ description: 'True keeps answered posts; false keeps all other posts.' }),
  spamKinds: t.stringList({ description: 'The result of the spam check is one of these. Case does not matter.' }),
  spamScore: t.field({ type: DecimalRange, description: 'The spam score is in this range.' }),
  createdAt: t.field({ type: DateTimeRange, description: 'Created within this range.' }),
  updatedAt: t.field({ type: DateTimeRange, description: 'Last changed within this range.' }),
  scheduledAt: t.field({ type: DateTimeRange, description: 'Scheduled within this range.' }),
  isNull: t.field({ type: [PostFilterField], description: 'All of these fields are null or empty.' }),
  isNotNull: t.field({ type: [PostFilterField], description: 'None of these fields is null or empty.' }),
});

const { Alternative, Filter } = filterInputs('Post', conditionInputs);
export const PostFilter = Filter;

/** The keys of a record that the filter `text` looks at. */
export const postTextKeys = ['title', 'content', 'abstract', 'nick'] as const;

const addressKeys = ['email', 'email_to', 'email_cc', 'email_bcc', 'email_recipient', 'email_reply_to'] as const;

/** Not documented (A218): whether a value holds one address. Splits a header such as `Ada <ada@example.com>, bo@example.com` into its addresses and the words between them. */
const addressesIn = (header: string) => header.split(/[\s,;<>]+/);

/**
 * Creates the conditions of a filter.
 *
 * @throws ValidationError for a global id of another type
 */
export function postConditions(filter: typeof PostFilter.$inferInput): Conditions<PostRecord> {
  return [...conditionsOf(filter, ''), anyOf(filter.anyOf, conditionsOf)];
}

/** @param path the path of the conditions in the filter, for errors */
function conditionsOf(filter: typeof Alternative.$inferInput, path: string): Conditions<PostRecord> {
  return [
    textFilter(filter.text, `filter.${path}text`, postTextKeys),
    enumFilter(filter.kinds, 'kind', postKind),
    enumFilter(filter.taskKinds, 'task_kind', taskKind),
    commentFilter(filter.isComment),
    idFilter(filter.parentIds, 'post_id', `${path}parentIds`, 'Post'),
    idFilter(filter.clientIds, 'client_id', `${path}clientIds`, 'Client'),
    idFilter(filter.statusIds, 'status_id', `${path}statusIds`),
    idFilter(filter.categoryIds, 'category_id', `${path}categoryIds`),
    idFilter(filter.projectIds, 'project_id', `${path}projectIds`),
    idFilter(filter.responsibleIds, 'responsible_id', `${path}responsibleIds`),
    idFilter(filter.userIds, 'user_id', `${path}userIds`),
    textInFilter<PostRecord>(filter.emails, addressKeys, addressesIn),
    textInFilter<PostRecord>(filter.priorities, ['priority']),
    hasAll(filter.tags, 'tags', tagList),
    booleanFilter(filter.closed, 'closed'),
    booleanFilter(filter.private, 'private'),
    booleanFilter(filter.unread, 'unread'),
    booleanFilter(filter.answered, 'answered'),
    textInFilter<PostRecord>(filter.spamKinds, ['spam_kind']),
    decimalRange(filter.spamScore, 'spam_score'),
    instantRange(filter.createdAt, 'created_at'),
    instantRange(filter.updatedAt, 'updated_at'),
    instantRange(filter.scheduledAt, 'scheduled_at'),
    ...nullFilters<PostRecord>(filter.isNull, true),
    ...nullFilters<PostRecord>(filter.isNotNull, false),
  ];
}

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
