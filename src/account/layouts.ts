import { builder } from '../builder.ts';
import type { JsonObject } from '../http/formats/decode.ts';
import { ValidationError } from '../http/errors.ts';
import * as enums from './tile-enums.ts';
import { dropReason, tileSettings } from './tile-settings.ts';
import type { LayoutEntry } from './wire.ts';

// The input of a layout. Upstream repairs an invalid layout without an error: it drops settings and values, and
// replaces ids. The gateway refuses such a layout before the call, so that the caller loses nothing unnoticed.

const MAX_TILES = 60;
const ENTRY_ID = /^[a-z0-9_-]{1,32}$/;
const TILE_KEY = /^[a-z0-9_]+(:[A-Za-z0-9_-]+)?$/;

const TileConfigInput = builder.inputType('TileConfigInput', {
  description:
    'Settings of a tile. The gateway refuses a setting that the tile does not have and a value that is not allowed.',
  fields: (t) => ({
    scope: t.field({ type: enums.TileScope, description: 'The owner of the records.' }),
    filter: t.field({ type: enums.TileFilter, description: 'The state of the records.' }),
    source: t.field({ type: enums.InboxSource, description: 'inbox: the kinds of entries.' }),
    limit: t.int({ description: 'Number of records: 5, 10, 15 or 20; for knowledge bases and sites 2, 4, 6 or 8.' }),
    hiddenCounters: t.field({ type: [enums.TileCounter], description: 'The figures to hide.' }),
    hiddenActions: t.field({ type: [enums.QuickAction], description: 'quick_actions: the buttons to hide.' }),
    customName: t.string({ description: 'quick_actions: label of the custom button, 60 characters at most.' }),
    customUrl: t.string({
      description:
        'quick_actions: target of the custom button: an http or https URL, or a path that starts with `/`; 500 ' +
        'characters at most.',
    }),
    icons: t.field({
      type: enums.TileModule,
      description: 'module_icons: the module of the icons. Upstream silently drops a module that is not enabled.',
    }),
    title: t.field({ type: enums.TitleVisibility, description: 'module_icons: whether the tile shows its title.' }),
    module: t.field({ type: enums.TileModule, description: 'module_header: the module of the header.' }),
    frame: t.field({ type: enums.TileFrame, description: 'module_header: the frame of the header.' }),
    raw: t.field({
      type: 'JSONObject',
      description: 'Settings by their upstream names, as in `TileConfig.raw`. The fields above take precedence.',
    }),
  }),
});

export const DashboardTileInput = builder.inputType('DashboardTileInput', {
  description: 'One tile of a layout.',
  fields: (t) => ({
    entryId: t.string({
      description:
        'Id of a tile that stays, as `DashboardTile.entryId` returned it: 1 to 32 of a-z, 0-9, _ and -. Upstream ' +
        'assigns an id when it is left out.',
    }),
    key: t.string({ required: true, description: 'Key of the tile, such as `crm_deals` or `flex_app:<app_id>`.' }),
    size: t.field({
      type: enums.TileSize,
      description: 'Width of the tile. Default: the default of its kind.',
    }),
    config: t.field({
      type: TileConfigInput,
      description: 'Settings of the tile. A setting that is left out has its default.',
    }),
  }),
});

type TileInput = typeof DashboardTileInput.$inferInput;
type ConfigInput = typeof TileConfigInput.$inferInput;

/**
 * Maps a layout to the wire.
 *
 * @returns null and undefined unchanged
 * @throws ValidationError with the path of each value that upstream would drop or replace
 */
export function layoutFields(tiles: readonly TileInput[] | null | undefined): LayoutEntry[] | null | undefined {
  if (!tiles) return tiles;
  const problems: Record<string, string[]> = {};
  if (tiles.length > MAX_TILES) problems['layout'] = [`takes ${MAX_TILES} tiles at most, got ${tiles.length}`];

  const entryIds = new Set<string>();
  const entries = tiles.map(({ entryId, key, size, config }, index): LayoutEntry => {
    const path = `layout.${index}`;
    if (entryId !== null && entryId !== undefined) {
      if (!ENTRY_ID.test(entryId)) problems[`${path}.entryId`] = ['takes 1 to 32 of a-z, 0-9, _ and -'];
      if (entryIds.has(entryId)) problems[`${path}.entryId`] = ['appears twice in this layout'];
      entryIds.add(entryId);
    }
    if (!TILE_KEY.test(key))
      problems[`${path}.key`] = ['takes the key of a tile, such as crm_deals or flex_app:<app_id>'];
    if (config) Object.assign(problems, configProblems(key, config, `${path}.config`));
    return { id: entryId, key, size, config: config ? configFields(config) : undefined };
  });

  const [first] = Object.keys(problems);
  if (first === undefined) return entries;
  throw new ValidationError(`The layout is invalid: \`${first}\` ${problems[first]?.join(', ')}.`, problems);
}

/** The typed settings that the caller set, by GraphQL name and by wire name. Limits are strings on the wire. */
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

/** Messages by input path for each setting that upstream would drop. */
function configProblems(key: string, config: ConfigInput, path: string): Record<string, string[]> {
  const isKnownTile = tileSettings(key) !== null;
  const typed = typedSettings(config).map(({ name, wireName, value }) => ({
    settingPath: `${path}.${name}`,
    reason: isKnownTile ? dropReason(key, wireName, value) : 'is not a documented setting of this tile: use `raw`',
  }));
  const raw = Object.entries(config.raw ?? {}).map(([name, value]) => ({
    settingPath: `${path}.raw.${name}`,
    reason: value === null ? null : dropReason(key, name, value), // upstream treats null like a missing setting
  }));
  const problems = [...typed, ...raw].flatMap(({ settingPath, reason }) =>
    reason === null ? [] : [[settingPath, [reason]]],
  );
  return { ...customButtonProblems(key, configFields(config), path), ...Object.fromEntries(problems) };
}

/**
 * Not documented (A53): what becomes of half a button. "A custom button is shown only when both are given": half of one
 * would be stored and never seen.
 */
function customButtonProblems(key: string, config: JsonObject, path: string): Record<string, string[]> {
  const [name, url] = [Boolean(config['custom_name']), Boolean(config['custom_url'])];
  if (key !== 'quick_actions' || name === url) return {};
  return name
    ? { [`${path}.customUrl`]: ['is needed with customName'] }
    : { [`${path}.customName`]: ['is needed with customUrl'] };
}
