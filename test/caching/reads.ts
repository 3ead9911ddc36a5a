import type { Context } from '../../src/operation/context.ts';
import type { World } from './world.ts';

/** A read whose parameters are chosen once, so that it can be repeated. @param continues the row that a page of a list goes on from */
export type ReadStep = (world: World) => (context: Context, continues?: string) => Promise<unknown>;

const WINDOW = { limit: 20, offset: 0 };

/** A read for each row of the tables, but for public methods. */
export const reads: Readonly<Record<string, ReadStep>> = {
  'GET /account/api_tokens.json':
    () =>
    ({ account }) =>
      account.apiTokens(),
  'GET /account/api_tokens.json?for_account=yes':
    () =>
    ({ account }) =>
      account.accountApiTokens(),
  'GET /account/api_tokens/:id.json': (world) => {
    const id = world.id('token');
    return ({ account }) => account.apiToken(id);
  },
  'GET /toolkit/dashboards.json': (world) => {
    const place = world.pick(undefined, 'main', 'crm');
    return ({ account }) => account.dashboards(place);
  },
  'GET /toolkit/dashboards/:id.json': (world) => {
    const id = world.id('dashboard');
    return ({ account }) => account.dashboard(id);
  },
  'GET /toolkit/dashboards/widgets.json': (world) => {
    const place = world.pick('main', 'crm');
    return ({ account }) => account.displayedDashboard(place);
  },
  'GET /toolkit/dashboards/widget.json': (world) => {
    const key = world.pick('crm_deals', 'mail', 'todo', 'module_icons');
    return ({ account }) => account.dashboardWidget(key);
  },
  'GET /flex/dbs.json':
    () =>
    ({ flex }) =>
      flex.databases(),
  'GET /flex/dbs/:id.json': (world) => {
    const id = world.id('database');
    return ({ flex }) => flex.database(id);
  },
  'GET /flex/dbs/:db_id/records.json': (world) => {
    const id = world.id('database');
    return ({ flex }, continues) => flex.records(id, continues);
  },
  'GET /flex/dbs/:db_id/search.json': (world) => {
    const id = world.id('database');
    const filters = world.pick<Record<string, string>>({}, { size: '4' });
    return ({ flex }) => flex.search(id, { filters }, WINDOW);
  },
  'GET /app/clients.json':
    () =>
    ({ crm }, continues) =>
      crm.clients(continues),
  'GET /app/clients/:id.json': (world) => {
    const id = world.id('client');
    return ({ crm }) => crm.client(id);
  },
  'GET /app.json':
    () =>
    ({ crm }, continues) =>
      crm.posts(continues),
  'GET /app/posts/:id.json': (world) => {
    const id = world.id(world.pick('post', 'suggestion'));
    return ({ crm }) => crm.post(id);
  },
  'GET /app/deals.json':
    () =>
    ({ crm }, continues) =>
      crm.deals(continues),
  'GET /app/deals/:id.json': (world) => {
    const id = world.id('deal');
    return ({ crm }) => crm.deal(id);
  },
  'GET /app/contacts/:id.json': (world) => {
    const id = world.id('contact');
    return ({ crm }) => crm.contact(id);
  },
  'GET /app/contact_lists/:id.json': (world) => {
    const id = world.id('contactList');
    return ({ crm }) => crm.contactList(id);
  },
  'GET /app/users/me.xml':
    () =>
    ({ forum }) =>
      forum.me(),
  'GET /app/users/team.xml':
    () =>
    ({ forum }) =>
      forum.team(),
  'GET /': (world) => {
    const order = world.pick(undefined, 'new');
    return ({ forum }) => forum.firstPosts({ order });
  },
  'GET /:category_name':
    () =>
    ({ forum }) =>
      forum.posts('Ideas', {}),
  'GET /app/categories.xml':
    () =>
    ({ forum }) =>
      forum.categories(),
  'GET /app/posts/:post_id.xml': (world) => {
    const id = world.id('suggestion');
    return ({ forum }) => forum.post(id);
  },
};
