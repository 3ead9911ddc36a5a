import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { stringifyLongNumbers } from '../../src/formats/long-numbers.ts';
import type { Permission } from '../../src/sandbox/account/users.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import type { Config } from '../../src/config.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

const created = z.looseObject({ id: z.int().transform(String) });
const createdToken = created.extend({ token: z.string() });

/** A gateway over a fresh sandbox, with functions that fill the sandbox directly. Their calls are not recorded. */
export async function accountGateway(settings: Partial<Config> = {}, options: SandboxOptions = {}) {
  const over = await gateway(settings, options);
  const { sandbox, call, account, admin } = over;

  const make = async (path: string, body: object, token: string) => {
    const answer = await call('POST', path, { token, body });
    if (answer.status !== 201) throw new Error(`The sandbox answered ${JSON.stringify(answer)}.`);
    sandbox.forgetCalls();
    return answer.body;
  };
  return {
    ...over,
    /** Another user of the same account. */
    user: (...permissions: Permission[]) => sandbox.store.createUser({ account, permissions }),
    makeToken: async (fields: object, token = admin.token) =>
      createdToken.parse(await make('/account/api_tokens.json', { api_token: fields }, token)),
    makeDashboard: async (fields: object = {}, token = admin.token) =>
      created.parse(await make('/toolkit/dashboards.json', { dashboard: { name: 'Board', ...fields } }, token)),
    /** The request bodies that upstream received, in order of arrival. */
    bodies: () => sandbox.requests.map(({ body }) => body),
  };
}

/**
 * A gateway over an upstream with these responses by `METHOD /path?query`; it answers 404 to other requests. `sent`
 * holds the request bodies that it received.
 */
export async function gatewayOverAnswers(answers: Readonly<Record<string, unknown>>, settings: Partial<Config> = {}) {
  const sent: string[] = [];
  const stub = await stubUpstream((request, response) => {
    const answer = answers[`${request.method} ${request.url}`];
    const reply = says(stringifyLongNumbers(answer ?? { error: 'not_found' }), {
      status: answer === undefined ? 404 : 200,
    });
    text(request).then(
      (body) => {
        sent.push(body);
        reply(request, response);
      },
      () => response.destroy(),
    );
  });
  const over = await gatewayOver(stub.url, settings, 'secret');
  return { ...over, received: stub.received, sent };
}
