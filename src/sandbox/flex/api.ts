import type { House } from '../house.ts';
import { Router } from '../router.ts';
import { databases } from './databases.ts';
import { publicMethods } from './public-methods.ts';
import { records } from './records.ts';
import { replace } from './replace.ts';
import { search } from './search.ts';

/** All endpoints of the flexible database service, in the order of the document's tables. */
export function flexApi(house: House): Router {
  const router = new Router();
  databases(router, house);
  replace(router, house);
  records(router, house);
  search(router, house);
  publicMethods(router, house);
  return router;
}
