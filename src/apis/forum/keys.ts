import type { Keys } from '../../formats/keys.ts';

// The keys of the forum's records: the names of their elements. Derived from these tables: the types of records (wire.ts), GraphQL
// fields (graph/key-fields.ts), and what `trivium doctor --contract` expects.

export const userKeys = {
  login: { kind: 'text', about: 'Name to log in with.' },
  name: { kind: 'text', about: 'Name.' },
  email: { kind: 'text', about: 'Email address.' },
  description: { kind: 'text', about: 'About the user.' },
  www: { kind: 'text', about: 'Web site.' },
  notification: { kind: 'text', about: 'Notification setting, such as `all`.' },
  'created-at': { kind: 'instant', about: 'When the user was created.' },
  'updated-at': { kind: 'instant', about: 'When the user was last changed.' },
} as const satisfies Keys;

/** The keys of a suggestion that pages have, too. */
export const pagePostKeys = {
  title: { kind: 'text', about: 'Title.' },
  content: { kind: 'text', about: 'Body.' },
  agent: { kind: 'text', about: 'User agent of the sender.' },
  'comments-cache': { kind: 'integer', field: 'commentsCount', about: 'How many comments it has.' },
  'votes-cache': { kind: 'integer', field: 'votesCount', about: 'How many votes it has.' },
  'created-at': { kind: 'instant', about: 'When it was created.' },
  'updated-at': { kind: 'instant', about: 'When it was last changed.' },
} as const satisfies Keys;

export const SINGLE_POST_CALL =
  'Calls `GET /app/posts/:post_id.xml`, unless the operation has read or created this suggestion singly.';

/** The keys of a suggestion that only a single or a created one has. */
export const singlePostKeys = {
  'category-id': { kind: 'id', about: `Upstream id of its category. ${SINGLE_POST_CALL}` },
  kind: { kind: 'text', about: `Its kind, such as \`suggestion\`. ${SINGLE_POST_CALL}` },
  'responsible-id': { kind: 'id', about: `Upstream id of the responsible user. ${SINGLE_POST_CALL}` },
  status: { kind: 'text', about: `Its status, such as \`new\`. ${SINGLE_POST_CALL}` },
} as const satisfies Keys;

export const commentKeys = {
  /** `<comment>` inside `<comment>`. */
  comment: { kind: 'text', field: 'text', about: 'Its text.' },
  agent: { kind: 'text', about: 'User agent of the sender.' },
  kind: { kind: 'text', about: 'The kind of comment.' },
  'created-at': { kind: 'instant', about: 'When it was created.' },
  'updated-at': { kind: 'instant', about: 'When it was last changed.' },
} as const satisfies Keys;

export const categoryKeys = {
  name: { kind: 'text', about: 'Its name, which is also its path.' },
} as const satisfies Keys;
