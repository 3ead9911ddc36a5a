import { builder } from '../../graph/builder.ts';
import { isObject, type JsonObject, kindOf, readableRows } from '../../formats/decode.ts';
import type { Rows } from '../../formats/rows.ts';
import { BadResponseError, missingAsNull, QueryLimitError } from '../../errors.ts';
import { boolean, text, texts } from '../../formats/leaves.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import type { AccountSource } from './source.ts';
import { parseTileConfig, TileConfig } from './tiles.ts';
import type { DashboardWidgetAnswer } from './wire.ts';

/** A setting as the endpoint describes it. */
interface WidgetSettingEntry {
  readonly name: string;
  readonly entry: JsonObject;
}

const WidgetSetting = builder.objectRef<WidgetSettingEntry>('WidgetSetting').implement({
  description: 'A setting of a tile.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: false,
      description: 'Upstream name of the setting, as in `TileConfig.raw`.',
    }),
    options: t.stringList({
      description: 'The allowed values.',
      resolve: ({ entry }) => texts(entry['options']),
    }),
    default: t.string({
      description: 'Default value. Several values are separated by commas.',
      resolve: ({ entry }) => {
        const defaultValue = entry['default'];
        return Array.isArray(defaultValue) ? defaultValue.map(text).join(',') || null : text(defaultValue);
      },
    }),
    multiple: t.boolean({
      description: 'Whether the setting takes several values.',
      resolve: ({ entry }) => boolean(entry['multiple']),
    }),
    text: t.boolean({
      description: 'Whether the setting takes free text.',
      resolve: ({ entry }) => boolean(entry['text']),
    }),
    raw: t.field({
      type: 'JSONObject',
      semanticNonNull: true,
      description: 'The setting exactly as upstream sends it: options that are no texts, such as pairs, too.',
      resolve: ({ entry }) => entry,
    }),
  }),
});

const widgetKey = fieldResolver<DashboardWidgetAnswer & { readonly key: string }>();

const DashboardWidget = builder
  .objectRef<DashboardWidgetAnswer & { readonly key: string }>('DashboardWidget')
  .implement({
    description: 'A kind of tile that is available to the caller.',
    fields: (t) => ({
      key: t.exposeString('key', { nullable: false, description: 'Key of the tile.' }),
      name: t.string({ description: 'Display name.', resolve: widgetKey('name', text) }),
      settings: t.field({
        type: [WidgetSetting],
        description: 'The settings of the tile.',
        resolve: widgetKey('settings', parseSettings),
      }),
      config: t.field({
        type: TileConfig,
        semanticNonNull: true,
        description: 'The default settings.',
        resolve: ({ key, config }) => ({ key, config: parseTileConfig(config) }),
      }),
    }),
  });

/** Not documented (A55): whether `settings` is a map by name or a list of entries with a name. Other entries are left out. */
function parseSettings(settings: unknown): Rows<WidgetSettingEntry> | null {
  if (settings === undefined || settings === null) return null;
  if (isObject(settings)) return readableRows(Object.entries(settings), ([name, entry]) => settingOf(name, entry));
  if (!Array.isArray(settings)) throw new BadResponseError(`Expected the settings of a tile, got ${kindOf(settings)}.`);
  return readableRows(settings, (entry: unknown) => settingOf(isObject(entry) ? entry['name'] : undefined, entry));
}

/** A setting, or why it cannot be read. */
function settingOf(name: unknown, entry: unknown): WidgetSettingEntry | string {
  if (!isObject(entry)) return `Expected an object, got ${kindOf(entry)}.`;
  return typeof name === 'string' ? { name, entry } : 'A setting has no name.';
}

/** Reads a tile for the caller. Null when it is not available. */
async function widgetOf(key: string, account: AccountSource) {
  const widget = await account.dashboardWidget(key).catch(missingAsNull);
  return widget && { ...widget, key };
}

builder.queryFields((t) => ({
  dashboardWidget: t.field({
    type: DashboardWidget,
    description:
      'A kind of tile. Null when it is not available to the caller. Calls `GET /toolkit/dashboards/widget.json`.',
    args: { key: t.arg.string({ required: true, description: 'Key of the tile: `crm_deals`, `flex_app:<app_id>`.' }) },
    resolve: (_root, { key }, { account }) => widgetOf(key, account),
  }),
  dashboardWidgets: t.field({
    type: [DashboardWidget],
    nullable: { list: true, items: true },
    semanticNonNull: 'list',
    description:
      'Kinds of tiles by their keys, in the same order. One that is not available to the caller is null; one that fails ' +
      'is null and has its own error. Calls `GET /toolkit/dashboards/widget.json`, once per key.',
    args: {
      keys: t.arg.stringList({ required: true, description: 'Keys of tiles, at most MAX_NODES.' }),
    },
    resolve: (_root, { keys }, { account, limits }) => {
      if (keys.length > limits.nodes) {
        throw new QueryLimitError(`\`dashboardWidgets\` takes ${limits.nodes} keys at most: see MAX_NODES.`);
      }
      return keys.map((key) => widgetOf(key, account));
    },
  }),
}));
