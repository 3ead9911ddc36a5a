import { builder } from '../../graph/builder.ts';
import { Post } from '../crm/posts.ts';
import { ForumPost } from '../forum/posts.ts';

// Not documented (A181): that a suggestion has one id in both interfaces of the application. FORUM_SHARES_IDS=false
// denies it.

const sharedIdNotice =
  'Found by its id: the gateway assumes that CRM and forum share ids. Null when FORUM_SHARES_IDS is false.';

builder.objectField(ForumPost, 'post', (t) =>
  t.field({
    type: Post,
    description: `The same suggestion in the CRM. ${sharedIdNotice} Calls \`GET /app/posts/:id.json\`, or \`GET /app.json\` for several.`,
    resolve: ({ id }, _args, { forumSharesIds }) => (forumSharesIds ? id : null),
  }),
);

builder.objectField(Post, 'forumPost', (t) =>
  t.field({
    type: ForumPost,
    description: `The same suggestion in the forum. ${sharedIdNotice} Calls \`GET /app/posts/:post_id.xml\`.`,
    resolve: ({ id }, _args, { forumSharesIds }) => (forumSharesIds ? id : null),
  }),
);
