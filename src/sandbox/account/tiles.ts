import type { Store } from '../store.ts';
import { enabledModules, isModule, type Module } from './accounts.ts';
import { activeApplication } from './flex-applications.ts';
import { choice, hidden, placeOfModule, type Setting, text } from './settings.ts';
import type { Caller, Permission } from './users.ts';

export const sizes = ['quarter', 'half', 'three_quarters', 'full'] as const;
type Size = (typeof sizes)[number];

/** What can be placed in a layout. */
export interface Tile {
  readonly name: string;
  /** The size of an entry that states none. */
  readonly size: Size;
  readonly settings: Readonly<Record<string, Setting>>;
}

const places = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'];
const all = choice(['all', 'mine'], 'all');
const anyScope = choice(['all', 'mine']);
const openFirst = choice(['open', 'all'], 'open');
const limit5 = choice(['5', '10', '15', '20'], '5');
const limit10 = choice(['5', '10', '15', '20'], '10');
const messages = { scope: anyScope, filter: choice(['all', 'unread']), limit: limit5 };

/**
 * An address that stays on http, or inside the application: a browser reads `//host` and `/\host`
 * as another host. Not documented: white space and control characters are refused too, as it skips some.
 */
const webAddress = /^(?:https?:\/\/[^/\\]|\/(?![/\\]))/i;
const customUrl = (url: string) => webAddress.test(url) && !/[\s\p{Cc}]/u.test(url) && [...url].length <= 500;
/** Not documented: a blank name is none. */
const customName = (name: string) => name.trim() !== '' && [...name].length <= 60;

/** Not documented: names and default sizes. What lies across the page is full, the rest is half. */
export const documentedTiles = {
  module_header: wide('Module header', {
    module: choice(places, 'cms'), // of any module: without it the tile is empty
    frame: choice(['none', 'box'], 'none'),
  }),
  module_icons: wide('Module icons', {
    icons: placeOfModule(places, 'main'),
    title: choice(['show', 'hide'], 'show'),
  }),
  kpi: wide('Key figures', {
    hidden_counters: hidden('open_tasks', 'overdue_tasks', 'unread_emails', 'unread_chats', 'clients_this_month'),
  }),
  quick_actions: wide('Quick actions', {
    hidden_actions: hidden(
      'new_task',
      'new_project',
      'new_email',
      'new_client',
      'new_contact',
      'new_deal',
      'new_note',
      'new_ticket',
      'new_cms_page',
    ),
    custom_name: text(customName),
    custom_url: text(customUrl),
  }),
  inbox: half('Inbox', {
    scope: choice(['mine', 'mine_unassigned', 'unassigned', 'all'], 'mine'),
    source: choice(['all', 'tasks', 'emails'], 'all'),
    limit: limit10,
  }),
  activity: half('Activity', { scope: all, limit: limit5 }),
  tasks: half('Tasks', { scope: all, filter: choice(['all', 'overdue'], 'all'), limit: limit5 }),
  mail: half('Mail', messages),
  chats: half('Chats', messages),
  todo: half('To do'),
  ai_request: half('AI request'),
  crm_stats: wide('CRM figures', {
    hidden_counters: hidden('crm_clients', 'crm_contacts', 'crm_deals_open', 'crm_notes'),
  }),
  crm_deals: half('Deals', { scope: anyScope, filter: openFirst, limit: limit5 }),
  crm_clients: half('Clients', { scope: anyScope, limit: limit5 }),
  crm_contacts: half('Contacts', { scope: anyScope, limit: limit5 }),
  crm_notes: half('Notes', { limit: limit5 }),
  cms_pages: half('Pages', { limit: limit5 }),
  cms_stats: wide('CMS figures', {
    hidden_counters: hidden('cms_sites', 'cms_pages', 'cms_articles', 'cms_layouts', 'cms_paragraphs', 'cms_assets'),
  }),
  cms_sites: half('Sites', { limit: choice(['2', '4', '6', '8'], '4') }),
  cms_change_log: half('Change log', { limit: limit5 }),
  cms_domains: half('Domains', { limit: limit10 }),
  organize_stats: wide('Organization figures', {
    hidden_counters: hidden('organize_my_tasks', 'organize_overdue_tasks', 'organize_projects', 'organize_week_hours'),
  }),
  organize_projects: half('Projects', { scope: anyScope, filter: openFirst, limit: limit5 }),
  organize_workinfos: half('Work reports', { limit: limit5 }),
  kb_stats: wide('Knowledge base figures', {
    hidden_counters: hidden(
      'kb_knowledge_bases',
      'kb_entries',
      'kb_categories',
      'kb_comments',
      'kb_helplinks',
      'kb_entry_urls',
    ),
  }),
  kb_knowledge_bases: half('Knowledge bases', { limit: choice(['2', '4', '6', '8'], '6') }),
  kb_entries: half('Entries', { limit: limit10 }),
  kb_comments: half('Comments', { limit: limit5 }),
  kb_entry_urls: half('Entry addresses', { limit: limit5 }),
  marketing_stats: wide('Marketing figures', {
    hidden_counters: hidden(
      'marketing_campaigns',
      'marketing_sent',
      'marketing_open_rate',
      'marketing_click_rate',
      'marketing_subscribers',
      'marketing_unsubscribes',
    ),
  }),
  marketing_campaigns: half('Campaigns', { limit: limit5 }),
} satisfies Record<string, Tile>;
export type TileKey = keyof typeof documentedTiles;

const neededPermissions = new Map<string, Permission>([
  ['crm_notes', 'crm_notes_index'],
  ['todo', 'todo'],
]);

/** The tile that a key names: a documented one, or an active application of the account. */
export function findTile(store: Store, account: number, key: string): Tile | null {
  const [, applicationId] = /^flex_app:([0-9a-f-]{36})$/.exec(key) ?? [];
  if (applicationId === undefined) return isDocumented(key) ? documentedTiles[key] : null;
  const application = activeApplication(store, account, applicationId);
  return application && half(application.name);
}

/** The tile, unless its module is not enabled or the caller lacks its permission. */
export function availableTile(store: Store, caller: Caller, key: string): Tile | null {
  const module = moduleOf(key);
  if (module && !enabledModules(store, caller.accountId).has(module)) return null;
  const permission = neededPermissions.get(key);
  if (permission && !caller.permissions.has(permission)) return null;
  return findTile(store, caller.accountId, key);
}

/** Not documented: which tiles a module has. They are those whose keys begin with its name. */
function moduleOf(key: string): Module | null {
  const [start = ''] = key.split('_');
  return isModule(start) ? start : null;
}

function isDocumented(key: string): key is TileKey {
  return Object.hasOwn(documentedTiles, key);
}

function wide(name: string, settings: Tile['settings'] = {}): Tile {
  return { name, size: 'full', settings };
}

function half(name: string, settings: Tile['settings'] = {}): Tile {
  return { name, size: 'half', settings };
}
