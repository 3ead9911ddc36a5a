// The floor: the same upstream calls by hand, without GraphQL. The name of the operation tells the workload; its fields
// are picked in code, and nothing is checked.
import { createServer } from 'node:http';
import { flexData } from './forum.mjs';
import { once, upstream } from './upstream.mjs';

const named = ({ id, name, email }) => ({ id, name, email });
const summary = ({ id, name, email, phone, city, tax_no, created_at, kind, status_id, posts_count }) => {
  return { id, name, email, phone, city, tax_no, created_at, kind, status_id, posts_count };
};
const full = (client) => ({
  id: client.id,
  name: client.name,
  email: client.email,
  phone: client.phone,
  city: client.city,
  street: client.street,
  street_no: client.street_no,
  post_code: client.post_code,
  country: client.country,
  first_name: client.first_name,
  last_name: client.last_name,
  created_at: client.created_at,
  updated_at: client.updated_at,
  kind: client.kind,
  tax_no: client.tax_no,
  shortcut: client.shortcut,
  discount: client.discount,
  status_id: client.status_id,
  responsible_id: client.responsible_id,
  posts_count: client.posts_count,
});

async function postsWithClients(limit, pick) {
  const client = once(upstream.client);
  const posts = (await upstream.posts()).slice(0, limit);
  return Promise.all(posts.map(async (post) => ({ ...pick(post), client: named(await client(post.client_id)) })));
}

async function dealsWithClients(limit) {
  const [readClient, readContact] = [once(upstream.client), once(upstream.contact)];
  const withClient = async ({ id, name, price, client_id }) => {
    const client = await readClient(client_id);
    const { id: contactId, name: contactName, email, phone } = await readContact(client.contact_id);
    const { posts_count, contacts_count, appendixes_count } = client;
    const contact = { id: contactId, name: contactName, email, phone };
    const counts = { posts_count, contacts_count, appendixes_count };
    return { id, name, price, client: { id: client.id, name: client.name, ...counts, contact } };
  };
  return Promise.all((await upstream.deals()).slice(0, limit).map(withClient));
}

async function everyApi() {
  const [apiTokens, dashboards, hits, posts, forumPosts] = await Promise.all([
    upstream.apiTokens(),
    upstream.dashboards(),
    upstream.flexSearch({ db: 'base1', q: 'Row', limit: 20 }),
    postsWithClients(20, ({ id, title }) => ({ id, title })),
    upstream.forumPosts(),
  ]);
  return {
    apiTokens: apiTokens.map(({ id, name, code, active, token_info }) => ({ id, name, code, active, token_info })),
    dashboards: dashboards.map(({ id, name, context, layout }) => ({
      ...{ id, name, context },
      layout: layout.map(({ id, key, size }) => ({ id, key, size })),
    })),
    flexSearch: hits.map((hit) => ({ id: hit.id, created_at: hit.created_at, data: flexData(hit) })),
    posts,
    forumPosts: forumPosts.map(({ id, title, votes_cache }) => ({ id, title, votes_cache })),
  };
}

const answers = new Map([
  ['W0', async () => ({ __typename: 'Query' })],
  ['W1', async ({ id }) => ({ client: summary(await upstream.client(id)) })],
  ['W2', async () => ({ posts: await postsWithClients(100, ({ title }) => ({ title })) })],
  ['W3', async () => ({ clients: (await upstream.clients()).map(full) })],
  ['W4', async () => ({ deals: await dealsWithClients(50) })],
  ['W5', async () => ({ forumPosts: await upstream.forumPosts() })],
  ['W6', async ({ input }) => ({ createClient: named(await upstream.createClient(input)) })],
  ['W7', everyApi],
]);

async function answer(body) {
  const { operationName, variables = {} } = JSON.parse(body);
  try {
    return JSON.stringify({ data: await answers.get(operationName)(variables) });
  } catch (error) {
    return JSON.stringify({ errors: [{ message: String(error) }] });
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const text = await answer(Buffer.concat(chunks));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
