import { builder } from '../builder.ts';
import { decimal, text } from '../http/formats/leaves.ts';
import { postKey as key } from './lazy-fields.ts';
import type { PostRecord } from './wire.ts';

// Groups of fields of a post. A group has no record of its own: its fields resolve from the record of the post.

export const PostMail = builder.objectRef<PostRecord>('PostMail').implement({
  description: 'Addresses of a mail.',
  fields: (t) => ({
    email: t.string({ description: "The author's address.", resolve: key('email', text) }),
    to: t.string({ description: 'Whom it is to.', resolve: key('email_to', text) }),
    cc: t.string({ description: 'Who gets a copy.', resolve: key('email_cc', text) }),
    bcc: t.string({ description: 'Who gets a copy that nobody is told of.', resolve: key('email_bcc', text) }),
    recipient: t.string({ description: 'Who received it.', resolve: key('email_recipient', text) }),
    replyTo: t.string({ description: 'Where an answer goes.', resolve: key('email_reply_to', text) }),
  }),
});

export const PostRequest = builder.objectRef<PostRecord>('PostRequest').implement({
  description: 'The request that a post came with.',
  fields: (t) => ({
    ip: t.string({ description: 'Address that it came from.', resolve: key('ip', text) }),
    agent: t.string({ description: 'Program that sent it.', resolve: key('agent', text) }),
    referrer: t.string({ description: 'Page that it was sent from.', resolve: key('referrer', text) }),
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
  description: 'What says whether a post is wanted.',
  fields: (t) => ({
    kind: t.string({ description: 'What it was found to be.', resolve: key('spam_kind', text) }),
    score: t.field({ type: 'Decimal', description: 'How likely it is spam.', resolve: key('spam_score', decimal) }),
    report: t.string({ description: 'Why.', resolve: key('spam_report', text) }),
    userReport: t.string({ description: 'What users say.', resolve: key('user_spam_report', text) }),
  }),
});
