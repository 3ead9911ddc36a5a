import type { RequestListener } from 'node:http';
import type { Config } from '../../src/config.ts';
import { flexGateway } from '../flex/support.ts';
import { asking, gatewayOver, type Operation } from '../support/gateway.ts';
import { saysJson } from '../support/stub-crm.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

export const DASHBOARDS = 'GET /toolkit/dashboards.json';
export const DBS = 'GET /flex/dbs.json';
export const FLEX_SEARCH = 'GET /flex/dbs/:db_id/search.json';
export const CLIENTS = 'GET /app/clients.json';
export const POSTS = 'GET /app.json';
export const POST = 'GET /app/posts/:id.json';
export const DEALS = 'GET /app/deals.json';
export const FORUM = 'GET /';
export const FORUM_POST = 'GET /app/posts/:post_id.xml';

/** The `X-Forum-Authorization` of a login and a password. */
function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** The credential of a user of the forum. */
const forumUser: Operation = { headers: { 'X-Forum-Authorization': basic('ada', 'secret') } };

/** A gateway over a fresh sandbox with a forum of one category, and functions that create records without it. */
export async function linkedGateway(settings: Partial<Config> = {}) {
  const house = await flexGateway(settings);
  const { sandbox, account, admin } = house;
  sandbox.store.createUser({ account, login: 'ada', password: 'secret' });
  const category = sandbox.store.createForumCategory(account, 'Ideas').id;

  const crm = async (path: string, body: object): Promise<string> => {
    const response = await fetch(sandbox.urls.crm + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_token: admin.token, ...body }),
    });
    if (response.status !== 201) throw new Error(`The sandbox answered ${await response.text()}.`);
    sandbox.forgetCalls();
    return String((await response.json()).id);
  };
  const execute = (query: string, operation: Operation = {}) => house.execute(query, { ...forumUser, ...operation });
  return {
    ...house,
    /** With the credential of the forum, too. */
    execute,
    ask: asking(execute),
    /** With the bearer token alone. */
    withoutForum: house.execute,
    makeClient: (client: object) => crm('/app/clients.json', { client }),
    makePost: (post: object) => crm('/app/posts.json', { post }),
    makeDeal: (deal: object) => crm('/app/deals.json', { deal }),
    /** A post of the CRM that is a suggestion of the forum, too. */
    makeSuggestion: (post: object) => crm('/app/posts.json', { post: { ...post, category_id: category } }),
  };
}

/** The path of a request target, without its query. */
const pathOf = (url = '') => url.replace(/\?.*/s, '');
export const parametersOf = (url = '') => new URL(url, 'http://stub').searchParams;

/** Suggestions as the forum lists them. */
export function forumPage(...posts: readonly { readonly id: number; readonly title: string }[]): RequestListener {
  const items = posts.map(({ id, title }) => `<post><id type="integer">${id}</id><title>${title}</title></post>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<posts type="array">${items.join('')}</posts>`;
  return says(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
}

interface Answers {
  /** By the path of the call, whichever the API; the first page of the forum is at `/`. */
  readonly [path: string]: RequestListener;
}

/** One record of each searchable type, named `oak`. */
const finds: Answers = {
  '/app/clients.json': saysJson([{ id: 1, name: 'Oak & Sons' }]),
  '/app.json': saysJson([{ id: 2, title: 'About oak' }]),
  '/app/deals.json': saysJson([{ id: 3, name: 'OAK' }]),
  '/flex/dbs.json': saysJson([{ id: 'shop', name: 'Shop', schema: { fields: {} } }]),
  '/flex/dbs/shop/search.json': saysJson([{ id: 'r', name: 'oak', created_at: null, updated_at: null }]),
  '/': forumPage({ id: 5, title: 'More oak' }),
};

/** A gateway over one stub that serves all APIs. Each API holds one match for `oak`, unless `answers` replaces it. */
export async function gatewayOverFinds(answers: Answers = {}, settings: Partial<Config> = {}) {
  const known: Answers = { ...finds, ...answers };
  const upstream = await stubUpstream((request, response) => {
    const answer = known[pathOf(request.url)] ?? saysJson({ error: 'not_found' }, 404);
    answer(request, response);
  });
  const url = new URL(upstream.url);
  const over = await gatewayOver(upstream.url, { CRM_URL: url, FORUM_URL: url, ...settings }, 'token');
  const execute = (query: string, operation: Operation = {}) => over.execute(query, { ...forumUser, ...operation });
  return {
    ...over,
    execute,
    ask: asking(execute),
    upstream,
    /** The calls without their parameters, in the order of the alphabet. */
    calls: () => upstream.received.map(pathOf).toSorted(),
  };
}
