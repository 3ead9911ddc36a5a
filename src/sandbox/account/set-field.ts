import { z } from 'zod';
import { validate } from '../body.ts';
import type { SandboxServices } from '../services.ts';
import { json } from '../responses.ts';
import type { Router } from '../router.ts';
import { enabledModules, moduleNames, setModule } from './accounts.ts';
import { authenticate, demand } from './users.ts';

/** Not documented (A59, A60): any other key, `remove`, and how a refusal looks. */
const change = z.object({
  key: z.literal('account.settings.modules', 'is not a known setting'),
  action_type: z.enum(['add', 'remove'], 'must be add or remove'),
  value: z.enum(moduleNames, 'is not a known module'),
});

/** Adds the route that changes the account's modules. Its parameters are in the query; the body is ignored. */
export function setField(router: Router, house: SandboxServices): void {
  router.on('POST /account/set_field.json', (request) => {
    const caller = authenticate(house, request);
    demand(caller, 'account_settings'); // Not documented (A58): who may
    const { key, action_type, value } = validate(change, request.query);
    setModule(house.store, caller.accountId, value, action_type === 'add');
    return json({ key, value: [...enabledModules(house.store, caller.accountId)] }); // Not documented (A61): the answer
  });
}
