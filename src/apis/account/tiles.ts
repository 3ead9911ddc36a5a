import { builder } from '../../graph/builder.ts';
import { isObject, type JsonObject, kindOf } from '../../formats/decode.ts';
import { BadResponseError } from '../../errors.ts';
import { int32, oneOf, text } from '../../formats/leaves.ts';
import { Rows } from '../../formats/rows.ts';
import { wireValues } from '../../graph/enums.ts';
import * as enums from './tile-enums.ts';
import { tileSettings, tileKind } from './tile-settings.ts';
import type { LayoutTile } from './wire.ts';

/** The stored settings of one tile. Its key determines the defaults of settings that are not stored. */
export interface StoredConfig {
  readonly key: string;
  readonly config: JsonObject;
}

/** Resolves one setting: its stored value, else the tile's documented default, else null. */
function settingResolver<V>(name: string, read: (value: unknown) => V | null) {
  return ({ key, config }: StoredConfig): V | null => {
    if (config[name] !== undefined && config[name] !== null) return read(config[name]);
    const documented = tileSettings(key)?.[name];
    if (documented?.kind === 'hidden') return read([]);
    return documented?.kind === 'choice' ? read(documented.defaultValue) : null;
  };
}

const enumValue = <T extends string>(values: Readonly<Record<T, string>>) => oneOf(wireValues(values));

/** Creates a decoder of a list. It gives the known values; the others are a problem of the list that names them. */
function enumValues<T extends string>(values: Readonly<Record<T, string>>) {
  const knownValues = wireValues(values);
  return (items: unknown): Rows<T> => {
    if (!Array.isArray(items)) throw new BadResponseError(`Expected a list, got ${kindOf(items)}.`);
    const unknownItems = items.filter((item) => !knownValues.some((known) => known === item));
    const known = items.flatMap((item) => knownValues.filter((value) => value === item));
    return new Rows(known, unknownItems.length > 0 ? [unknownValues(unknownItems)] : []);
  };
}

const MAX_NAMED = 10;

/** Names values of a newer upstream, as far as they look like names. */
function unknownValues(items: readonly unknown[]): BadResponseError {
  const named = items
    .slice(0, MAX_NAMED)
    .map((item) => (typeof item === 'string' && /^\w{1,60}$/.test(item) ? item : kindOf(item)));
  const more = items.length > MAX_NAMED ? ` and ${items.length - MAX_NAMED} more` : '';
  return new BadResponseError(`The list has unknown values, which \`raw\` shows: ${named.join(', ')}${more}.`);
}

export const TileConfig = builder.objectRef<StoredConfig>('TileConfig').implement({
  description:
    'The settings of a tile. A setting that is not stored has the default of that tile. It is null when there is no ' +
    'default or the tile has no such setting.',
  fields: (t) => ({
    scope: t.field({
      type: enums.TileScope,
      description: 'The owner of the records.',
      resolve: settingResolver('scope', enumValue(enums.scopes)),
    }),
    filter: t.field({
      type: enums.TileFilter,
      description: 'The state of the records.',
      resolve: settingResolver('filter', enumValue(enums.filters)),
    }),
    source: t.field({
      type: enums.InboxSource,
      description: 'inbox: the kinds of entries.',
      resolve: settingResolver('source', enumValue(enums.sources)),
    }),
    limit: t.int({ description: 'Number of records.', resolve: settingResolver('limit', int32) }),
    hiddenCounters: t.field({
      type: [enums.TileCounter],
      description: 'The hidden figures. An empty list: all figures are visible.',
      resolve: settingResolver('hidden_counters', enumValues(enums.counters)),
    }),
    hiddenActions: t.field({
      type: [enums.QuickAction],
      description: 'quick_actions: the hidden buttons. An empty list: all buttons are visible.',
      resolve: settingResolver('hidden_actions', enumValues(enums.actions)),
    }),
    customName: t.string({
      description: 'quick_actions: label of the custom button.',
      resolve: settingResolver('custom_name', text),
    }),
    customUrl: t.string({
      description:
        'quick_actions: target of the custom button. The button is visible only with both a label and a target.',
      resolve: settingResolver('custom_url', text),
    }),
    icons: t.field({
      type: enums.TileModule,
      description: 'module_icons: the module of the icons.',
      resolve: settingResolver('icons', enumValue(enums.modules)),
    }),
    title: t.field({
      type: enums.TitleVisibility,
      description: 'module_icons: whether the tile shows its title.',
      resolve: settingResolver('title', enumValue(enums.titles)),
    }),
    module: t.field({
      type: enums.TileModule,
      description: 'module_header: the module of the header.',
      resolve: settingResolver('module', enumValue(enums.modules)),
    }),
    frame: t.field({
      type: enums.TileFrame,
      description: 'module_header: the frame of the header.',
      resolve: settingResolver('frame', enumValue(enums.frames)),
    }),
    raw: t.field({
      type: 'JSONObject',
      semanticNonNull: true,
      description: 'The settings exactly as upstream stores them, including settings that the gateway does not know.',
      resolve: ({ config }) => config,
    }),
  }),
});

const parseTileKind = enumValue(enums.kinds);
const parseTileSize = enumValue(enums.sizes);

export const DashboardTile = builder.objectRef<LayoutTile>('DashboardTile').implement({
  description: 'One tile of a layout.',
  fields: (t) => ({
    entryId: t.exposeString('id', {
      nullable: false,
      description:
        'Id of the tile, unique within its layout. Send it back in an update of the layout to keep the tile.',
    }),
    key: t.exposeString('key', {
      nullable: false,
      description: 'Key of the tile, such as `crm_deals` or `flex_app:<app_id>`.',
    }),
    kind: t.field({
      type: enums.TileKind,
      description: 'The content of the tile. Null for a key that the gateway does not know.',
      resolve: ({ key }) => parseTileKind(tileKind(key)),
    }),
    size: t.field({
      type: enums.TileSize,
      description: 'Width of the tile.',
      resolve: ({ size }) => parseTileSize(size),
    }),
    sizeText: t.string({
      description: 'Upstream name of the width, such as `half`. Also for a width that the gateway does not know.',
      resolve: ({ size }) => text(size),
    }),
    config: t.field({
      type: TileConfig,
      semanticNonNull: true,
      description: 'Settings of the tile.',
      resolve: ({ key, config }) => ({ key, config: parseTileConfig(config) }),
    }),
  }),
});

/**
 * Checks the `config` of a tile. A missing config has no settings.
 *
 * @throws BadResponseError for any value but an object
 */
export function parseTileConfig(config: unknown): JsonObject {
  if (config === undefined || config === null) return {};
  if (isObject(config)) return config;
  throw new BadResponseError(`Expected the settings of a tile to be an object, got ${kindOf(config)}.`);
}
