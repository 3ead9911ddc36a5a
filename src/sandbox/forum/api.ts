import type { AnswerMode } from '../answers.ts';
import type { SandboxServices } from '../services.ts';
import { Router } from '../router.ts';
import { forumAnswers } from './answers.ts';
import { authenticate } from './authentication.ts';
import { xmlBodyFormat } from './bodies.ts';
import { categories } from './categories.ts';
import { posts } from './posts.ts';
import { userCreation, users } from './users.ts';

/**
 * All endpoints of the XML forum, in the order of the document's table. Not documented (A169): 401 comes before all
 * other refusals.
 */
export function forumApi(services: SandboxServices, answers: AnswerMode): Router {
  const router = new Router({
    bodyFormat: xmlBodyFormat,
    transform: forumAnswers(answers),
    authenticate: (request) => void authenticate(services, request),
  });
  users(router, services);
  categories(router, services);
  posts(router, services);
  userCreation(router, services);
  return router;
}
