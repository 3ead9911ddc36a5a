import { z } from 'zod';
import { validate } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { enabledModules } from './accounts.ts';
import { shownTo, visibleDashboards } from './stored-dashboards.ts';
import { displayedDashboard } from './selection.ts';
import { describeSetting } from './settings.ts';
import { contexts, standardLayouts } from './standard-layouts.ts';
import { availableTile, type Tile } from './tiles.ts';
import { authenticate, type Caller } from './users.ts';

const place = z.object({ context: z.enum(contexts, 'is not a known context') }); // Not documented (A42): without it 422

/** Adds the routes of the displayed dashboard and of a single tile. */
export function widgets(router: Router, services: SandboxServices): void {
  const { store } = services;
  router
    .on('GET /toolkit/dashboards/widgets.json', (request) => {
      const caller = authenticate(services, request);
      const { context } = validate(place, request.query);
      const current = displayedDashboard(store, caller, context);
      const layout = current?.layout ?? standardLayouts[context];
      return json({
        current_id: current?.id ?? null, // Not documented (A41): null for the built-in layout
        layout: layout.filter(({ key }) => availableTile(store, caller, key)),
        dashboards: visibleDashboards(store, caller, context).map((dashboard) => shownTo(caller, dashboard)),
      });
    })
    .on('GET /toolkit/dashboards/widget.json', (request) => {
      const caller = authenticate(services, request);
      const { key = '' } = request.query;
      const tile = availableTile(store, caller, key);
      if (!tile) throw notFound();
      return json({ key, name: tile.name, ...describeSettings(store, caller, tile) });
    });
}

/**
 * Not documented (A55, A56): the form of `settings`, a map from name to description; `config` are the defaults in it.
 */
function describeSettings(store: Store, { accountId }: Caller, tile: Tile) {
  const modules = enabledModules(store, accountId);
  const settings = Object.entries(tile.settings).map(
    ([name, setting]) => [name, describeSetting(setting, modules)] as const,
  );
  const defaults = settings.flatMap(([name, setting]) => (setting.default === null ? [] : [[name, setting.default]]));
  return { settings: Object.fromEntries(settings), config: Object.fromEntries(defaults) };
}
