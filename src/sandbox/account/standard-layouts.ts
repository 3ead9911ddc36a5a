import type { LayoutEntry } from './layouts.ts';
import { documentedTiles, type TileKey } from './tiles.ts';

/** The places of the application that show a dashboard. */
export const contexts = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'] as const;
export type Context = (typeof contexts)[number];

/** The built-in layouts, with the settings that the document states. No key occurs twice in one. */
export const standardLayouts: Readonly<Record<Context, readonly LayoutEntry[]>> = {
  main: [tile('module_header', { module: 'main', frame: 'box' }), tile('module_icons')],
  crm: headed('crm', 'crm_stats', 'crm_deals', 'crm_clients', 'crm_contacts', 'crm_notes'),
  cms: headed('cms', 'cms_stats', 'cms_sites', 'cms_domains', 'cms_pages', 'cms_change_log'),
  organize: icons('organize'),
  mail: icons('mail'),
  kb: headed('kb', 'kb_stats', 'kb_knowledge_bases', 'kb_comments', 'kb_entries', 'kb_entry_urls'),
  marketing: headed('marketing', 'marketing_stats', 'marketing_campaigns'),
  account: icons('account'),
};

/** A header, and a module's own tiles below. */
function headed(module: Context, ...keys: TileKey[]): LayoutEntry[] {
  return [tile('module_header', { module }), ...keys.map((key) => tile(key))];
}

/** A framed header, and the icons of a place below. */
function icons(place: Context): LayoutEntry[] {
  return [
    tile('module_header', { module: place, frame: 'box' }),
    tile('module_icons', { icons: place, title: 'hide' }),
  ];
}

function tile(key: TileKey, config: LayoutEntry['config'] = {}): LayoutEntry {
  return { id: key, key, size: documentedTiles[key].size, config };
}
