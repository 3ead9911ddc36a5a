import type { AnswerMode } from '../answers.ts';
import { jsonAnswers } from '../json-answers.ts';
import type { SandboxServices } from '../services.ts';
import { Router } from '../router.ts';
import { accountKinds } from './answers.ts';
import { apiTokens } from './api-tokens.ts';
import { dashboards } from './dashboards.ts';
import { setField } from './set-field.ts';
import { widgets } from './widgets.ts';

/** All endpoints of the account API, in the order of the document's tables. */
export function accountApi(services: SandboxServices, answers: AnswerMode): Router {
  const router = new Router({ transform: jsonAnswers(answers, { kinds: accountKinds }) });
  apiTokens(router, services);
  dashboards(router, services);
  widgets(router, services);
  setField(router, services);
  return router;
}
