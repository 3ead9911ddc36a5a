import { builder } from '../../graph/builder.ts';
import type { JsonObject } from '../../formats/decode.ts';
import { inWords, ValidationError } from '../../errors.ts';
import { layoutProblems, type SentTile } from './layout-problems.ts';
import * as enums from './tile-enums.ts';
import type { LayoutEntry, LayoutTile } from './wire.ts';

// The input of a layout, and its form on the wire.

const TileConfigInput = builder.inputType('TileConfigInput', {
  description:
    'Settings of a tile. The gateway refuses a setting that the tile does not have and a value that is not allowed, ' +
    'except in `raw`, and except a setting that the stored tile has already.',
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
      description:
        'Settings by their upstream names, as in `TileConfig.raw`. The gateway does not check them; upstream silently ' +
        'drops those that it does not allow. The fields above take precedence, and in a change null in one of them removes the setting.',
    }),
  }),
});

export const DashboardTileInput = builder.inputType('DashboardTileInput', {
  description: 'One tile of a layout.',
  fields: (t) => ({
    entryId: t.string({
      description:
        'Id of a tile that stays, as `DashboardTile.entryId` returned it: 1 to 32 of a-z, 0-9, _ and -. Upstream ' +
        'assigns an id when it is left out, and in place of a duplicate or invalid one.',
    }),
    key: t.string({ required: true, description: 'Key of the tile, such as `crm_deals` or `flex_app:<app_id>`.' }),
    size: t.field({
      type: enums.TileSize,
      description: 'Width of the tile. Default: the default of its kind.',
    }),
    sizeText: t.string({
      description:
        'Upstream name of the width, as in `DashboardTile.sizeText`: in place of `size`, for a width that `TileSize` ' +
        'does not have.',
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
 * Maps the layout of a new dashboard to the wire.
 *
 * @returns null and undefined unchanged
 * @throws ValidationError with the path of each value that upstream would drop
 */
export function layoutFields(tiles: readonly TileInput[] | null | undefined): LayoutEntry[] | null | undefined {
  if (!tiles) return tiles;
  const sent = tiles.map(sentTile);
  assertNone({ ...layoutProblems(sent), ...sizeProblems(tiles) });
  return sent.map(({ entry }) => entry);
}

/**
 * Maps the changed layout of a dashboard to the wire. Values that are stored already are accepted as they are.
 *
 * @param readStored reads the stored layout. Called only when the layout would be refused without it.
 * @returns undefined for undefined
 * @throws ValidationError with the path of each new value that upstream would drop
 */
export async function changedLayoutFields(
  tiles: readonly TileInput[] | null | undefined,
  readStored: () => Promise<Iterable<LayoutTile> | null>,
): Promise<LayoutEntry[] | undefined> {
  if (!tiles) return undefined;
  const sent = tiles.map(sentTile);
  assertNone(sizeProblems(tiles));
  if (Object.keys(layoutProblems(sent)).length > 0) assertNone(layoutProblems(sent, [...((await readStored()) ?? [])]));
  return sent.map(({ entry }) => entry);
}

/** @throws ValidationError when there is a problem */
function assertNone(problems: Readonly<Record<string, readonly string[]>>): void {
  const summary = inWords(problems, (field, messages) => `\`${field}\` ${messages.join(', ')}`);
  if (summary !== '') throw new ValidationError(`The layout is invalid: ${summary}.`, problems);
}

/** Messages by input path for each tile with two sizes. */
function sizeProblems(tiles: readonly TileInput[]): Record<string, string[]> {
  const problems = tiles.flatMap(({ size, sizeText }, index) =>
    (size ?? null) === null || (sizeText ?? null) === null
      ? []
      : [[`layout.${index}.sizeText`, ['takes the place of `size`: set one of them']]],
  );
  return Object.fromEntries(problems);
}

function sentTile({ entryId, key, size, sizeText, config }: TileInput): SentTile {
  const typed = config ? typedSettings(config) : [];
  const entry = { id: entryId, key, size: sizeText ?? size, config: config ? configFields(config) : undefined };
  return { entry, typed: typed.filter(({ value }) => value !== null) };
}

/** The typed settings that the caller gave, null ones too. Limits are strings on the wire. */
function typedSettings({ raw: _raw, ...typed }: ConfigInput) {
  return Object.entries(typed)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      name,
      wireName: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value: typeof value === 'number' ? String(value) : value,
    }));
}

/** The settings on the wire: the raw ones, with the typed ones in their place. A typed null removes the setting. */
function configFields(config: ConfigInput): JsonObject {
  const typed = new Map(typedSettings(config).map(({ wireName, value }) => [wireName, value]));
  const settings = [...Object.entries(config.raw ?? {}), ...typed];
  return Object.fromEntries(settings.filter(([name]) => typed.get(name) !== null));
}
