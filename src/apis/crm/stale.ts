import type { Staleness } from '../../calls/cache/staleness.ts';

/**
 * A write changes its record, and the records that refer to it or that it refers to: a client counts its posts and contacts
 * and has the time of its last activity, a deal may show its client, and creates it where there is none.
 */
export const crmStaleness = {
  reads: {
    'GET /app/clients.json': ['clients'],
    'GET /app/clients/:id.json': ['clients'],
    'GET /app.json': ['posts'],
    'GET /app/posts/:id.json': ['posts'],
    'GET /app/deals.json': ['deals'],
    'GET /app/deals/:id.json': ['deals'],
    'GET /app/contacts/:id.json': ['contacts'],
    'GET /app/contact_lists/:id.json': ['contact lists'],
  },
  writes: {
    'POST /app/clients.json': ['clients', 'deals', 'posts', 'contacts'],
    'PUT /app/clients/:id.json': ['clients', 'deals', 'posts', 'contacts'],
    'DELETE /app/clients/:id.json': ['clients', 'deals', 'posts', 'contacts'],
    'POST /app/posts.json': ['posts', 'clients'],
    'POST /app/deals.json': ['deals', 'clients'],
    'PUT /app/deals/:id.json': ['deals', 'clients'],
    'DELETE /app/deals/:id.json': ['deals', 'clients'],
    'POST /app/contacts.json': ['contacts', 'clients'],
    'PUT /app/contacts/:id.json': ['contacts', 'clients'],
    'POST /app/contact_lists.json': ['contact lists'],
    'PUT /app/contact_lists/:id.json': ['contact lists'],
    'POST /app/account.json': ['users'], // the account is another one; whether its user is seen here is not documented
  },
} satisfies Staleness;
