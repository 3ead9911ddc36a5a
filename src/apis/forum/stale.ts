import type { Staleness } from '../../calls/cache/staleness.ts';

/** Suggestions are posts of the CRM. The first one of a forum may create its category. */
export const forumStaleness = {
  reads: {
    'GET /app/users/me.xml': ['users'],
    'GET /app/users/team.xml': ['users'],
    'GET /': ['posts', 'categories'],
    'GET /:category_name': ['posts', 'categories'],
    'GET /app/categories.xml': ['categories'],
    'GET /app/posts/:post_id.xml': ['posts'],
  },
  writes: {
    'POST /app/posts.xml': ['posts', 'clients', 'categories'],
    'DELETE /app/posts/:post_id.xml': ['posts', 'clients'],
    'POST /app/users.xml': ['users'],
  },
} satisfies Staleness;
