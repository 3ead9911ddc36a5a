import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { callAt, freshSandbox } from '../../support/sandbox.ts';

export const clients = 'GET /app/clients.json';

/** A sandbox with a user, who has the token of the demo's admin, and requests to its APIs and to itself. */
export async function controlled(options: SandboxOptions = {}) {
  const { sandbox, call } = await freshSandbox(options);
  if (options.demo !== true) {
    sandbox.store.createUser({ account: sandbox.store.createAccount().id, token: 'demo-admin' });
  }
  const crm = callAt(sandbox.urls.crm);
  return {
    sandbox,
    /** A request to the sandbox itself. */
    control: call,
    fault: (fault: object) => call('POST', '/sandbox/faults', { body: fault }),
    listClients: () => crm('GET', '/app/clients.json?api_token=demo-admin'),
    createClient: (name: string) =>
      crm('POST', '/app/clients.json', { body: { api_token: 'demo-admin', client: { name } } }),
  };
}

/** A request with these headers as they are: fetch sets Host and Origin by itself. */
export async function rawRequest(url: string, method: string, headers: Readonly<Record<string, string>>, body = '') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, setHost: headers['Host'] === undefined }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    sent.on('error', reject).end(body);
  });
}
