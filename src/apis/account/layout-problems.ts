import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../formats/decode.ts';
import { settingProblem } from './tile-settings.ts';
import type { LayoutEntry, LayoutTile } from './wire.ts';

// The checks of a layout. Upstream repairs an invalid layout without an error: it drops settings and values. The gateway
// refuses such a layout before the call, so that the caller loses nothing unnoticed. Not documented (A256): that clients
// rely on entry ids. Upstream replaces a missing, duplicate or invalid one, and its response has the new one.

const MAX_TILES = 60;
const TILE_KEY = /^[a-z0-9_]+(:[A-Za-z0-9_-]+)?$/;

/** A setting that the caller gave in a field of its own, not in `raw`. */
interface TypedSetting {
  /** Name of the GraphQL field. */
  readonly name: string;
  readonly wireName: string;
  readonly value: unknown;
}

/** A tile that the caller wants to write. */
export interface SentTile {
  readonly entry: LayoutEntry;
  readonly typed: readonly TypedSetting[];
}

type Problems = Record<string, string[]>;

/**
 * Checks a layout. What upstream stored is accepted: a key, a setting or a number of tiles that the stored layout has
 * already is no problem.
 *
 * @param stored the stored layout; empty for a new dashboard
 * @returns messages by input path for each value that upstream would drop
 */
export function layoutProblems(tiles: readonly SentTile[], stored: readonly LayoutTile[] = []): Problems {
  const problems: Problems = {};
  if (tiles.length > Math.max(MAX_TILES, stored.length))
    problems['layout'] = [`takes ${MAX_TILES} tiles at most, got ${tiles.length}`];

  for (const [index, { entry, typed }] of tiles.entries()) {
    const path = `layout.${index}`;
    const { id, key } = entry;
    const storedTile = stored.find((tile) => tile.id === id && tile.key === key);
    if (!TILE_KEY.test(key) && !storedTile)
      problems[`${path}.key`] = ['takes the key of a tile, such as crm_deals or flex_app:<app_id>'];
    for (const [name, problem] of Object.entries(configProblems({ entry, typed }, storedTile)))
      problems[`${path}.config.${name}`] = [problem];
  }
  return problems;
}

/** Messages by GraphQL name for each typed setting that upstream would drop. Raw settings are not checked. */
function configProblems({ entry: { key, config }, typed }: SentTile, stored?: LayoutTile): Record<string, string> {
  const storedConfig = isObject(stored?.config) ? stored.config : {};
  const isStored = (wireName: string) =>
    stored !== undefined && isSameSetting(config?.[wireName], storedConfig[wireName]);
  const problems = typed.flatMap(({ name, wireName, value }) => {
    const problem = isStored(wireName) ? null : settingProblem(key, wireName, value);
    return problem === null ? [] : [[name, problem] as const];
  });
  const isStoredButton = isStored('custom_name') && isStored('custom_url');
  const half = isStoredButton ? {} : customButtonProblem({ entry: { key, config }, typed });
  return { ...half, ...Object.fromEntries(problems) };
}

/**
 * Not documented (A53): what becomes of half a button. "A custom button is shown only when both are given": half of one
 * would be stored and never seen.
 */
function customButtonProblem({ entry: { key, config }, typed }: SentTile): Record<string, string> {
  if (key !== 'quick_actions' || !typed.some(({ wireName }) => wireName.startsWith('custom_'))) return {};
  const [name, url] = [Boolean(config?.['custom_name']), Boolean(config?.['custom_url'])];
  if (name === url) return {};
  return name ? { customUrl: 'is needed with customName' } : { customName: 'is needed with customUrl' };
}

function isSameSetting(sent: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(comparable(sent), comparable(stored));
}

/** A setting as it is compared: a limit may be a number or a text; null and an empty text are no setting. */
function comparable(setting: unknown): unknown {
  return typeof setting === 'number' ? String(setting) : setting || null;
}
