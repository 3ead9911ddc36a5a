import { nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { wireEnum, wireValues } from '../../graph/enums.ts';
import { idArgument, upstreamId } from '../../graph/ids.ts';
import { raw, boolean, integer, identifier, oneOf, text } from '../../formats/leaves.ts';
import { linkedId, shownId } from '../../calls/transport/path.ts';
import { Client } from './clients.ts';
import { postKey as key, rawDescription } from './lazy-fields.ts';
import { PostHelp, PostMail, PostRequest, PostSpam } from './post-groups.ts';
import { type PostRecord, tagList } from './wire.ts';

const postKinds = {
  suggestion: 'A suggestion for improvement.',
  error: 'A report of an error.',
  question: 'A question.',
  praise: 'Praise.',
  private: 'A private post.',
};
export const PostKind = wireEnum('PostKind', 'Kind of a post.', postKinds);

/** Decodes the `kind` of a post. */
export const postKind = oneOf(wireValues(postKinds));

const taskKinds = {
  feedback: 'Feedback.',
  email: 'An email.',
  task: 'A task.',
  help: 'A request for help.',
  chat: 'A chat.',
  phone: 'A phone call.',
  lead: 'A lead.',
  error: 'An error report.',
  idea: 'An idea.',
  comment: 'A comment on another post, its parent.',
};
export const TaskKind = wireEnum('TaskKind', 'Kind of a post in the helpdesk.', taskKinds);

/** Decodes the `task_kind` of a post. */
export const taskKind = oneOf(wireValues(taskKinds));

export const Post = nodeRef<PostRecord>('Post', (ids, { crm }) => crm.postsById(ids));

builder.objectType(Post, {
  name: 'Post',
  description: 'An item of the helpdesk: a task, a suggestion, an error report, a mail, or a comment on another one.',
  fields: (t) => ({
    upstreamId: t.id({ nullable: false, description: 'Id in the CRM.', resolve: shownId }),
    raw: t.field({
      type: 'JSONObject',
      semanticNonNull: true,
      description: rawDescription,
      resolve: key.whole(),
    }),
    title: t.string({ description: 'Title.', resolve: key('title', text) }),
    titleNote: t.string({ description: 'A note on the title.', resolve: key('title_note', text) }),
    content: t.string({ description: 'Body.', resolve: key('content', text) }),
    useHtml: t.boolean({ description: 'Whether the body is HTML.', resolve: key('use_html', boolean) }),
    abstract: t.string({ description: 'Summary.', resolve: key('abstract', text) }),
    kind: t.field({ type: PostKind, description: 'Its kind.', resolve: key('kind', postKind) }),
    kindText: t.string({
      description: "Upstream's own value of `kind`, also when `kind` cannot show it.",
      resolve: key('kind', text),
    }),
    taskKind: t.field({
      type: TaskKind,
      description: 'Its kind in the helpdesk.',
      resolve: key('task_kind', taskKind),
    }),
    taskKindText: t.string({
      description: "Upstream's own value of `taskKind`, also when `taskKind` cannot show it.",
      resolve: key('task_kind', text),
    }),
    tags: t.stringList({ description: 'Its tags.', resolve: key('tags', tagList) }),
    priority: t.string({ description: 'Priority, as upstream writes it.', resolve: key('priority', text) }),
    closed: t.boolean({ description: 'Whether it is done.', resolve: key('closed', boolean) }),
    private: t.boolean({ description: 'Whether it is private.', resolve: key('private', boolean) }),
    unread: t.boolean({ description: 'Whether it is unread.', resolve: key('unread', boolean) }),
    lastActionStatus: t.string({ description: 'Status.', resolve: key('last_action_status', text) }),
    userId: t.id({ description: 'Upstream id of its author.', resolve: key('user_id', identifier) }),
    nick: t.string({ description: "The author's nickname.", resolve: key('nick', text) }),
    uid: t.string({
      description: "The author's token: a secret. The response is marked `no-store`.",
      resolve: key('uid', text),
    }),
    www: t.string({ description: "The author's web site.", resolve: key('www', text) }),
    request: t.field({
      type: PostRequest,
      nullable: false,
      description: 'The HTTP request that created it.',
      resolve: (post) => post,
    }),
    responsibleId: t.id({ description: 'Upstream id of the assignee.', resolve: key('responsible_id', identifier) }),
    forumId: t.id({ description: 'Upstream id of the forum.', resolve: key('forum_id', identifier) }),
    categoryId: t.id({ description: 'Upstream id of the category.', resolve: key('category_id', identifier) }),
    statusId: t.id({ description: 'Upstream id of the status.', resolve: key('status_id', identifier) }),
    projectId: t.id({ description: 'Upstream id of the project.', resolve: key('project_id', identifier) }),
    clientId: t.id({ description: 'Upstream id of the client.', resolve: key('client_id', identifier) }),
    client: t.field({
      type: Client,
      description:
        'The client that it is about. Several clients are read together: by `GET /app/clients/:id.json`, or from `GET /app/clients.json` when that costs less.',
      resolve: key('client_id', linkedId), // an id suffices: Client loads itself
    }),
    parentId: t.id({ description: 'Upstream id of the parent.', resolve: key('post_id', identifier) }),
    parent: t.field({
      type: Post,
      description: describeJoin('The post that this one is a comment on.'),
      resolve: key('post_id', linkedId),
    }),
    duplicateOfId: t.id({
      description: 'Upstream id of the post that this one repeats.',
      resolve: key('duplicate_from_id', identifier),
    }),
    duplicateOf: t.field({
      type: Post,
      description: describeJoin('The post that this one repeats.'),
      resolve: key('duplicate_from_id', linkedId),
    }),
    mail: t.field({ type: PostMail, nullable: false, description: 'Addresses of a mail.', resolve: (post) => post }),
    response: t.string({ description: 'Response.', resolve: key('response', text) }),
    responseUserId: t.id({
      description: 'Upstream id of the user who responded.',
      resolve: key('response_user_id', identifier),
    }),
    answer: t.string({ description: 'Answer.', resolve: key('answer', text) }),
    answered: t.boolean({ description: 'Whether it is answered.', resolve: key('answered', boolean) }),
    help: t.field({ type: PostHelp, nullable: false, description: 'Help on it.', resolve: (post) => post }),
    spam: t.field({
      type: PostSpam,
      nullable: false,
      description: 'Result of its spam check.',
      resolve: (post) => post,
    }),
    points: t.field({ type: 'SafeInt', description: 'Points.', resolve: key('points', integer) }),
    votesCount: t.field({
      type: 'SafeInt',
      description: 'How many votes it has.',
      resolve: key('votes_cache', integer),
    }),
    minVotesToStart: t.field({
      type: 'SafeInt',
      description: 'How many votes it needs to be started.',
      resolve: key('min_votes_to_start', integer),
    }),
    commentsCount: t.field({
      type: 'SafeInt',
      description: 'How many comments it has.',
      resolve: key('comments_cache', integer),
    }),
    viewCount: t.field({
      type: 'SafeInt',
      description: 'How often it was viewed.',
      resolve: key('view_count', integer),
    }),
    facebookLikes: t.field({
      type: 'SafeInt',
      description: 'Likes on Facebook.',
      resolve: key('facebook_likes', integer),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was created.',
      resolve: key('created_at', raw),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: key('updated_at', raw),
    }),
    scheduledAt: t.field({
      type: 'DateTime',
      description: 'When it is planned for.',
      resolve: key('scheduled_at', raw),
    }),
  }),
});

/** The description of a field that loads another post, with its endpoints. */
function describeJoin(what: string): string {
  return `${what} Several posts are read together: by \`GET /app/posts/:id.json\`, or from \`GET /app.json\` when that costs less.`;
}

builder.queryField('post', (t) =>
  t.field({
    type: Post,
    description: 'One post, or null when the caller can see none. Calls `GET /app/posts/:id.json`.',
    args: { id: idArgument(t.arg) },
    resolve: (_root, { id }) => upstreamId(id, 'Post'),
  }),
);
