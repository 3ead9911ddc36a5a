// The tiles that the document lists, and the settings of each (section "Tile settings"), by their wire names.

interface Choice {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** What upstream leaves out on save; null where the document states no default. */
  readonly fallback: string | null;
}

/** What NOT to show; empty or absent: everything is shown. */
interface Hidden {
  readonly kind: 'hidden';
  readonly values: readonly string[];
}

interface FreeText {
  readonly kind: 'text';
  readonly max: number;
  readonly isUrl: boolean;
}

export type Setting = Choice | Hidden | FreeText;

const choice = (values: readonly string[], fallback: string | null): Choice => ({ kind: 'choice', values, fallback });
const hidden = (...values: readonly string[]): Hidden => ({ kind: 'hidden', values });

const many = (fallback: string) => choice(['5', '10', '15', '20'], fallback);
const few = (fallback: string) => choice(['2', '4', '6', '8'], fallback);
const whose = (fallback: string | null) => choice(['all', 'mine'], fallback);
const unread = choice(['all', 'unread'], null);
const open = choice(['open', 'all'], 'open');
const modules = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'];

/** Settings by tile key. The key of an application's tile is `flex_app:<app_id>`; it stands here as `flex_app`. */
const tiles: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  module_header: { module: choice(modules, 'cms'), frame: choice(['none', 'box'], 'none') },
  module_icons: { icons: choice(modules, 'main'), title: choice(['show', 'hide'], 'show') },
  kpi: {
    hidden_counters: hidden('open_tasks', 'overdue_tasks', 'unread_emails', 'unread_chats', 'clients_this_month'),
  },
  quick_actions: {
    hidden_actions: hidden(
      ...['new_task', 'new_project', 'new_email', 'new_client', 'new_contact', 'new_deal', 'new_note', 'new_ticket'],
      'new_cms_page',
    ),
    custom_name: { kind: 'text', max: 60, isUrl: false },
    custom_url: { kind: 'text', max: 500, isUrl: true },
  },
  inbox: {
    scope: choice(['mine', 'mine_unassigned', 'unassigned', 'all'], 'mine'),
    source: choice(['all', 'tasks', 'emails'], 'all'),
    limit: many('10'),
  },
  activity: { scope: whose('all'), limit: many('5') },
  tasks: { scope: whose('all'), filter: choice(['all', 'overdue'], 'all'), limit: many('5') },
  mail: { scope: whose(null), filter: unread, limit: many('5') },
  chats: { scope: whose(null), filter: unread, limit: many('5') },
  todo: {},
  ai_request: {},
  crm_stats: { hidden_counters: hidden('crm_clients', 'crm_contacts', 'crm_deals_open', 'crm_notes') },
  crm_clients: { scope: whose(null), limit: many('5') },
  crm_contacts: { scope: whose(null), limit: many('5') },
  crm_deals: { scope: whose(null), filter: open, limit: many('5') },
  crm_notes: { limit: many('5') },
  cms_pages: { limit: many('5') },
  cms_stats: {
    hidden_counters: hidden('cms_sites', 'cms_pages', 'cms_articles', 'cms_layouts', 'cms_paragraphs', 'cms_assets'),
  },
  cms_sites: { limit: few('4') },
  cms_change_log: { limit: many('5') },
  cms_domains: { limit: many('10') },
  organize_stats: {
    hidden_counters: hidden('organize_my_tasks', 'organize_overdue_tasks', 'organize_projects', 'organize_week_hours'),
  },
  organize_projects: { scope: whose(null), filter: open, limit: many('5') },
  organize_workinfos: { limit: many('5') },
  kb_stats: {
    hidden_counters: hidden(
      ...['kb_knowledge_bases', 'kb_entries', 'kb_categories', 'kb_comments', 'kb_helplinks', 'kb_entry_urls'],
    ),
  },
  kb_knowledge_bases: { limit: few('6') },
  kb_entries: { limit: many('10') },
  kb_comments: { limit: many('5') },
  kb_entry_urls: { limit: many('5') },
  marketing_stats: {
    hidden_counters: hidden(
      ...['marketing_campaigns', 'marketing_sent', 'marketing_open_rate', 'marketing_click_rate'],
      ...['marketing_subscribers', 'marketing_unsubscribes'],
    ),
  },
  marketing_campaigns: { limit: many('5') },
  flex_app: {},
};

const settingNames = new Set(Object.values(tiles).flatMap((settings) => Object.keys(settings)));

/** The kind of a tile: its key without the application, or null for a key that the document does not list. */
export function tileKind(key: string): string | null {
  const kind = key.startsWith('flex_app:') ? 'flex_app' : key;
  return Object.hasOwn(tiles, kind) ? kind : null;
}

/** The settings of a tile, or null for a tile of a newer upstream. */
export function settingsOf(key: string): Readonly<Record<string, Setting>> | null {
  return tiles[tileKind(key) ?? ''] ?? null;
}

/**
 * Why upstream would drop this setting from this tile without a word, or null when it would keep it. A setting
 * that no documented tile has is left to upstream, and so is every setting of a tile that is not documented.
 */
export function reasonToDrop(key: string, name: string, value: unknown): string | null {
  const settings = settingsOf(key);
  if (!settings || !settingNames.has(name)) return null;
  const setting = settings[name];
  return setting ? reasonToRefuse(setting, value) : `is no setting of the tile ${tileKind(key)}`;
}

function reasonToRefuse(setting: Setting, value: unknown): string | null {
  switch (setting.kind) {
    case 'choice':
      return setting.values.some((allowed) => allowed === value) ? null : `takes ${setting.values.join(', ')}`;
    case 'hidden':
      return Array.isArray(value) && value.every((item) => setting.values.includes(item))
        ? null
        : `takes a list of ${setting.values.join(', ')}`;
    case 'text':
      if (typeof value !== 'string' || value.trim() === '') return 'takes a text';
      if ([...value].length > setting.max) return `takes ${setting.max} characters at most`;
      return setting.isUrl && !isAddress(value)
        ? 'takes an http or https address, or a path that starts with one /'
        : null;
  }
}

/** Not documented: beyond `javascript:` and `//host`. Browsers drop tabs and line breaks from an address and read a backslash as a slash: neither may hide a `//host`. */
function isAddress(value: string): boolean {
  return /^(https?:\/\/[^\s\p{Cc}/\\][^\s\p{Cc}]*|\/(?![/\\])[^\s\p{Cc}]*)$/u.test(value);
}
