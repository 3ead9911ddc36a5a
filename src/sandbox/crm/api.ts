import type { House } from '../house.ts';
import { Router } from '../router.ts';
import { accounts } from './accounts.ts';
import { clients } from './clients.ts';
import { contactLists } from './contact-lists.ts';
import { contacts } from './contacts.ts';
import { deals } from './deals.ts';
import { posts } from './posts.ts';

/** All endpoints of the CRM and helpdesk API, in the order of the document's table. */
export function crmApi(house: House): Router {
  const router = new Router();
  clients(router, house);
  posts(router, house);
  deals(router, house);
  contacts(router, house);
  contactLists(router, house);
  accounts(router, house);
  return router;
}
