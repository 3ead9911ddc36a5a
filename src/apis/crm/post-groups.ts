import { builder } from '../../graph/builder.ts';
import { decimal, text } from '../../formats/leaves.ts';
import { postKey as key } from './lazy-fields.ts';
import type { PostRecord } from './wire.ts';

// Groups of fields of a post. A group has no record of its own: its fields resolve from the record of the post.

export const PostMail = builder.objectRef<PostRecord>('PostMail').implement({
  description: 'Addresses of a mail.',
  fields: (t) => ({
    email: t.string({ description: "The author's address.", resolve: key('email', text) }),
    to: t.string({ description: 'Recipients in To.', resolve: key('email_to', text) }),
    cc: t.string({ description: 'Recipients in Cc.', resolve: key('email_cc', text) }),
    bcc: t.string({ description: 'Recipients in Bcc.', resolve: key('email_bcc', text) }),
    recipient: t.string({ description: 'The recipient who received it.', resolve: key('email_recipient', text) }),
    replyTo: t.string({ description: 'The address for replies.', resolve: key('email_reply_to', text) }),
  }),
});

export const PostRequest = builder.objectRef<PostRecord>('PostRequest').implement({
  description: 'The HTTP request that created a post.',
  fields: (t) => ({
    ip: t.string({ description: 'IP address of the sender.', resolve: key('ip', text) }),
    agent: t.string({ description: 'User agent of the sender.', resolve: key('agent', text) }),
    referrer: t.string({ description: 'Page that the request came from.', resolve: key('referrer', text) }),
  }),
});

export const PostHelp = builder.objectRef<PostRecord>('PostHelp').implement({
  description: 'Help on a post.',
  fields: (t) => ({
    link: t.string({ description: 'Key of the link.', resolve: key('help_link', text) }),
    content: t.string({ description: 'Content.', resolve: key('help_content', text) }),
  }),
});

export const PostSpam = builder.objectRef<PostRecord>('PostSpam').implement({
  description: 'Result of the spam check of a post.',
  fields: (t) => ({
    kind: t.string({ description: 'Result of the check.', resolve: key('spam_kind', text) }),
    score: t.field({ type: 'Decimal', description: 'Spam score.', resolve: key('spam_score', decimal) }),
    report: t.string({ description: 'Report of the check.', resolve: key('spam_report', text) }),
    userReport: t.string({ description: 'Report of users.', resolve: key('user_spam_report', text) }),
  }),
});
