import { z } from 'zod';
import type { Store } from '../store.ts';
import { findCompanyDefault, findDashboard, type StoredDashboard } from './stored-dashboards.ts';
import type { Context } from './standard-layouts.ts';
import type { Caller } from './users.ts';

type Viewer = Pick<Caller, 'accountId' | 'userId'>;

const row = z.object({ dashboard_id: z.int().nullable() });

/** Saves a user's selection in a context: the id of a dashboard, `builtin`, or `''` for the company default. */
export function saveSelection(
  store: Store,
  { userId }: Viewer,
  context: Context,
  choice: number | 'builtin' | '',
): void {
  if (choice === '') {
    store.run('DELETE FROM selections WHERE user_id = :userId AND context = :context', { userId, context });
    return;
  }
  store.run(
    'INSERT OR REPLACE INTO selections (user_id, context, dashboard_id) VALUES (:userId, :context, :dashboardId)',
    { userId, context, dashboardId: choice === 'builtin' ? null : choice },
  );
}

/** The dashboard that is displayed to a user: the selected one, or the company default. Null means the built-in layout. */
export function displayedDashboard(store: Store, viewer: Viewer, context: Context): StoredDashboard | null {
  const selection = store.find(
    row,
    'SELECT dashboard_id FROM selections WHERE user_id = :userId AND context = :context',
    { userId: viewer.userId, context },
  );
  return selection ? findDashboard(store, viewer, selection.dashboard_id) : findCompanyDefault(store, viewer, context);
}
