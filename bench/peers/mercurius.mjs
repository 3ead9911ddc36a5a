// Fastify and Mercurius, compiled by graphql-jit from the first request on, with loaders for the links.
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { flexData } from './forum.mjs';
import { once, upstream } from './upstream.mjs';

const schema = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');

const resolvers = {
  Query: {
    client: (_root, { id }) => upstream.client(id),
    clients: () => upstream.clients(),
    posts: async (_root, { limit }) => (await upstream.posts()).slice(0, limit),
    deals: async (_root, { limit }) => (await upstream.deals()).slice(0, limit),
    apiTokens: () => upstream.apiTokens(),
    dashboards: () => upstream.dashboards(),
    flexSearch: (_root, search) => upstream.flexSearch(search),
    forumPosts: () => upstream.forumPosts(),
  },
  Mutation: { createClient: (_root, { input }) => upstream.createClient(input) },
  FlexHit: { data: flexData },
};

/** A loader that reads the record which `key` names. Its own cache would compare whole parents: ids are compared here. */
function link(key, read) {
  const loader = (queries) => {
    const readOnce = once(read);
    return Promise.all(queries.map(({ obj }) => readOnce(obj[key])));
  };
  return { loader, opts: { cache: false } };
}

const loaders = {
  Post: { client: link('client_id', upstream.client) },
  Deal: { client: link('client_id', upstream.client) },
  Client: { contact: link('contact_id', upstream.contact) },
};

const app = Fastify();
app.register(mercurius, { schema, resolvers, loaders, jit: 1 });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
