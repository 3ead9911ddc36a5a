import { nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { wireEnum, wireValues } from '../../graph/enums.ts';
import { oneOf, text } from '../../formats/leaves.ts';
import { linkedId } from '../../calls/transport/path.ts';
import { Client } from './clients.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { ownPostKeys, postGroups } from './keys.ts';
import { postKey as key, recordFields } from './lazy-fields.ts';
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

// Groups of fields of a post. A group has no record of its own: its fields resolve from the record of the post.

const PostMail = builder.objectRef<PostRecord>('PostMail').implement({
  description: 'Addresses of a mail.',
  fields: (t) => keyFields(t, postGroups.mail, key),
});

const PostRequest = builder.objectRef<PostRecord>('PostRequest').implement({
  description: 'The HTTP request that created a post.',
  fields: (t) => keyFields(t, postGroups.request, key),
});

const PostHelp = builder.objectRef<PostRecord>('PostHelp').implement({
  description: 'Help on a post.',
  fields: (t) => keyFields(t, postGroups.help, key),
});

const PostSpam = builder.objectRef<PostRecord>('PostSpam').implement({
  description: 'Result of the spam check of a post.',
  fields: (t) => keyFields(t, postGroups.spam, key),
});

export const Post = nodeRef<PostRecord>('Post', (ids, { crm }) => crm.postsById(ids));

builder.objectType(Post, {
  name: 'Post',
  description: 'An item of the helpdesk: a task, a suggestion, an error report, a mail, or a comment on another one.',
  fields: (t) => ({
    ...recordFields(t, key.whole()),
    ...keyFields(t, ownPostKeys, key),
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
    request: t.field({
      type: PostRequest,
      nullable: false,
      description: 'The HTTP request that created it.',
      resolve: (post) => post,
    }),
    client: t.field({
      type: Client,
      description:
        'The client that it is about. Several clients are read together: by `GET /app/clients/:id.json`, or from `GET /app/clients.json` when that costs less.',
      resolve: key('client_id', linkedId), // an id suffices: Client loads itself
    }),
    parent: t.field({
      type: Post,
      description: describeJoin('The post that this one is a comment on.'),
      resolve: key('post_id', linkedId),
    }),
    duplicateOf: t.field({
      type: Post,
      description: describeJoin('The post that this one repeats.'),
      resolve: key('duplicate_from_id', linkedId),
    }),
    mail: t.field({ type: PostMail, nullable: false, description: 'Addresses of a mail.', resolve: (post) => post }),
    help: t.field({ type: PostHelp, nullable: false, description: 'Help on it.', resolve: (post) => post }),
    spam: t.field({
      type: PostSpam,
      nullable: false,
      description: 'Result of its spam check.',
      resolve: (post) => post,
    }),
  }),
});

/** The description of a field that loads another post, with its endpoints. */
function describeJoin(what: string): string {
  return `${what} Several posts are read together: by \`GET /app/posts/:id.json\`, or from \`GET /app.json\` when that costs less.`;
}

nodeQuery('post', Post, 'One post, or null when the caller can see none. Calls `GET /app/posts/:id.json`.');
