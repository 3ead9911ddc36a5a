import { builder } from '../builder.ts';
import { isObject, type JsonObject, kindOf } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';
import { int32, oneOf, text } from '../http/formats/leaves.ts';
import { wireValues } from '../graphql/enums.ts';
import * as enums from './tile-enums.ts';
import { settingsOf, tileKind } from './tile-settings.ts';
import type { LayoutTile } from './wire.ts';

/** The settings of one tile as they are stored, and the key that says which defaults stand for what is left out. */
export interface StoredConfig {
  readonly key: string;
  readonly config: JsonObject;
}

/** Reads one setting: what upstream left out is the tile's documented default, or null where it states none. */
function setting<V>(name: string, read: (value: unknown) => V | null) {
  return ({ key, config }: StoredConfig): V | null => {
    if (config[name] !== undefined && config[name] !== null) return read(config[name]);
    const documented = settingsOf(key)?.[name];
    if (documented?.kind === 'hidden') return read([]);
    return documented?.kind === 'choice' ? read(documented.fallback) : null;
  };
}

const enumOf = <T extends string>(values: Readonly<Record<T, string>>) => oneOf(wireValues(values));

const enumList =
  <T extends string>(values: Readonly<Record<T, string>>) =>
  (items: unknown) => {
    if (!Array.isArray(items)) throw new BadResponseError(`Expected a list, got ${kindOf(items)}.`);
    return items.map(enumOf(values)).filter((item) => item !== null);
  };

export const TileConfig = builder.objectRef<StoredConfig>('TileConfig').implement({
  description:
    'The settings of a tile. A setting that is not stored reads as the default of that tile, ' +
    'or null where it has none or the tile has no such setting.',
  fields: (t) => ({
    scope: t.field({
      type: enums.TileScope,
      description: 'Whose records.',
      resolve: setting('scope', enumOf(enums.scopes)),
    }),
    filter: t.field({
      type: enums.TileFilter,
      description: 'Which records.',
      resolve: setting('filter', enumOf(enums.filters)),
    }),
    source: t.field({
      type: enums.InboxSource,
      description: 'inbox: what it collects.',
      resolve: setting('source', enumOf(enums.sources)),
    }),
    limit: t.int({ description: 'How many records.', resolve: setting('limit', int32) }),
    hiddenCounters: t.field({
      type: [enums.TileCounter],
      description: 'The figures NOT to show; empty: all are shown.',
      resolve: setting('hidden_counters', enumList(enums.counters)),
    }),
    hiddenActions: t.field({
      type: [enums.QuickAction],
      description: 'quick_actions: the buttons NOT to show; empty: all are shown.',
      resolve: setting('hidden_actions', enumList(enums.actions)),
    }),
    customName: t.string({
      description: 'quick_actions: name of the custom button.',
      resolve: setting('custom_name', text),
    }),
    customUrl: t.string({
      description: 'quick_actions: address of the custom button, which is shown only when both are given.',
      resolve: setting('custom_url', text),
    }),
    icons: t.field({
      type: enums.TileModule,
      description: 'module_icons: whose icons.',
      resolve: setting('icons', enumOf(enums.modules)),
    }),
    title: t.field({
      type: enums.TitleVisibility,
      description: 'module_icons: whether the title is shown.',
      resolve: setting('title', enumOf(enums.titles)),
    }),
    module: t.field({
      type: enums.TileModule,
      description: 'module_header: whose header.',
      resolve: setting('module', enumOf(enums.modules)),
    }),
    frame: t.field({
      type: enums.TileFrame,
      description: 'module_header: what surrounds it.',
      resolve: setting('frame', enumOf(enums.frames)),
    }),
    raw: t.field({
      type: 'JSONObject',
      description: 'The settings exactly as upstream stores them, those that this gateway does not know included.',
      resolve: ({ config }) => config,
    }),
  }),
});

const kindOfTile = enumOf(enums.kinds);
const sizeOfTile = enumOf(enums.sizes);

export const DashboardTile = builder.objectRef<LayoutTile>('DashboardTile').implement({
  description: 'One tile of a layout.',
  fields: (t) => ({
    entryId: t.exposeString('id', {
      nullable: false,
      description: 'Id in its layout only. Send it back when you change the layout, so that the tile stays the same.',
    }),
    key: t.exposeString('key', { nullable: false, description: 'What it shows: `crm_deals`, `flex_app:<app_id>`.' }),
    kind: t.field({
      type: enums.TileKind,
      description: 'What it shows; null for a key that this gateway does not know.',
      resolve: ({ key }) => kindOfTile(tileKind(key)),
    }),
    size: t.field({
      type: enums.TileSize,
      description: 'How wide it is.',
      resolve: ({ size }) => sizeOfTile(size),
    }),
    config: t.field({
      type: TileConfig,
      description: 'Its settings.',
      resolve: ({ key, config }) => ({ key, config: configOf(config) }),
    }),
  }),
});

/** A missing config is one without settings. */
export function configOf(config: unknown): JsonObject {
  if (config === undefined || config === null) return {};
  if (isObject(config)) return config;
  throw new BadResponseError(`Expected the settings of a tile to be an object, got ${kindOf(config)}.`);
}
