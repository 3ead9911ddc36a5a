import { builder } from '../../graph/builder.ts';
import { raw, text } from '../../formats/leaves.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import type { ForumUserRecord } from './wire.ts';

const key = fieldResolver<ForumUserRecord>();

const ForumUser = builder.objectRef<ForumUserRecord>('ForumUser').implement({
  description: 'A user of the forum.',
  fields: (t) => ({
    login: t.string({ description: 'Name to log in with.', resolve: key('login', text) }),
    name: t.string({ description: 'Name.', resolve: key('name', text) }),
    email: t.string({ description: 'Email address.', resolve: key('email', text) }),
    description: t.string({ description: 'About the user.', resolve: key('description', text) }),
    www: t.string({ description: 'Web site.', resolve: key('www', text) }),
    notification: t.string({
      description: 'Notification setting, such as `all`.',
      resolve: key('notification', text),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the user was created.',
      resolve: key('created-at', raw),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When the user was last changed.',
      resolve: key('updated-at', raw),
    }),
  }),
});

builder.queryFields((t) => ({
  forumMe: t.field({
    type: ForumUser,
    semanticNonNull: true,
    description: 'The calling user of the forum. Calls `GET /app/users/me.xml`.',
    resolve: (_root, _args, { forum }) => forum.me(),
  }),
  forumTeam: t.field({
    type: [ForumUser],
    semanticNonNull: true,
    description: 'The users of the forum. Calls `GET /app/users/team.xml`.',
    resolve: (_root, _args, { forum }) => forum.team(),
  }),
}));

const CreateForumUserInput = builder.inputType('CreateForumUserInput', {
  description: 'A new user of the forum.',
  fields: (t) => ({
    login: t.string({ required: true, description: 'Name to log in with.' }),
    email: t.string({ required: true, description: 'Email address.' }),
    password: t.field({ type: 'Password', required: true, description: 'Password to log in with.' }),
  }),
});

const CreatedForumUser = builder.objectRef<{ readonly login: string }>('CreatedForumUser').implement({
  description: 'The new user. The response of upstream is not documented, so only the requested login is returned.',
  fields: (t) => ({
    login: t.exposeString('login', { nullable: false, description: 'The requested login.' }),
  }),
});

builder.mutationField('createForumUser', (t) =>
  t.field({
    type: CreatedForumUser,
    description: 'Adds a user to the forum. Calls `POST /app/users.xml`.',
    errors: {},
    args: { input: t.arg({ type: CreateForumUserInput, required: true, description: 'The user.' }) },
    resolve: async (_root, { input }, { forum }) => {
      await forum.createUser(input);
      return { login: input.login };
    },
  }),
);
