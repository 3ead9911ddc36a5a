import { expect } from 'vitest';
import { z } from 'zod';
import { type Module, moduleNames } from '../../../src/sandbox/account/accounts.ts';
import { type Permission, permissionNames } from '../../../src/sandbox/account/users.ts';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { freshSandbox } from '../../support/sandbox.ts';

const createdToken = z.looseObject({ id: z.int(), token: z.string() });
const dashboard = z.looseObject({
  id: z.int(),
  layout: z.array(z.object({ id: z.string(), key: z.string(), size: z.string(), config: z.unknown() })),
  is_default: z.boolean(),
  updated_at: z.string(),
});
const displayed = z.object({
  current_id: z.int().nullable(),
  layout: dashboard.shape.layout,
  dashboards: z.array(dashboard),
});

/** 422 with a message for each of these fields, and no other. */
export function refusal(...fields: string[]) {
  return { status: 422, body: { errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])) } };
}

/** The ids of a list that an endpoint answered. */
export const ids = (body: unknown) =>
  z
    .array(z.looseObject({ id: z.int() }))
    .parse(body)
    .map(({ id }) => id);

/** An account with all modules (unless told otherwise) and an admin, who holds every permission. */
export async function accountSandbox(options: SandboxOptions & { modules?: readonly Module[] } = {}) {
  const { sandbox, call } = await freshSandbox(options);
  const account = sandbox.store.createAccount({ modules: options.modules ?? moduleNames }).id;
  const user = (...held: Permission[]) => sandbox.store.createUser({ account, permissions: held });
  const admin = user(...permissionNames);

  return {
    sandbox,
    call,
    account,
    user,
    admin,
    /** A request of the admin. */
    as: (method: string, path: string, body?: unknown) => call(method, path, { token: admin.token, body }),
    /** A user of another account, with every permission. */
    stranger: () =>
      sandbox.store.createUser({ account: sandbox.store.createAccount().id, permissions: permissionNames }),
    /** A token that was made over the API. */
    makeToken: async (fields: object, token = admin.token) => {
      const { body } = await call('POST', '/account/api_tokens.json', { token, body: { api_token: fields } });
      return createdToken.parse(body);
    },
    postDashboard: (fields: object) =>
      call('POST', '/toolkit/dashboards.json', { token: admin.token, body: { dashboard: { name: 'N', ...fields } } }),
    /** A dashboard that was made over the API. */
    makeDashboard: async (fields: object = {}, token = admin.token) => {
      const { body } = await call('POST', '/toolkit/dashboards.json', {
        token,
        body: { dashboard: { name: 'Mine', ...fields } },
      });
      return dashboard.parse(body);
    },
    /** What the user of this token is shown at a place. */
    shown: async (context: string, token = admin.token) => {
      const { body } = await call('GET', `/toolkit/dashboards/widgets.json?context=${context}`, { token });
      return displayed.parse(body);
    },
    select: (context: string, dashboard_id: unknown, token = admin.token) =>
      call('PATCH', '/toolkit/dashboards/select.json', { token, body: { context, dashboard_id } }),
  };
}
