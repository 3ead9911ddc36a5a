/**
 * The kinds of things that answers show and writes change. Slices share them: the suggestions of the forum are posts of the
 * CRM. `access` is who may read what: the rights of tokens, and the modules of the account.
 */
export const SUBJECTS = [
  'access',
  'dashboards',
  'databases',
  'clients',
  'deals',
  'posts',
  'contacts',
  'contact lists',
  'categories',
  'users',
] as const;

export type Subject = (typeof SUBJECTS)[number];

/**
 * How the endpoints of an API make kept answers stale. Each endpoint is `GET /path/:id.json`, as errors name it.
 *
 * @see docs/decisions/0043-answers-are-kept-by-generation.md
 */
export interface Staleness {
  /** The subjects that the answers of each read show, besides `access`. Null for answers that are never kept. */
  readonly reads: Readonly<Record<string, readonly Subject[] | null>>;
  /** The subjects that each write may change. Where the documents leave it open, it is more rather than less. */
  readonly writes: Readonly<Record<string, readonly Subject[]>>;
}
