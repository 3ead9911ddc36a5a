import { builder } from '../builder.ts';
import type { JsonObject } from '../http/formats/decode.ts';
import { ValidationError } from '../http/errors.ts';
import * as enums from './tile-enums.ts';
import { reasonToDrop, settingsOf } from './tile-settings.ts';
import type { LayoutEntry } from './wire.ts';

// What a layout is given as. Upstream repairs a layout without a word: it drops settings and values, and replaces
// ids. So that nothing is lost unseen, what it would repair is refused here, before the call.

const MAX_TILES = 60;
const ENTRY_ID = /^[a-z0-9_-]{1,32}$/;
const TILE_KEY = /^[a-z0-9_]+(:[A-Za-z0-9_-]+)?$/;

const TileConfigInput = builder.inputType('TileConfigInput', {
  description: 'Settings of a tile. One that the tile does not have, or a value that it does not take, is refused.',
  fields: (t) => ({
    scope: t.field({ type: enums.TileScope, description: 'Whose records.' }),
    filter: t.field({ type: enums.TileFilter, description: 'Which records.' }),
    source: t.field({ type: enums.InboxSource, description: 'inbox: what it collects.' }),
    limit: t.int({ description: 'How many records: 5, 10, 15, 20, or 2, 4, 6, 8 for knowledge bases and sites.' }),
    hiddenCounters: t.field({ type: [enums.TileCounter], description: 'The figures NOT to show.' }),
    hiddenActions: t.field({ type: [enums.QuickAction], description: 'quick_actions: the buttons NOT to show.' }),
    customName: t.string({ description: 'quick_actions: name of the custom button, 60 characters at most.' }),
    customUrl: t.string({
      description:
        'quick_actions: address of the custom button: http, https or a path from `/`, 500 characters at most.',
    }),
    icons: t.field({
      type: enums.TileModule,
      description: 'module_icons: whose icons. One whose module is not enabled is dropped by upstream without a word.',
    }),
    title: t.field({ type: enums.TitleVisibility, description: 'module_icons: whether the title is shown.' }),
    module: t.field({ type: enums.TileModule, description: 'module_header: whose header.' }),
    frame: t.field({ type: enums.TileFrame, description: 'module_header: what surrounds it.' }),
    raw: t.field({
      type: 'JSONObject',
      description: 'Settings by their upstream names, as `TileConfig.raw` reads them; the fields above go before it.',
    }),
  }),
});

export const DashboardTileInput = builder.inputType('DashboardTileInput', {
  description: 'One tile of a layout.',
  fields: (t) => ({
    entryId: t.string({
      description:
        'Id of a tile that stays, as it was read: 1 to 32 of a-z, 0-9, _ and -. Without one, upstream assigns it.',
    }),
    key: t.string({ required: true, description: 'What it shows: `crm_deals`, `flex_app:<app_id>`.' }),
    size: t.field({
      type: enums.TileSize,
      description: "How wide it is; the tile's own default unless said otherwise.",
    }),
    config: t.field({ type: TileConfigInput, description: 'Its settings; what is left out is the default.' }),
  }),
});

type TileInput = typeof DashboardTileInput.$inferInput;
type ConfigInput = typeof TileConfigInput.$inferInput;

/**
 * The layout as upstream takes it.
 *
 * @throws ValidationError with the path of everything that upstream would drop or replace
 */
export function layoutFields(tiles: readonly TileInput[] | null | undefined): LayoutEntry[] | null | undefined {
  if (!tiles) return tiles;
  const problems: Record<string, string[]> = {};
  if (tiles.length > MAX_TILES) problems['layout'] = [`takes ${MAX_TILES} tiles at most, got ${tiles.length}`];

  const ids = new Set<string>();
  const entries = tiles.map(({ entryId, key, size, config }, index): LayoutEntry => {
    const path = `layout.${index}`;
    if (entryId !== null && entryId !== undefined) {
      if (!ENTRY_ID.test(entryId)) problems[`${path}.entryId`] = ['takes 1 to 32 of a-z, 0-9, _ and -'];
      if (ids.has(entryId)) problems[`${path}.entryId`] = ['stands twice in this layout'];
      ids.add(entryId);
    }
    if (!TILE_KEY.test(key))
      problems[`${path}.key`] = ['takes the key of a tile, such as crm_deals or flex_app:<app_id>'];
    if (config) Object.assign(problems, configProblems(key, config, `${path}.config`));
    return { id: entryId, key, size, config: config ? configFields(config) : undefined };
  });

  const [first] = Object.keys(problems);
  if (first === undefined) return entries;
  throw new ValidationError(`The layout cannot be stored as it is: ${first} ${problems[first]?.join(', ')}.`, problems);
}

/** The typed settings that were given, by their GraphQL and their wire names. Limits are strings on the wire. */
function typedSettings({ raw: _raw, ...typed }: ConfigInput) {
  return Object.entries(typed)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({
      name,
      wireName: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value: typeof value === 'number' ? String(value) : value,
    }));
}

function configFields(config: ConfigInput): JsonObject {
  return {
    ...config.raw,
    ...Object.fromEntries(typedSettings(config).map(({ wireName, value }) => [wireName, value])),
  };
}

function configProblems(key: string, config: ConfigInput, path: string): Record<string, string[]> {
  const known = settingsOf(key) !== null;
  const typed = typedSettings(config).map(({ name, wireName, value }) => ({
    at: `${path}.${name}`,
    reason: known ? reasonToDrop(key, wireName, value) : 'is not known of this tile: use raw',
  }));
  const raw = Object.entries(config.raw ?? {}).map(([name, value]) => ({
    at: `${path}.raw.${name}`,
    reason: value === null ? null : reasonToDrop(key, name, value), // as good as left out
  }));
  const problems = [...typed, ...raw].flatMap(({ at, reason }) => (reason === null ? [] : [[at, [reason]]]));
  return { ...halfButton(key, configFields(config), path), ...Object.fromEntries(problems) };
}

/** Not documented: what becomes of half a button. "A custom button is shown only when both are given": half of one would be stored and never seen. */
function halfButton(key: string, config: JsonObject, path: string): Record<string, string[]> {
  const [name, url] = [Boolean(config['custom_name']), Boolean(config['custom_url'])];
  if (key !== 'quick_actions' || name === url) return {};
  return name
    ? { [`${path}.customUrl`]: ['is needed with customName'] }
    : { [`${path}.customName`]: ['is needed with customUrl'] };
}
