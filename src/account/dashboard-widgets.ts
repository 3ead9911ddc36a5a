import { builder } from '../builder.ts';
import { isObject, type JsonObject, kindOf, object } from '../http/formats/decode.ts';
import { BadResponseError, missingAsNull } from '../http/errors.ts';
import { boolean, text, texts } from '../http/formats/leaves.ts';
import { configOf, TileConfig } from './tiles.ts';
import type { DashboardWidgetAnswer } from './wire.ts';

interface Setting {
  readonly name: string;
  readonly entry: JsonObject;
}

const WidgetSetting = builder.objectRef<Setting>('WidgetSetting').implement({
  description: 'A setting that a tile has.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Its upstream name, as in `TileConfig.raw`.' }),
    options: t.stringList({
      description: 'The values that it takes.',
      resolve: ({ entry }) => texts(entry['options']),
    }),
    default: t.string({
      description: 'The value that stands when none is given; several are separated by commas.',
      resolve: ({ entry }) => {
        const standard = entry['default'];
        return Array.isArray(standard) ? standard.map(text).join(',') || null : text(standard);
      },
    }),
    multiple: t.boolean({
      description: 'Whether it takes several values.',
      resolve: ({ entry }) => boolean(entry['multiple']),
    }),
    text: t.boolean({
      description: "Whether it takes a text of one's own.",
      resolve: ({ entry }) => boolean(entry['text']),
    }),
  }),
});

const DashboardWidget = builder
  .objectRef<DashboardWidgetAnswer & { readonly key: string }>('DashboardWidget')
  .implement({
    description: 'A kind of tile, as far as it is available to the caller.',
    fields: (t) => ({
      key: t.exposeString('key', { nullable: false, description: 'The key of the tile.' }),
      name: t.string({ description: 'Its name, to be shown.', resolve: ({ name }) => text(name) }),
      settings: t.field({
        type: [WidgetSetting],
        description: 'The settings that it has.',
        resolve: ({ settings }) => settingList(settings),
      }),
      config: t.field({
        type: TileConfig,
        description: 'The settings that it starts with.',
        resolve: ({ key, config }) => ({ key, config: configOf(config) }),
      }),
    }),
  });

/** Not documented: whether `settings` is a map by name or a list of entries with a name. */
function settingList(settings: unknown): Setting[] | null {
  if (settings === undefined || settings === null) return null;
  if (isObject(settings)) return Object.entries(settings).map(([name, entry]) => ({ name, entry: object(entry) }));
  if (!Array.isArray(settings)) throw new BadResponseError(`Expected the settings of a tile, got ${kindOf(settings)}.`);
  return settings.map((entry) => {
    const { name } = object(entry);
    if (typeof name === 'string') return { name, entry: object(entry) };
    throw new BadResponseError('A setting of the tile has no name.');
  });
}

builder.queryField('dashboardWidget', (t) =>
  t.field({
    type: DashboardWidget,
    description:
      'A kind of tile, or null when it is not available to the caller. Calls `GET /toolkit/dashboards/widget.json`.',
    args: { key: t.arg.string({ required: true, description: 'Key of the tile: `crm_deals`, `flex_app:<app_id>`.' }) },
    resolve: async (_root, { key }, { account }) => {
      const widget = await account.dashboardWidget(key).catch(missingAsNull);
      return widget && { ...widget, key };
    },
  }),
);
