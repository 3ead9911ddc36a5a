import type { Store } from '../store.ts';
import { enabledModules, isModule, type Module } from './accounts.ts';
import { activeApplication } from './flex-applications.ts';
import { choiceSetting, hiddenListSetting, modulePlaceSetting, type Setting, text } from './settings.ts';
import type { Caller, Permission } from './users.ts';

export const sizes = ['quarter', 'half', 'three_quarters', 'full'] as const;
type Size = (typeof sizes)[number];

/** A tile that can be placed in a layout. */
export interface Tile {
  readonly name: string;
  /** The size of an entry that states none. */
  readonly size: Size;
  readonly settings: Readonly<Record<string, Setting>>;
}

const places = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'];
const allOrMine = choiceSetting(['all', 'mine'], 'all');
const scopeWithoutDefault = choiceSetting(['all', 'mine']);
const openOrAll = choiceSetting(['open', 'all'], 'open');
const limit5 = choiceSetting(['5', '10', '15', '20'], '5');
const limit10 = choiceSetting(['5', '10', '15', '20'], '10');
const messageSettings = { scope: scopeWithoutDefault, filter: choiceSetting(['all', 'unread']), limit: limit5 };

/**
 * An address that stays on http, or inside the application: a browser reads `//host` and `/\host` as another host.
 * Not documented (A52): a browser drops tabs and line breaks, so one of them does not hide a second slash; control
 * characters that are no white space are refused.
 */
const webAddress = /^(?:https?:\/\/[^/\\]|\/(?![/\\]))/i;
const isCustomUrl = (url: string) =>
  webAddress.test(url) &&
  webAddress.test(url.replaceAll(/[\t\n\r]/g, '')) &&
  !/[^\P{Cc}\s]/u.test(url) &&
  [...url].length <= 500;
/** Not documented (A51): a blank name is none. */
const isCustomName = (name: string) => name.trim() !== '' && [...name].length <= 60;

/** Not documented (A48): names and default sizes. What lies across the page is full, the rest is half. */
export const documentedTiles = {
  module_header: fullTile('Module header', {
    module: choiceSetting(places, 'cms'), // of any module: without it the tile is empty
    frame: choiceSetting(['none', 'box'], 'none'),
  }),
  module_icons: fullTile('Module icons', {
    icons: modulePlaceSetting(places, 'main'),
    title: choiceSetting(['show', 'hide'], 'show'),
  }),
  kpi: fullTile('Key figures', {
    hidden_counters: hiddenListSetting(
      'open_tasks',
      'overdue_tasks',
      'unread_emails',
      'unread_chats',
      'clients_this_month',
    ),
  }),
  quick_actions: fullTile('Quick actions', {
    hidden_actions: hiddenListSetting(
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
    custom_name: text(isCustomName),
    custom_url: text(isCustomUrl),
  }),
  inbox: halfTile('Inbox', {
    scope: choiceSetting(['mine', 'mine_unassigned', 'unassigned', 'all'], 'mine'),
    source: choiceSetting(['all', 'tasks', 'emails'], 'all'),
    limit: limit10,
  }),
  activity: halfTile('Activity', { scope: allOrMine, limit: limit5 }),
  tasks: halfTile('Tasks', { scope: allOrMine, filter: choiceSetting(['all', 'overdue'], 'all'), limit: limit5 }),
  mail: halfTile('Mail', messageSettings),
  chats: halfTile('Chats', messageSettings),
  todo: halfTile('To do'),
  ai_request: halfTile('AI request'),
  crm_stats: fullTile('CRM figures', {
    hidden_counters: hiddenListSetting('crm_clients', 'crm_contacts', 'crm_deals_open', 'crm_notes'),
  }),
  crm_deals: halfTile('Deals', { scope: scopeWithoutDefault, filter: openOrAll, limit: limit5 }),
  crm_clients: halfTile('Clients', { scope: scopeWithoutDefault, limit: limit5 }),
  crm_contacts: halfTile('Contacts', { scope: scopeWithoutDefault, limit: limit5 }),
  crm_notes: halfTile('Notes', { limit: limit5 }),
  cms_pages: halfTile('Pages', { limit: limit5 }),
  cms_stats: fullTile('CMS figures', {
    hidden_counters: hiddenListSetting(
      'cms_sites',
      'cms_pages',
      'cms_articles',
      'cms_layouts',
      'cms_paragraphs',
      'cms_assets',
    ),
  }),
  cms_sites: halfTile('Sites', { limit: choiceSetting(['2', '4', '6', '8'], '4') }),
  cms_change_log: halfTile('Change log', { limit: limit5 }),
  cms_domains: halfTile('Domains', { limit: limit10 }),
  organize_stats: fullTile('Organization figures', {
    hidden_counters: hiddenListSetting(
      'organize_my_tasks',
      'organize_overdue_tasks',
      'organize_projects',
      'organize_week_hours',
    ),
  }),
  organize_projects: halfTile('Projects', { scope: scopeWithoutDefault, filter: openOrAll, limit: limit5 }),
  organize_workinfos: halfTile('Work reports', { limit: limit5 }),
  kb_stats: fullTile('Knowledge base figures', {
    hidden_counters: hiddenListSetting(
      'kb_knowledge_bases',
      'kb_entries',
      'kb_categories',
      'kb_comments',
      'kb_helplinks',
      'kb_entry_urls',
    ),
  }),
  kb_knowledge_bases: halfTile('Knowledge bases', { limit: choiceSetting(['2', '4', '6', '8'], '6') }),
  kb_entries: halfTile('Entries', { limit: limit10 }),
  kb_comments: halfTile('Comments', { limit: limit5 }),
  kb_entry_urls: halfTile('Entry addresses', { limit: limit5 }),
  marketing_stats: fullTile('Marketing figures', {
    hidden_counters: hiddenListSetting(
      'marketing_campaigns',
      'marketing_sent',
      'marketing_open_rate',
      'marketing_click_rate',
      'marketing_subscribers',
      'marketing_unsubscribes',
    ),
  }),
  marketing_campaigns: halfTile('Campaigns', { limit: limit5 }),
} satisfies Record<string, Tile>;
export type TileKey = keyof typeof documentedTiles;

const neededPermissions = new Map<string, Permission>([
  ['crm_notes', 'crm_notes_index'],
  ['todo', 'todo'],
]);

/**
 * Finds a tile by its key: a documented tile, or an active application of the account.
 * Not documented (A57): whether the case of the application's id matters.
 */
export function findTile(store: Store, account: number, key: string): Tile | null {
  const [, applicationId] = /^flex_app:([0-9a-f-]{36})$/i.exec(key) ?? [];
  if (applicationId === undefined) return isDocumented(key) ? documentedTiles[key] : null;
  const application = activeApplication(store, account, applicationId.toLowerCase());
  return application && halfTile(application.name);
}

/** Finds a tile by its key. Null when its module is disabled or the caller lacks its permission. */
export function availableTile(store: Store, caller: Caller, key: string): Tile | null {
  const module = moduleOf(key);
  if (module && !enabledModules(store, caller.accountId).has(module)) return null;
  const permission = neededPermissions.get(key);
  if (permission && !caller.permissions.has(permission)) return null;
  return findTile(store, caller.accountId, key);
}

/** Not documented (A46): which tiles a module has. They are those whose keys begin with its name. */
function moduleOf(key: string): Module | null {
  const [start = ''] = key.split('_');
  return isModule(start) ? start : null;
}

function isDocumented(key: string): key is TileKey {
  return Object.hasOwn(documentedTiles, key);
}

function fullTile(name: string, settings: Tile['settings'] = {}): Tile {
  return { name, size: 'full', settings };
}

function halfTile(name: string, settings: Tile['settings'] = {}): Tile {
  return { name, size: 'half', settings };
}
