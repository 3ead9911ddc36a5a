import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { CPUS, freePort, startNode, untilReady } from '../driver/processes.ts';

/** The compiled gateway over an upstream in this process. */
export interface MeasuredGateway {
  readonly pid: number;
  readonly url: string;
  /** Sends an operation, and resolves with the text of its response. */
  readonly send: (
    query: string,
    init?: Pick<RequestInit, 'headers' | 'signal'>,
    variables?: unknown,
  ) => Promise<string>;
}

const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };

/** Starts it, gives it to the measurement, and ends it. */
export async function overUpstream<Result>(
  answer: RequestListener,
  env: Readonly<Record<string, string>>,
  measure: (gateway: MeasuredGateway) => Promise<Result>,
): Promise<Result> {
  const upstream = createServer(answer);
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const address = upstream.address();
  if (typeof address !== 'object' || address === null) throw new Error('The upstream has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const gateway = startNode(['dist/main.js'], {
    cpu: CPUS.target,
    env: { PORT: String(port), ACCOUNT_URL: origin, CRM_URL: origin, CRM_SHARES_TOKEN: 'true', ...env },
  });
  const send: MeasuredGateway['send'] = async (query, init = {}, variables = undefined) => {
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      body,
      ...init,
      headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) },
    });
    return response.text();
  };
  try {
    await untilReady(gateway, () => send('{ __typename }')); // the first operation compiles
    return await measure({ pid: gateway.pid, url, send });
  } finally {
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}
