import type { House } from '../house.ts';
import { Router } from '../router.ts';
import { apiTokens } from './api-tokens.ts';
import { dashboards } from './dashboards.ts';
import { setField } from './set-field.ts';
import { widgets } from './widgets.ts';

/** All endpoints of the account API, in the order of the document's tables. */
export function accountApi(house: House): Router {
  const router = new Router();
  apiTokens(router, house);
  dashboards(router, house);
  widgets(router, house);
  setField(router, house);
  return router;
}
