// The documented tiles and their settings, by wire name (section "Tile settings" of the document).

/** A setting that takes one of several values. */
interface Choice {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** The value that upstream does not store. Null when the document states no default. */
  readonly defaultValue: string | null;
}

/** A setting that lists the parts to hide. Empty or absent: all parts are visible. */
interface HiddenParts {
  readonly kind: 'hidden';
  readonly values: readonly string[];
}

/** A setting that takes free text. */
interface FreeText {
  readonly kind: 'text';
  /** Maximum length in characters, that is Unicode code points. */
  readonly maxLength: number;
  readonly isUrl: boolean;
}

export type Setting = Choice | HiddenParts | FreeText;

const choice = (values: readonly string[], defaultValue: string | null): Choice => ({
  kind: 'choice',
  values,
  defaultValue,
});
const hiddenParts = (...values: readonly string[]): HiddenParts => ({ kind: 'hidden', values });

const limitTo20 = (defaultValue: string) => choice(['5', '10', '15', '20'], defaultValue);
const limitTo8 = (defaultValue: string) => choice(['2', '4', '6', '8'], defaultValue);
const scopeChoice = (defaultValue: string | null) => choice(['all', 'mine'], defaultValue);
const unreadFilter = choice(['all', 'unread'], null);
const openFilter = choice(['open', 'all'], 'open');
const modules = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'];

/** Settings by kind of tile. The kind of the key `flex_app:<app_id>` is `flex_app`. */
const settingsByKind: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  module_header: { module: choice(modules, 'cms'), frame: choice(['none', 'box'], 'none') },
  module_icons: { icons: choice(modules, 'main'), title: choice(['show', 'hide'], 'show') },
  kpi: {
    hidden_counters: hiddenParts('open_tasks', 'overdue_tasks', 'unread_emails', 'unread_chats', 'clients_this_month'),
  },
  quick_actions: {
    hidden_actions: hiddenParts(
      ...['new_task', 'new_project', 'new_email', 'new_client', 'new_contact', 'new_deal', 'new_note', 'new_ticket'],
      'new_cms_page',
    ),
    custom_name: { kind: 'text', maxLength: 60, isUrl: false },
    custom_url: { kind: 'text', maxLength: 500, isUrl: true },
  },
  inbox: {
    scope: choice(['mine', 'mine_unassigned', 'unassigned', 'all'], 'mine'),
    source: choice(['all', 'tasks', 'emails'], 'all'),
    limit: limitTo20('10'),
  },
  activity: { scope: scopeChoice('all'), limit: limitTo20('5') },
  tasks: { scope: scopeChoice('all'), filter: choice(['all', 'overdue'], 'all'), limit: limitTo20('5') },
  mail: { scope: scopeChoice(null), filter: unreadFilter, limit: limitTo20('5') },
  chats: { scope: scopeChoice(null), filter: unreadFilter, limit: limitTo20('5') },
  todo: {},
  ai_request: {},
  crm_stats: { hidden_counters: hiddenParts('crm_clients', 'crm_contacts', 'crm_deals_open', 'crm_notes') },
  crm_clients: { scope: scopeChoice(null), limit: limitTo20('5') },
  crm_contacts: { scope: scopeChoice(null), limit: limitTo20('5') },
  crm_deals: { scope: scopeChoice(null), filter: openFilter, limit: limitTo20('5') },
  crm_notes: { limit: limitTo20('5') },
  cms_pages: { limit: limitTo20('5') },
  cms_stats: {
    hidden_counters: hiddenParts(
      'cms_sites',
      'cms_pages',
      'cms_articles',
      'cms_layouts',
      'cms_paragraphs',
      'cms_assets',
    ),
  },
  cms_sites: { limit: limitTo8('4') },
  cms_change_log: { limit: limitTo20('5') },
  cms_domains: { limit: limitTo20('10') },
  organize_stats: {
    hidden_counters: hiddenParts(
      'organize_my_tasks',
      'organize_overdue_tasks',
      'organize_projects',
      'organize_week_hours',
    ),
  },
  organize_projects: { scope: scopeChoice(null), filter: openFilter, limit: limitTo20('5') },
  organize_workinfos: { limit: limitTo20('5') },
  kb_stats: {
    hidden_counters: hiddenParts(
      ...['kb_knowledge_bases', 'kb_entries', 'kb_categories', 'kb_comments', 'kb_helplinks', 'kb_entry_urls'],
    ),
  },
  kb_knowledge_bases: { limit: limitTo8('6') },
  kb_entries: { limit: limitTo20('10') },
  kb_comments: { limit: limitTo20('5') },
  kb_entry_urls: { limit: limitTo20('5') },
  marketing_stats: {
    hidden_counters: hiddenParts(
      ...['marketing_campaigns', 'marketing_sent', 'marketing_open_rate', 'marketing_click_rate'],
      ...['marketing_subscribers', 'marketing_unsubscribes'],
    ),
  },
  marketing_campaigns: { limit: limitTo20('5') },
  flex_app: {},
};

/** The kind of a tile: its key without the id of an application. Null for a key that the document does not list. */
export function tileKind(key: string): string | null {
  const kind = key.startsWith('flex_app:') ? 'flex_app' : key;
  return Object.hasOwn(settingsByKind, kind) ? kind : null;
}

/** The documented settings of a tile, by wire name. Null for a tile that the document does not list. */
export function tileSettings(key: string): Readonly<Record<string, Setting>> | null {
  return settingsByKind[tileKind(key) ?? ''] ?? null;
}

/**
 * Why upstream would silently drop a setting of a tile.
 *
 * @param name wire name of the setting
 * @returns the predicate of an error message, or null when the document allows the setting
 */
export function settingProblem(key: string, name: string, value: unknown): string | null {
  const settings = tileSettings(key);
  if (!settings) return 'is not a documented setting of this tile: `raw` passes it on';
  const setting = settings[name];
  return setting ? valueProblem(setting, value) : `is not a setting of the tile ${tileKind(key)}: \`raw\` passes it on`;
}

function valueProblem(setting: Setting, value: unknown): string | null {
  switch (setting.kind) {
    case 'choice':
      return setting.values.some((allowed) => allowed === value)
        ? null
        : `takes ${setting.values.join(', ')}: \`raw\` passes on other values`;
    case 'hidden':
      return Array.isArray(value) && value.every((item) => setting.values.includes(item))
        ? null
        : `takes a list of ${setting.values.join(', ')}: \`raw\` passes on other values`;
    case 'text':
      if (typeof value !== 'string' || value.trim() === '') return 'takes a text that is not empty';
      if ([...value].length > setting.maxLength) return `takes ${setting.maxLength} characters at most`;
      return setting.isUrl && !isUrlOrPath(value)
        ? 'takes an http or https URL, or a path that starts with a single /'
        : null;
  }
}

const ADDRESS = /^(https?:\/\/[^/\\]|\/(?![/\\]))/i;

/**
 * Not documented (A52): beyond `javascript:` and `//host`. Browsers drop tabs and line breaks from an address and read
 * a backslash as a slash: neither may hide a `//host`. Other white space is allowed, other control characters are not.
 */
function isUrlOrPath(value: string): boolean {
  const shown = value.replaceAll(/[\t\n\r]/g, '');
  return ADDRESS.test(value) && ADDRESS.test(shown) && !/[^\P{Cc}\s]/u.test(value);
}
