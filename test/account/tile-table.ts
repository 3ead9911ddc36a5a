// The document's table of tile settings, written by hand a second time to reveal mistakes in the gateway's copy.

interface TileSetting {
  /** The GraphQL field. */
  readonly name: string;
  /** Every value that is allowed, as GraphQL writes it. */
  readonly values: readonly (string | number)[];
  /** The documented default. Null when the document states none. */
  readonly standard: string | number | null;
  /** Whether the setting takes a list of the values, by default an empty one. */
  readonly list?: boolean;
}

const setting = (
  name: string,
  values: readonly (string | number)[],
  standard: string | number | null,
): TileSetting => ({
  name,
  values,
  standard,
});
const hidden = (name: string, ...values: string[]): TileSetting => ({ name, values, standard: null, list: true });

const limit = (standard: number) => setting('limit', [5, 10, 15, 20], standard);
const fewer = (standard: number) => setting('limit', [2, 4, 6, 8], standard);
const scope = setting('scope', ['ALL', 'MINE'], null);
const scopeAll = setting('scope', ['ALL', 'MINE'], 'ALL');
const unread = setting('filter', ['ALL', 'UNREAD'], null);
const open = setting('filter', ['OPEN', 'ALL'], 'OPEN');
const modules = ['MAIN', 'CRM', 'CMS', 'ORGANIZE', 'MAIL', 'KB', 'MARKETING', 'ACCOUNT'];

const APP_ID = '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10';

/** The settings of each tile, except the two texts of `quick_actions`. */
export const tileTable: Readonly<Record<string, readonly TileSetting[]>> = {
  module_header: [setting('module', modules, 'CMS'), setting('frame', ['NONE', 'BOX'], 'NONE')],
  module_icons: [setting('icons', modules, 'MAIN'), setting('title', ['SHOW', 'HIDE'], 'SHOW')],
  kpi: [hidden('hiddenCounters', 'OPEN_TASKS', 'OVERDUE_TASKS', 'UNREAD_EMAILS', 'UNREAD_CHATS', 'CLIENTS_THIS_MONTH')],
  quick_actions: [
    hidden(
      'hiddenActions',
      ...['NEW_TASK', 'NEW_PROJECT', 'NEW_EMAIL', 'NEW_CLIENT', 'NEW_CONTACT', 'NEW_DEAL', 'NEW_NOTE', 'NEW_TICKET'],
      'NEW_CMS_PAGE',
    ),
  ],
  inbox: [
    setting('scope', ['MINE', 'MINE_UNASSIGNED', 'UNASSIGNED', 'ALL'], 'MINE'),
    setting('source', ['ALL', 'TASKS', 'EMAILS'], 'ALL'),
    limit(10),
  ],
  activity: [scopeAll, limit(5)],
  tasks: [scopeAll, setting('filter', ['ALL', 'OVERDUE'], 'ALL'), limit(5)],
  mail: [scope, unread, limit(5)],
  chats: [scope, unread, limit(5)],
  todo: [],
  ai_request: [],
  crm_stats: [hidden('hiddenCounters', 'CRM_CLIENTS', 'CRM_CONTACTS', 'CRM_DEALS_OPEN', 'CRM_NOTES')],
  crm_deals: [scope, open, limit(5)],
  crm_clients: [scope, limit(5)],
  crm_contacts: [scope, limit(5)],
  crm_notes: [limit(5)],
  cms_pages: [limit(5)],
  cms_stats: [
    hidden('hiddenCounters', 'CMS_SITES', 'CMS_PAGES', 'CMS_ARTICLES', 'CMS_LAYOUTS', 'CMS_PARAGRAPHS', 'CMS_ASSETS'),
  ],
  cms_sites: [fewer(4)],
  cms_change_log: [limit(5)],
  cms_domains: [limit(10)],
  organize_stats: [
    hidden(
      'hiddenCounters',
      ...['ORGANIZE_MY_TASKS', 'ORGANIZE_OVERDUE_TASKS', 'ORGANIZE_PROJECTS', 'ORGANIZE_WEEK_HOURS'],
    ),
  ],
  organize_projects: [scope, open, limit(5)],
  organize_workinfos: [limit(5)],
  kb_stats: [
    hidden(
      'hiddenCounters',
      ...['KB_KNOWLEDGE_BASES', 'KB_ENTRIES', 'KB_CATEGORIES', 'KB_COMMENTS', 'KB_HELPLINKS', 'KB_ENTRY_URLS'],
    ),
  ],
  kb_knowledge_bases: [fewer(6)],
  kb_entries: [limit(10)],
  kb_comments: [limit(5)],
  kb_entry_urls: [limit(5)],
  marketing_stats: [
    hidden(
      'hiddenCounters',
      ...['MARKETING_CAMPAIGNS', 'MARKETING_SENT', 'MARKETING_OPEN_RATE', 'MARKETING_CLICK_RATE'],
      ...['MARKETING_SUBSCRIBERS', 'MARKETING_UNSUBSCRIBES'],
    ),
  ],
  marketing_campaigns: [limit(5)],
  [`flex_app:${APP_ID}`]: [],
};

/** The settings of all tiles. */
export const settingNames = [
  ...new Set(Object.values(tileTable).flatMap((settings) => settings.map(({ name }) => name))),
];

/** The values that any tile takes for a setting. */
export function valuesAnywhere(name: string): (string | number)[] {
  const settings = Object.values(tileTable).flat();
  return [...new Set(settings.filter((other) => other.name === name).flatMap(({ values }) => values))];
}

/** Whether a setting takes a list: `hiddenCounters` and `hiddenActions` do. */
export const isList = (name: string) => name.startsWith('hidden');
