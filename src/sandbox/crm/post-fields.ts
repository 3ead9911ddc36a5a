import type { JsonObject } from '../json-object.ts';
import {
  boolean,
  codeOrNumber,
  datetime,
  each,
  email,
  freeText,
  integer,
  nullFields,
  oneOf,
  writableFields,
} from './field-types.ts';

const kinds = ['suggestion', 'error', 'question', 'praise', 'private'];
const taskKinds = ['feedback', 'email', 'task', 'help', 'chat', 'phone', 'lead', 'error', 'idea', 'comment'];

/** Not documented (A145): that more may be written than the seven fields in the table of endpoints. */
const fieldSchemas = {
  ...each(['title', 'content', 'abstract', 'nick', 'tags', 'title_note', 'help_link', 'help_content', 'www'], freeText),
  ...each(['email_to', 'email_cc', 'email_bcc', 'email_recipient', 'email_reply_to'], freeText), // may be lists
  email,
  kind: oneOf(kinds),
  task_kind: oneOf(taskKinds),
  ...each(['post_id', 'client_id', 'duplicate_from_id'], integer),
  ...each(['responsible_id', 'status_id', 'category_id', 'project_id', 'forum_id'], integer),
  scheduled_at: datetime,
  priority: codeOrNumber,
  ...each(['use_html', 'private'], boolean),
};

/** Not documented (A257): that these may be written. */
export const postFields = writableFields({
  ...fieldSchemas,
  ...each(['response', 'answer'], freeText),
  ...each(['response_user_id', 'min_votes_to_start'], integer),
  ...each(['answered', 'closed', 'unread'], boolean),
});

/** A post that nobody has worked on. Not documented (A147): how a new one reads. */
export const postDefaults: JsonObject = {
  ...nullFields([
    ...Object.keys(fieldSchemas),
    ...['ip', 'agent', 'referrer'],
    ...['response', 'response_user_id', 'answer', 'answered', 'last_action_status'],
    ...['spam_kind', 'spam_score', 'spam_report', 'user_spam_report'],
  ]),
  points: 0,
  votes_cache: 0,
  view_count: 0,
  facebook_likes: 0,
  min_votes_to_start: 0,
  use_html: false,
  private: false,
  closed: false,
  unread: true,
};
