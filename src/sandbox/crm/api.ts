import type { AnswerMode } from '../answers.ts';
import { jsonAnswers } from '../json-answers.ts';
import type { SandboxServices } from '../services.ts';
import { Router } from '../router.ts';
import { crmKinds } from './answers.ts';
import { accounts } from './accounts.ts';
import { clients } from './clients.ts';
import { contactLists } from './contact-lists.ts';
import { contacts } from './contacts.ts';
import { deals } from './deals.ts';
import { posts } from './posts.ts';

/** All endpoints of the CRM and helpdesk API, in the order of the document's table. */
export function crmApi(services: SandboxServices, answers: AnswerMode): Router {
  const router = new Router({ transform: jsonAnswers(answers, { kinds: crmKinds }) });
  clients(router, services);
  posts(router, services);
  deals(router, services);
  contacts(router, services);
  contactLists(router, services);
  accounts(router, services);
  return router;
}
