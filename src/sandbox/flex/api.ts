import type { SandboxServices } from '../services.ts';
import { Router } from '../router.ts';
import { databases } from './databases.ts';
import { publicMethods } from './public-methods.ts';
import { records } from './records.ts';
import { replace } from './replace.ts';
import { search } from './search.ts';

/** All endpoints of the flexible database service, in the order of the document's tables. */
export function flexApi(services: SandboxServices): Router {
  const router = new Router();
  databases(router, services);
  replace(router, services);
  records(router, services);
  search(router, services);
  publicMethods(router, services);
  return router;
}
