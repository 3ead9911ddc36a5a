import { z } from 'zod';
import { booleanColumn, jsonColumn, type Store } from '../store.ts';
import { layoutSchema } from './layouts.ts';
import { type Context, contexts } from './standard-layouts.ts';
import type { Caller } from './users.ts';

const row = z.object({
  id: z.int(),
  name: z.string(),
  context: z.enum(contexts),
  layout: jsonColumn(layoutSchema),
  shared: booleanColumn,
  is_default: booleanColumn,
  updated_at: z.string(),
});

/** A row of the table `dashboards`. */
export type StoredDashboard = z.infer<typeof row>;

/** The user that reads dashboards. Company dashboards are visible to the whole account, other ones to their author. */
type Viewer = Pick<Caller, 'accountId' | 'userId'>;

const visibleSql = 'account_id = :accountId AND (shared OR user_id = :userId)';

/** The dashboards that are visible to a user, of one context, or of all when it is null. */
export function visibleDashboards(
  store: Store,
  { accountId, userId }: Viewer,
  context: Context | null,
): StoredDashboard[] {
  return store.all(
    row,
    `SELECT * FROM dashboards WHERE ${visibleSql} AND context = coalesce(:context, context) ORDER BY id`,
    { accountId, userId, context },
  );
}

export function findDashboard(store: Store, { accountId, userId }: Viewer, id: number | null): StoredDashboard | null {
  return store.find(row, `SELECT * FROM dashboards WHERE ${visibleSql} AND id = :id`, { accountId, userId, id });
}

/** The company dashboard that is the context's default. */
export function findCompanyDefault(store: Store, { accountId }: Viewer, context: Context): StoredDashboard | null {
  return store.find(
    row,
    'SELECT * FROM dashboards WHERE account_id = :accountId AND context = :context AND is_default',
    { accountId, context },
  );
}

/** Inserts a dashboard of this author, with the next id unless one is given. */
export function insertDashboard(
  store: Store,
  { accountId, userId }: Viewer,
  { id: given = null, ...dashboard }: Omit<StoredDashboard, 'id'> & { readonly id?: number | null },
): StoredDashboard {
  if (dashboard.is_default) clearDefault(store, accountId, dashboard.context);
  const id = store.insert(
    `INSERT INTO dashboards (id, account_id, user_id, name, context, layout, shared, is_default, updated_at)
     VALUES (:id, :accountId, :userId, :name, :context, :layout, :shared, :is_default, :updated_at)`,
    {
      id: given,
      accountId,
      userId,
      context: dashboard.context,
      shared: Number(dashboard.shared),
      ...updatableColumns(dashboard),
    },
  );
  return { id, ...dashboard };
}

export function saveDashboard(store: Store, { accountId }: Viewer, dashboard: StoredDashboard): void {
  if (dashboard.is_default) clearDefault(store, accountId, dashboard.context);
  store.run(
    `UPDATE dashboards SET name = :name, layout = :layout, is_default = :is_default, updated_at = :updated_at
     WHERE id = :id`,
    { id: dashboard.id, ...updatableColumns(dashboard) },
  );
}

/** Deletes a dashboard, together with the users' selections of it. */
export function deleteDashboard(store: Store, id: number): void {
  store.run('DELETE FROM dashboards WHERE id = :id', { id });
}

/** At most one dashboard per context is the default. */
function clearDefault(store: Store, accountId: number, context: Context): void {
  store.run(
    'UPDATE dashboards SET is_default = 0 WHERE account_id = :accountId AND context = :context AND is_default',
    {
      accountId,
      context,
    },
  );
}

function updatableColumns({ name, layout, is_default, updated_at }: Omit<StoredDashboard, 'id'>) {
  return { name, layout: JSON.stringify(layout), is_default: Number(is_default), updated_at };
}

/** The body of a response with one dashboard. */
export function shownTo({ permissions }: Caller, dashboard: StoredDashboard) {
  const { id, name, context, layout, shared, is_default, updated_at } = dashboard;
  const editable = permissions.has('dashboard_advanced') && (!shared || permissions.has('account_settings'));
  return { id, name, context, layout, shared, is_default, editable, updated_at };
}
