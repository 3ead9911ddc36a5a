import { builder } from '../../graph/builder.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import { userKeys } from './keys.ts';
import type { ForumUserRecord } from './wire.ts';

const ForumUser = builder.objectRef<ForumUserRecord>('ForumUser').implement({
  description: 'A user of the forum.',
  fields: (t) => keyFields(t, userKeys, fieldResolver()),
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
