import type { AnswerMode } from '../answers.ts';
import { jsonAnswers } from '../json-answers.ts';
import type { SandboxServices } from '../services.ts';
import { Router } from '../router.ts';
import { flexKinds, isFlexWrite } from './answers.ts';
import { databases } from './databases.ts';
import { publicMethods } from './public-methods.ts';
import { records } from './records.ts';
import { replace } from './replace.ts';
import { search } from './search.ts';

/** All endpoints of the flexible database service, in the order of the document's tables. */
export function flexApi(services: SandboxServices, answers: AnswerMode): Router {
  const router = new Router({ transform: jsonAnswers(answers, { kinds: flexKinds, isWrite: isFlexWrite }) });
  databases(router, services);
  replace(router, services);
  records(router, services);
  search(router, services);
  publicMethods(router, services);
  return router;
}
