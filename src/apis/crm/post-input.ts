import { builder, type InputFieldBuilder } from '../../graph/builder.ts';
import { describeText, enumOrText } from '../../graph/enums.ts';
import { referenceId } from '../../graph/ids.ts';
import type { Context } from '../../operation/context.ts';
import { mapFieldPaths, invalidInput } from '../../errors.ts';
import { notForWriting } from './external-ids.ts';
import { Post, PostKind, TaskKind } from './posts.ts';
import type { PostFields } from './wire.ts';

const PostMailInput = builder.inputType('PostMailInput', {
  description: 'Addresses of a mail.',
  fields: (t) => ({
    email: t.string({ description: "The author's address." }),
    to: t.string({ description: 'Recipients in To.' }),
    cc: t.string({ description: 'Recipients in Cc.' }),
    bcc: t.string({ description: 'Recipients in Bcc.' }),
    recipient: t.string({ description: 'The recipient who received it.' }),
    replyTo: t.string({ description: 'The address for replies.' }),
  }),
});

const PostHelpInput = builder.inputType('PostHelpInput', {
  description: 'Help on a post.',
  fields: (t) => ({
    link: t.string({ description: 'Key of the link.' }),
    content: t.string({ description: 'Content.' }),
  }),
});

/** The fields of a post that the document names without a word on writing. */
const unprovenInputs = (t: InputFieldBuilder) => ({
  closed: t.boolean({ description: notForWriting('Whether it is done.') }),
  unread: t.boolean({ description: notForWriting('Whether it is unread.') }),
  answer: t.string({ description: notForWriting('Answer.') }),
  answered: t.boolean({ description: notForWriting('Whether it is answered.') }),
  response: t.string({ description: notForWriting('Response.') }),
  responseUserId: t.id({ description: notForWriting('Upstream id of the user who responded.') }),
  userId: t.id({ description: notForWriting('Upstream id of its author.') }),
  minVotesToStart: t.field({ type: 'SafeInt', description: notForWriting('Votes that it needs to be started.') }),
  createdAt: t.field({
    type: 'DateTime',
    description: notForWriting('When it was created. A creation with it, whose response was lost, stays UNKNOWN.'),
  }),
});

/** The fields that a new post and a new comment share. */
const sharedInputs = (t: InputFieldBuilder) => ({
  nick: t.string({ description: "The author's nickname." }),
  abstract: t.string({ description: 'Summary.' }),
  useHtml: t.boolean({ description: 'Whether the body is HTML.' }),
  private: t.boolean({ description: 'Whether it is private.' }),
  kindText: t.string({ description: describeText('kind') }),
});

export const CreatePostInput = builder.inputType('CreatePostInput', {
  description:
    'A new post. Upstream documents title, content, kind, taskKind, clientId, responsibleId and parentId. The gateway assumes that upstream accepts the others, too, but for those that say that upstream may ignore them.',
  fields: (t) => ({
    title: t.string({ description: 'Title; a task needs one.' }),
    content: t.string({ description: 'Body.' }),
    kind: t.field({ type: PostKind, description: 'Its kind.' }),
    taskKind: t.field({ type: TaskKind, description: 'Its kind in the helpdesk. COMMENT requires `parentId`.' }),
    taskKindText: t.string({ description: describeText('taskKind') }),
    clientId: t.id({ description: 'Global id or upstream id of the client.' }),
    responsibleId: t.id({ description: 'Upstream id of the assignee.' }),
    parentId: t.id({ description: 'Global id or upstream id of the post that it comments on.' }),
    ...sharedInputs(t),
    titleNote: t.string({ description: 'A note on the title.' }),
    tags: t.stringList({ description: 'Its tags. A tag cannot hold a comma.' }),
    priority: t.string({ description: 'Priority, as upstream writes it.' }),
    statusId: t.id({ description: 'Upstream id of the status.' }),
    categoryId: t.id({ description: 'Upstream id of the category.' }),
    projectId: t.id({ description: 'Upstream id of the project.' }),
    forumId: t.id({ description: 'Upstream id of the forum.' }),
    duplicateOfId: t.id({ description: 'Global id or upstream id of the post that it repeats.' }),
    scheduledAt: t.field({ type: 'DateTime', description: 'When it is planned for.' }),
    www: t.string({ description: "The author's web site." }),
    mail: t.field({ type: PostMailInput, description: 'Addresses of a mail.' }),
    help: t.field({ type: PostHelpInput, description: 'Help on it.' }),
    ...unprovenInputs(t),
  }),
});

const PostCommentInput = builder.inputType('PostCommentInput', {
  description: 'A new comment.',
  fields: (t) => ({
    content: t.string({ required: true, description: 'Body.' }),
    title: t.string({ description: 'Title.' }),
    kind: t.field({ type: PostKind, description: 'The kind of comment.' }),
    ...sharedInputs(t),
  }),
});

/** Paths in the input by key on the wire, for keys whose path is not just the key in camel case. */
const inputPaths = new Map([
  ['post_id', 'parentId'],
  ['duplicate_from_id', 'duplicateOfId'],
  ['email', 'mail.email'],
  ['email_to', 'mail.to'],
  ['email_cc', 'mail.cc'],
  ['email_bcc', 'mail.bcc'],
  ['email_recipient', 'mail.recipient'],
  ['email_reply_to', 'mail.replyTo'],
  ['help_link', 'help.link'],
  ['help_content', 'help.content'],
]);

/**
 * The fields of a post as the CRM takes them: the body of `POST /app/posts.json`.
 *
 * @throws ValidationError for a comment without a parent, an id that is empty or of another type, and a tag that is empty
 *   or holds a comma
 */
function postFields(input: typeof CreatePostInput.$inferInput): PostFields {
  const { mail } = input;
  const task_kind = enumOrText('taskKind', input.taskKind, input.taskKindText);
  if (task_kind === 'comment' && !input.parentId) {
    throw invalidInput('parentId', 'is required for a comment: it names the post that is commented on');
  }
  return {
    title: input.title,
    content: input.content,
    task_kind,
    client_id: referenceId(input.clientId, 'clientId', 'Client'),
    responsible_id: referenceId(input.responsibleId, 'responsibleId'),
    post_id: referenceId(input.parentId, 'parentId', 'Post'),
    ...sharedFields(input),
    title_note: input.titleNote,
    tags: joinTags(input.tags),
    priority: input.priority,
    status_id: referenceId(input.statusId, 'statusId'),
    category_id: referenceId(input.categoryId, 'categoryId'),
    project_id: referenceId(input.projectId, 'projectId'),
    forum_id: referenceId(input.forumId, 'forumId'),
    duplicate_from_id: referenceId(input.duplicateOfId, 'duplicateOfId', 'Post'),
    scheduled_at: input.scheduledAt,
    www: input.www,
    email: mail?.email,
    email_to: mail?.to,
    email_cc: mail?.cc,
    email_bcc: mail?.bcc,
    email_recipient: mail?.recipient,
    email_reply_to: mail?.replyTo,
    help_link: input.help?.link,
    help_content: input.help?.content,
    closed: input.closed,
    unread: input.unread,
    answer: input.answer,
    answered: input.answered,
    response: input.response,
    response_user_id: referenceId(input.responseUserId, 'responseUserId'),
    user_id: referenceId(input.userId, 'userId'),
    min_votes_to_start: input.minVotesToStart,
    created_at: input.createdAt,
  };
}

/** The values of the fields that a new post and a new comment share. */
function sharedFields({
  kind,
  kindText,
  nick,
  abstract,
  useHtml: use_html,
  private: isPrivate,
}: Omit<typeof PostCommentInput.$inferInput, 'content'>) {
  return { kind: enumOrText('kind', kind, kindText), nick, abstract, use_html, private: isPrivate };
}

/** Tags as the CRM takes them: one text, separated by commas. */
function joinTags(tags: readonly string[] | null | undefined): string | null | undefined {
  if (!tags) return tags;
  const invalid = tags.findIndex((tag) => tag.includes(',') || tag.trim() === '');
  if (invalid === -1) return tags.join(', ');
  throw invalidInput(`tags.${invalid}`, 'is empty or holds a comma, which separates tags');
}

/** Creates one post, for single and bulk mutations. */
export const createPost = async (input: typeof CreatePostInput.$inferInput, { crm }: Context) =>
  crm.createPost(postFields(input)).catch(mapFieldPaths((field) => inputPaths.get(field)));

builder.mutationFields((t) => ({
  createPost: t.field({
    type: Post,
    description: 'Creates a post. Calls `POST /app/posts.json`.',
    errors: {},
    args: { input: t.arg({ type: CreatePostInput, required: true, description: 'The post.' }) },
    resolve: (_root, { input }, context) => createPost(input, context),
  }),
  addPostComment: t.field({
    type: Post,
    description: 'Adds a comment to a post and returns the comment. Calls `POST /app/posts.json`.',
    errors: {},
    args: {
      postId: t.arg.id({ required: true, description: 'Global id or upstream id of the post.' }),
      input: t.arg({ type: PostCommentInput, required: true, description: 'The comment.' }),
    },
    resolve: (_root, { postId, input }, { crm }) => {
      const { content, title } = input;
      const post_id = referenceId(postId, 'postId', 'Post');
      return crm.createPost({ task_kind: 'comment', post_id, content, title, ...sharedFields(input) });
    },
  }),
}));
