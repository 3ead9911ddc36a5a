// The upstream calls of the floor and of Mercurius: undici's pool, and JSON or XML by hand.
import { Pool } from 'undici';
import { forumPosts } from './forum.mjs';

const pool = new Pool(process.env.UPSTREAM, { connections: 64 });
const token = 'api_token=tok';
const account = { accept: 'application/json', authorization: 'Bearer tok' };
const crm = { accept: 'application/json' };
const forum = { accept: 'application/xml', authorization: 'Basic ZGVtbzpkZW1v' };

async function read(path, headers) {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  if (statusCode < 400) return body;
  await body.dump();
  throw new Error(`upstream answered ${statusCode}`);
}

const json = async (path, headers) => (await read(path, headers)).json();

export const upstream = {
  clients: () => json(`/app/clients.json?${token}`, crm),
  client: (id) => json(`/app/clients/${encodeURIComponent(id)}.json?${token}`, crm),
  contact: (id) => json(`/app/contacts/${encodeURIComponent(id)}.json?${token}`, crm),
  posts: () => json(`/app.json?${token}`, crm),
  deals: () => json(`/app/deals.json?${token}`, crm),
  apiTokens: () => json('/account/api_tokens.json', account),
  dashboards: () => json('/toolkit/dashboards.json', account),
  flexSearch: ({ db, q, limit }) =>
    json(`/flex/dbs/${encodeURIComponent(db)}/search.json?q=${encodeURIComponent(q)}&limit=${limit}`, account),
  forumPosts: async () => forumPosts(await (await read('/', forum)).text()),
  async createClient(client) {
    const headers = { ...crm, 'content-type': 'application/json' };
    const body = JSON.stringify({ api_token: 'tok', client });
    const response = await pool.request({ method: 'POST', path: '/app/clients.json', headers, body });
    return response.body.json();
  },
};

/** Runs `read` once for each id that occurs. */
export function once(read) {
  const reads = new Map();
  return (id) => {
    if (!reads.has(id)) reads.set(id, read(id));
    return reads.get(id);
  };
}
