import type { z } from 'zod';
import { createAccount } from './account/accounts.ts';
import { insertDashboard, type StoredDashboard } from './account/stored-dashboards.ts';
import { createApplication } from './account/flex-applications.ts';
import { layoutInput, normalizeLayout } from './account/layouts.ts';
import { publicPasswordHash } from './account/secrets.ts';
import { saveSelection } from './account/selection.ts';
import { type Context, standardLayouts } from './account/standard-layouts.ts';
import { issueToken, type Owner } from './account/stored-tokens.ts';
import { createUser, permissionNames } from './account/users.ts';
import { seedCrm } from './crm/seed.ts';
import { seedFlex } from './flex/seed.ts';
import { seedForum } from './forum/seed.ts';
import type { Seed, SeededCaller } from './seeding.ts';
import type { Store } from './store.ts';
import type { SandboxServices } from './services.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Fixed ids of the demo account's applications. */
const orderDeskAppId = '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10';
const stockRoomAppId = '8b6d0e17-42c9-4f3a-b5d8-1e7f90a3c624';
const retiredAppId = 'c41e7f82-09b5-4d6c-8f21-6a3d5b9e0c77';

/** The password of each is `demo`. */
const demoUsers = {
  admin: { name: 'Nora Harbour', token: 'demo-admin', permissions: permissionNames, login: 'demo' },
  editor: { name: 'Emil Lindqvist', token: 'demo-editor', permissions: ['dashboard_advanced'], login: 'emil' },
  member: { name: 'Mia Okafor', token: 'demo-member', permissions: [], login: 'mia' },
} as const;

/** The users of the demo account. */
export const demoCallers: readonly SeededCaller[] = Object.values(demoUsers).map((user) => ({
  ...user,
  password: 'demo',
}));

/** The demo account with its users and data. */
export const demoSeed: Seed = {
  callers: demoCallers,
  fill: (services) => {
    const { store } = services;
    const account = createDemoAccount(store);
    const { admin, editor, member } = createDemoUsers(services, account);
    seedTokens(services, admin, editor);
    createApplication(store, { id: orderDeskAppId, account, name: 'Order desk', active: true });
    createApplication(store, { id: stockRoomAppId, account, name: 'Stock room', active: true });
    createApplication(store, { id: retiredAppId, account, name: 'Old price list', active: false });
    seedDashboards(services, admin, editor);
    seedFlex(services, { account, orderDeskAppId, stockRoomAppId });
    seedCrm(services, [admin, editor, member]);
    seedForum(services, admin);
  },
};

/** Creates the demo account without users. Returns its id. */
export function createDemoAccount(store: Store): number {
  return createAccount(store, { name: 'Harbour & Sons', modules: ['crm', 'cms', 'organize', 'mail', 'kb'] });
}

/** Creates the users of the demo account, each with a token. */
export function createDemoUsers({ store, now }: SandboxServices, account: number) {
  const lastYear = new Date(now().getTime() - 365 * dayMs);
  const passwordHash = publicPasswordHash('demo');
  const create = ({ name, token, permissions, login }: (typeof demoUsers)[keyof typeof demoUsers]) => {
    const given = { account, name, permissions, login, passwordHash, email: `${login}@harbour.example` };
    const words = { description: `${name}, Harbour & Sons`, www: `https://harbour.example/${login}` };
    const owner = { accountId: account, userId: createUser(store, { ...given, ...words }, lastYear), name };
    issueToken(store, owner, { name: 'Demo' }, token);
    return owner;
  };
  return { admin: create(demoUsers.admin), editor: create(demoUsers.editor), member: create(demoUsers.member) };
}

function seedTokens({ store, now }: SandboxServices, admin: Owner, editor: Owner): void {
  const nextMonth = new Date(now().getTime() + 30 * dayMs).toISOString().slice(0, 10);
  issueToken(store, admin, {
    name: 'Web shop',
    code: 'web_shop',
    integration_app_code: 'shop_sync',
    for_account: true,
  });
  issueToken(store, admin, { name: 'Reporting', code: 'reporting', expires_at: nextMonth, privileges: ['todo'] });
  issueToken(store, admin, { name: 'Kiosk in the hall', kind: 'web_token' });
  issueToken(store, editor, { name: 'Old laptop', active: false }, 'demo-inactive');
  issueToken(store, editor, { name: 'Trade fair', expires_at: '2024-12-31' }, 'demo-expired');
}

function seedDashboards(services: SandboxServices, admin: Owner, editor: Owner): void {
  const { store } = services;
  addDashboard(services, admin, 'Company overview', 'main', {
    shared: true,
    is_default: true,
    layout: [
      { key: 'module_header', config: { module: 'main', frame: 'box' } },
      { key: 'kpi', config: { hidden_counters: ['unread_chats'] } },
      { key: 'quick_actions', config: { custom_name: 'Price list', custom_url: '/kb/price-list' } },
      { key: 'inbox', config: { scope: 'mine_unassigned', limit: '15' } },
      { key: `flex_app:${orderDeskAppId}`, size: 'three_quarters' },
      { key: 'todo', size: 'quarter' },
    ],
  });
  addDashboard(services, admin, 'Sales', 'crm', {
    shared: true,
    is_default: true,
    layout: [
      { key: 'module_header', config: { module: 'crm' } },
      { key: 'crm_stats' },
      { key: 'crm_deals', size: 'full', config: { scope: 'all', filter: 'all', limit: '20' } },
      { key: 'crm_notes' },
      { key: 'crm_clients', config: { scope: 'mine' } },
    ],
  });
  addDashboard(services, admin, 'Web team', 'cms', { shared: true });
  addDashboard(services, admin, 'My morning', 'main', {
    layout: [
      { key: 'tasks', config: { scope: 'mine', filter: 'overdue' } },
      { key: 'mail', config: { scope: 'mine', filter: 'unread' } },
      { key: 'activity' },
    ],
  });
  const own = addDashboard(services, editor, 'Editorial desk', 'main', {
    layout: [
      { key: 'cms_change_log', size: 'full' },
      { key: 'cms_pages', config: { limit: '10' } },
      { key: 'tasks', config: { scope: 'mine' } },
      { key: 'tasks', config: { filter: 'overdue' } },
    ],
  });
  saveSelection(store, editor, 'main', own.id);
}

interface DashboardDetails {
  readonly shared?: boolean;
  readonly is_default?: boolean;
  /** The standard layout of the context unless given. */
  readonly layout?: z.input<typeof layoutInput>;
}

function addDashboard(
  { store, now }: SandboxServices,
  author: Owner,
  name: string,
  context: Context,
  { shared = false, is_default = false, layout }: DashboardDetails,
): StoredDashboard {
  return insertDashboard(store, author, {
    name,
    context,
    layout: normalizeLayout(store, author.accountId, layout ? layoutInput.parse(layout) : standardLayouts[context]),
    shared,
    is_default,
    updated_at: now().toISOString(),
  });
}
