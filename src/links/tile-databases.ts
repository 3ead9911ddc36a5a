import { DashboardTile } from '../account/tiles.ts';
import { builder } from '../builder.ts';
import { FlexDb } from '../flex/databases.ts';
import type { FlexDbRecord } from '../flex/wire.ts';
import { type Condition, applyFilters } from '../lists/filters.ts';
import { decodeOrNull } from '../lists/decodable.ts';
import { identifier } from '../http/formats/leaves.ts';

const APPLICATION = /^flex_app:(.+)$/s;

builder.objectField(DashboardTile, 'flexDbs', (t) =>
  t.field({
    type: [FlexDb],
    description:
      'The databases that are linked to the application of a `flex_app:<app_id>` tile; null for any other tile. Calls ' +
      '`GET /flex/dbs.json`, once for all tiles of an operation.',
    resolve: async ({ key }, _args, { flex }) => {
      const [, application] = APPLICATION.exec(key) ?? [];
      if (application === undefined) return null;
      return [...applyFilters(await flex.databases(), [linkedTo(application)])];
    },
  }),
);

/** Not documented: the case of the id in a tile's key. */
function linkedTo(application: string): Condition<FlexDbRecord> {
  const wanted = application.toLowerCase();
  return {
    keys: ['app_id'],
    leaf: identifier,
    holds: ({ app_id: linked }) => decodeOrNull(identifier, linked)?.toLowerCase() === wanted,
  };
}
