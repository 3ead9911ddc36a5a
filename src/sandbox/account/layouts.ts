import { z } from 'zod';
import { text } from '../body.ts';
import { invalid } from '../responses.ts';
import type { Store } from '../store.ts';
import { enabledModules } from './accounts.ts';
import { normalizeValue } from './settings.ts';
import { findTile, sizes, type Tile } from './tiles.ts';

const entrySchema = z.object({
  id: z.string(),
  key: z.string(),
  size: z.enum(sizes),
  config: z.record(z.string(), z.union([z.string(), z.array(z.string()).readonly()])),
});

/** One tile of a layout, as it is saved and answered. */
export type LayoutEntry = z.infer<typeof entrySchema>;

/** The layout of a dashboard, as it is saved. */
export const layoutSchema = z.array(entrySchema);

/** A layout in a request. An invalid id, size or config is replaced or removed; only an invalid key is an error. */
export const layoutInput = z
  .array(
    z.object(
      {
        key: text,
        id: z.unknown().optional(),
        size: z.enum(sizes).optional().catch(undefined),
        config: z.record(z.string(), z.unknown()).optional().catch(undefined),
      },
      'must hold objects',
    ),
    'must be a list of tiles',
  )
  .max(60, 'must have at most 60 tiles');
type EntryInput = z.infer<typeof layoutInput>[number];

/**
 * Normalizes a layout for storage: assigns ids, fills in sizes, removes invalid settings.
 *
 * @throws HttpError 422 for an unknown tile
 */
export function normalizeLayout(store: Store, account: number, given: readonly EntryInput[]): LayoutEntry[] {
  const modules = enabledModules(store, account);
  const ids = assignIds(given);
  return given.map(({ key, size, config }, index) => {
    const tile = findTile(store, account, key);
    if (!tile) throw invalid({ layout: [`has an unknown tile: ${key}`] }); // Not documented (A44)
    return {
      id: ids[index] ?? key,
      key,
      size: size ?? tile.size,
      config: normalizeConfig(tile, config ?? {}, modules),
    };
  });
}

function normalizeConfig(
  { settings }: Tile,
  config: Readonly<Record<string, unknown>>,
  modules: ReturnType<typeof enabledModules>,
): LayoutEntry['config'] {
  const kept = Object.entries(settings).flatMap(([name, setting]) => {
    const value = normalizeValue(setting, config[name], modules);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/**
 * Assigns an id to every entry. The first entry with a valid id keeps it, even when an earlier entry would be assigned
 * the same id: an id that a client sends back must still name its entry.
 */
function assignIds(entries: readonly EntryInput[]): string[] {
  const taken = new Set<string>();
  const kept = entries.map(({ id }) => {
    if (typeof id !== 'string' || !/^[a-z0-9_-]{1,32}$/.test(id) || taken.has(id)) return null;
    taken.add(id);
    return id;
  });
  return entries.map(({ key }, index) => {
    const id = kept[index] ?? freeId(baseId(key), taken);
    taken.add(id);
    return id;
  });
}

function freeId(base: string, taken: ReadonlySet<string>): string {
  let id = base;
  for (let suffix = 2; taken.has(id); suffix++) id = `${base}-${suffix}`;
  return id;
}

/**
 * Not documented (A49): the id of `flex_app:<app_id>`, a key that is too long and holds a colon: `flex_app-<8 digits>`.
 */
function baseId(key: string): string {
  const [name, applicationId] = key.split(':');
  return applicationId === undefined ? key : `${name}-${applicationId.slice(0, 8).toLowerCase()}`;
}
