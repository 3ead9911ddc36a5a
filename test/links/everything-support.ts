import { request } from 'undici';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import type { Config } from '../../src/config.ts';
import { asking, gatewayOver, type Operation, settingsFor } from '../support/gateway.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { freshSandbox } from '../support/sandbox.ts';

/** The credentials of the demo data. The CRM has another token than the account. */
export const credentials = { 'x-crm-token': 'demo-editor', 'x-forum-authorization': demoForumAuthorization };

/** A sandbox with demo data, each API on an origin of its own. */
export async function demoSandbox(): Promise<Sandbox> {
  return (await freshSandbox({ demo: true, origins: 'own' })).sandbox;
}

/** A gateway over the demo sandbox, with the credentials of the demo data. */
export async function demoGateway(settings: Partial<Config> = {}, given?: Sandbox) {
  const sandbox = given ?? (await demoSandbox());
  const over = await gatewayOver(sandbox.urls.account, { ...settingsFor(sandbox), ...settings }, 'demo-admin');
  const execute = async (query: string, operation: Operation = {}) =>
    over.execute(query, { headers: credentials, ...operation });
  return { ...over, execute, ask: asking(execute), sandbox };
}

/** A proxy before an upstream that records all requests. */
export async function recordingProxy(target: string) {
  const proxy = await recordingUpstream((incoming, response) => {
    const { 'transfer-encoding': _chunked, connection: _hop, host: _host, ...headers } = incoming.headers;
    const body = proxy.requests.at(-1)?.body ?? '';
    const method = incoming.method === 'POST' ? 'POST' : 'GET';
    request(`${target}${incoming.url}`, { method, headers, body: body === '' ? null : body }).then(
      async (answer) => {
        response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type'] ?? '') });
        response.end(Buffer.from(await answer.body.arrayBuffer()));
      },
      () => response.destroy(),
    );
  });
  return proxy;
}
