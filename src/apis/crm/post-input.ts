import { builder } from '../../graph/builder.ts';
import { describeText, enumOrText } from '../../graph/enums.ts';
import { referenceId } from '../../graph/ids.ts';
import type { Context } from '../../operation/context.ts';
import { mapFieldPaths, invalidInput } from '../../errors.ts';
import { inputPaths, keyInputs, sentKeys } from '../../graph/key-fields.ts';
import { ownPostKeys, postGroups, sharedPostKeys } from './keys.ts';
import { Post, PostKind, TaskKind } from './posts.ts';
import type { PostFields } from './wire.ts';

const PostMailInput = builder.inputType('PostMailInput', {
  description: 'Addresses of a mail.',
  fields: (t) => keyInputs(t, postGroups.mail),
});

const PostHelpInput = builder.inputType('PostHelpInput', {
  description: 'Help on a post.',
  fields: (t) => keyInputs(t, postGroups.help),
});

export const CreatePostInput = builder.inputType('CreatePostInput', {
  description:
    'A new post. Upstream documents title, content, kind, taskKind, clientId, responsibleId and parentId. The gateway assumes that upstream accepts the others, too, but for those that say that upstream may ignore them.',
  fields: (t) => ({
    ...keyInputs(t, ownPostKeys),
    kind: t.field({ type: PostKind, description: 'Its kind.' }),
    kindText: t.string({ description: describeText('kind') }),
    taskKind: t.field({ type: TaskKind, description: 'Its kind in the helpdesk. COMMENT requires `parentId`.' }),
    taskKindText: t.string({ description: describeText('taskKind') }),
    tags: t.stringList({ description: 'Its tags. A tag cannot hold a comma.' }),
    mail: t.field({ type: PostMailInput, description: 'Addresses of a mail.' }),
    help: t.field({ type: PostHelpInput, description: 'Help on it.' }),
  }),
});

const PostCommentInput = builder.inputType('PostCommentInput', {
  description: 'A new comment.',
  fields: (t) => ({
    content: t.string({ required: true, description: 'Body.' }),
    title: t.string({ description: 'Title.' }),
    kind: t.field({ type: PostKind, description: 'The kind of comment.' }),
    kindText: t.string({ description: describeText('kind') }),
    ...keyInputs(t, sharedPostKeys),
  }),
});

/** Paths in the input by key on the wire. */
const paths = new Map([
  ...inputPaths(ownPostKeys),
  ...inputPaths(postGroups.mail, 'mail.'),
  ...inputPaths(postGroups.help, 'help.'),
]);

const sent = {
  own: sentKeys(ownPostKeys),
  mail: sentKeys(postGroups.mail),
  help: sentKeys(postGroups.help),
  shared: sentKeys(sharedPostKeys),
};

/**
 * The fields of a post as the CRM takes them: the body of `POST /app/posts.json`.
 *
 * @throws ValidationError for a comment without a parent, an id that is empty or of another type, and a tag that is empty
 *   or holds a comma
 */
function postFields(input: typeof CreatePostInput.$inferInput): PostFields {
  const { kind, kindText, taskKind, taskKindText, tags, mail, help, ...fields } = input;
  const task_kind = enumOrText('taskKind', taskKind, taskKindText);
  if (task_kind === 'comment' && !input.parentId) {
    throw invalidInput('parentId', 'is required for a comment: it names the post that is commented on');
  }
  return {
    ...sent.own(fields),
    kind: enumOrText('kind', kind, kindText),
    task_kind,
    tags: joinTags(tags),
    ...(mail && sent.mail(mail)),
    ...(help && sent.help(help)),
  };
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
  crm.createPost(postFields(input)).catch(mapFieldPaths((field) => paths.get(field)));

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
      const { content, title, kind, kindText, ...shared } = input;
      return crm.createPost({
        task_kind: 'comment',
        post_id: referenceId(postId, 'postId', 'Post'),
        content,
        title,
        kind: enumOrText('kind', kind, kindText),
        ...sent.shared(shared),
      });
    },
  }),
}));
