import type { LayoutEntry } from './layouts.ts';
import { documentedTiles, type TileKey } from './tiles.ts';

/** The places of the application that show a dashboard. */
export const contexts = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'] as const;
export type Context = (typeof contexts)[number];

/** The built-in layouts, with the settings that the document states. No key occurs twice in one. */
export const standardLayouts: Readonly<Record<Context, readonly LayoutEntry[]>> = {
  main: [layoutEntry('module_header', { module: 'main', frame: 'box' }), layoutEntry('module_icons')],
  crm: moduleLayout('crm', 'crm_stats', 'crm_deals', 'crm_clients', 'crm_contacts', 'crm_notes'),
  cms: moduleLayout('cms', 'cms_stats', 'cms_sites', 'cms_domains', 'cms_pages', 'cms_change_log'),
  organize: iconsLayout('organize'),
  mail: iconsLayout('mail'),
  kb: moduleLayout('kb', 'kb_stats', 'kb_knowledge_bases', 'kb_comments', 'kb_entries', 'kb_entry_urls'),
  marketing: moduleLayout('marketing', 'marketing_stats', 'marketing_campaigns'),
  account: iconsLayout('account'),
};

/** A header, and a module's own tiles below. */
function moduleLayout(module: Context, ...keys: TileKey[]): LayoutEntry[] {
  return [layoutEntry('module_header', { module }), ...keys.map((key) => layoutEntry(key))];
}

/** A framed header, and the icons of a place below. */
function iconsLayout(place: Context): LayoutEntry[] {
  return [
    layoutEntry('module_header', { module: place, frame: 'box' }),
    layoutEntry('module_icons', { icons: place, title: 'hide' }),
  ];
}

function layoutEntry(key: TileKey, config: LayoutEntry['config'] = {}): LayoutEntry {
  return { id: key, key, size: documentedTiles[key].size, config };
}
