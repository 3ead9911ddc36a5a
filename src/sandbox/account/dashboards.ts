import { z } from 'zod';
import { bool, integerId, text, validate, validateWrapped } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { empty, invalid, json, notFound } from '../responses.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import {
  deleteDashboard,
  findDashboard,
  insertDashboard,
  saveDashboard,
  shownTo,
  type StoredDashboard,
  visibleDashboards,
} from './stored-dashboards.ts';
import { layoutInput, normalizeLayout } from './layouts.ts';
import { saveSelection } from './selection.ts';
import { type Context, contexts, standardLayouts } from './standard-layouts.ts';
import { authenticate, type Caller, demand } from './users.ts';

const dashboardName = text
  .refine((value) => value.trim() !== '', 'must not be blank') // Not documented (A34): that a blank name is none
  .refine((value) => [...value].length <= 100, 'must have at most 100 characters');

/** The fields of a new dashboard. Not documented (A35): null is like absent; a layout that is null is the standard one. */
export const dashboardFields = z.object({
  name: dashboardName,
  // Not documented (A32): that no other context is accepted on POST.
  context: z
    .enum(['main', 'crm', 'cms'], 'must be main, crm or cms')
    .nullish()
    .transform((context) => context ?? 'main'),
  layout: layoutInput.nullish(),
  shared: bool.nullish().transform(Boolean),
  is_default: bool.nullish().transform(Boolean),
});

/** Not documented (A33): `context` and `shared`, which only POST takes, are ignored. */
const change = z.object({
  name: dashboardName.optional(),
  layout: layoutInput.nullish(),
  is_default: bool.nullish(),
});

const selectionInput = z.object({
  context: z.enum(contexts, 'is not a known context'),
  dashboard_id: z.union([z.int(), z.literal(['builtin', ''])], 'must be an id, builtin or empty'),
});

const filter = z.object({ context: z.enum(contexts, 'is not a known context').optional() }); // Not documented (A42): 422

/** Adds the routes of dashboards. They work also while the module `toolkit` is disabled. */
export function dashboards(router: Router, house: SandboxServices): void {
  const { store } = house;
  router
    .on('GET /toolkit/dashboards.json', (request) => {
      const caller = authenticate(house, request);
      const { context = null } = validate(filter, request.query);
      return json(visibleDashboards(store, caller, context).map((dashboard) => shownTo(caller, dashboard)));
    })
    .on('GET /toolkit/dashboards/:id.json', (request) => {
      const caller = authenticate(house, request);
      return json(shownTo(caller, visible(store, caller, request.params.id)));
    })
    .on('POST /toolkit/dashboards.json', (request) => {
      const caller = authenticate(house, request);
      return json(shownTo(caller, create(house, caller, request.body)), 201); // Not documented (A9): the status
    })
    .on('PATCH /toolkit/dashboards/:id.json', (request) => {
      const caller = authenticate(house, request);
      const dashboard = visible(store, caller, request.params.id);
      return json(shownTo(caller, update(house, caller, dashboard, request.body)));
    })
    .on('DELETE /toolkit/dashboards/:id.json', (request) => {
      const caller = authenticate(house, request);
      const dashboard = visible(store, caller, request.params.id);
      if (dashboard.shared) demand(caller, 'account_settings');
      deleteDashboard(store, dashboard.id); // Not documented (A37): one's own needs no permission
      return empty(); // Not documented (A9): the status
    })
    .on('PATCH /toolkit/dashboards/select.json', (request) => {
      const caller = authenticate(house, request);
      const { context, dashboard_id } = validate(selectionInput, request.body ?? {});
      if (typeof dashboard_id === 'number') assertSelectable(store, caller, context, dashboard_id);
      saveSelection(store, caller, context, dashboard_id);
      return json({ context, dashboard_id }); // Not documented (A40): the answer
    });
}

function create({ store, now }: SandboxServices, caller: Caller, body: unknown): StoredDashboard {
  demand(caller, 'dashboard_advanced');
  const { layout, ...given } = validateWrapped('dashboard', dashboardFields, body);
  if (given.shared) demand(caller, 'account_settings');
  if (given.is_default) assertDefaultIsShared(given.shared);

  const dashboard = insertDashboard(store, caller, {
    ...given,
    layout: normalizeLayout(store, caller.accountId, layout ?? standardLayouts[given.context]),
    updated_at: now().toISOString(),
  });
  saveSelection(store, caller, dashboard.context, dashboard.id);
  return dashboard;
}

function update(
  { store, now }: SandboxServices,
  caller: Caller,
  dashboard: StoredDashboard,
  body: unknown,
): StoredDashboard {
  demand(caller, 'dashboard_advanced');
  if (dashboard.shared) demand(caller, 'account_settings');
  const { layout, name, is_default } = validateWrapped('dashboard', change, body);
  if (is_default) assertDefaultIsShared(dashboard.shared);

  const changed = {
    ...dashboard,
    name: name ?? dashboard.name,
    is_default: is_default ?? dashboard.is_default,
    layout:
      layout === undefined
        ? dashboard.layout
        : normalizeLayout(store, caller.accountId, layout ?? standardLayouts[dashboard.context]),
    updated_at: now().toISOString(),
  };
  saveDashboard(store, caller, changed);
  return changed;
}

/** Not documented (A36): how a default that is no company dashboard is refused. */
function assertDefaultIsShared(shared: boolean): void {
  if (!shared) throw invalid({ is_default: ['is for company dashboards only'] });
}

/** Not documented (A38, A39): a dashboard that the caller does not see is 404, one of another context 422. */
function assertSelectable(store: Store, caller: Caller, context: Context, id: number): void {
  const dashboard = findDashboard(store, caller, id);
  if (!dashboard) throw notFound();
  if (dashboard.context !== context) throw invalid({ dashboard_id: ['is of another context'] });
}

/** Another user's own dashboard is 404. */
function visible(store: Store, caller: Caller, segment: string): StoredDashboard {
  const dashboard = findDashboard(store, caller, integerId(segment));
  if (!dashboard) throw notFound();
  return dashboard;
}
