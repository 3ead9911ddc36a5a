import { builder } from '../../graph/builder.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { postGroups } from './keys.ts';
import { postKey } from './lazy-fields.ts';
import type { PostRecord } from './wire.ts';

// Groups of fields of a post. A group has no record of its own: its fields resolve from the record of the post.

export const PostMail = builder.objectRef<PostRecord>('PostMail').implement({
  description: 'Addresses of a mail.',
  fields: (t) => keyFields(t, postGroups.mail, postKey),
});

export const PostRequest = builder.objectRef<PostRecord>('PostRequest').implement({
  description: 'The HTTP request that created a post.',
  fields: (t) => keyFields(t, postGroups.request, postKey),
});

export const PostHelp = builder.objectRef<PostRecord>('PostHelp').implement({
  description: 'Help on a post.',
  fields: (t) => keyFields(t, postGroups.help, postKey),
});

export const PostSpam = builder.objectRef<PostRecord>('PostSpam').implement({
  description: 'Result of the spam check of a post.',
  fields: (t) => keyFields(t, postGroups.spam, postKey),
});
