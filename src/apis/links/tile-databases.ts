import { DashboardTile } from '../account/tiles.ts';
import { builder } from '../../graph/builder.ts';
import { FlexDb } from '../flex/databases.ts';
import type { FlexDbRecord } from '../flex/wire.ts';
import { type Condition, applyFilters } from '../../graph/lists/filters.ts';
import { decodeOrUndefined } from '../../graph/lists/decodable.ts';
import { identifier } from '../../formats/leaves.ts';

/** The key of a tile of an application: `flex_app:<app_id>`. */
const APPLICATION_KEY = /^flex_app:(.+)$/s;

builder.objectField(DashboardTile, 'flexDbs', (t) =>
  t.field({
    type: [FlexDb],
    description:
      'The databases that are linked to the application of a `flex_app:<app_id>` tile; null for any other tile. Calls ' +
      '`GET /flex/dbs.json`, once for all tiles of an operation.',
    resolve: async ({ key }, _args, { flex }) => {
      const [, applicationId] = APPLICATION_KEY.exec(key) ?? [];
      if (applicationId === undefined) return null;
      const databases = await flex.databases();
      databases.assertComplete();
      return applyFilters(databases, [applicationFilter(applicationId)]);
    },
  }),
);

/** Not documented (A57): the case of the id in a tile's key. */
function applicationFilter(applicationId: string): Condition<FlexDbRecord> {
  const foldedId = applicationId.toLowerCase();
  return {
    keys: ['app_id'],
    leaf: identifier,
    holds: ({ app_id: linked }) => {
      const id = decodeOrUndefined(identifier, linked);
      return id === undefined ? undefined : id?.toLowerCase() === foldedId;
    },
  };
}
