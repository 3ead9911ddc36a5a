import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { errorCode } from '../system.ts';
import { print, printError } from './output.ts';
import { UsageError } from './usage.ts';

/** The longest time for an answer of `/ready`, in milliseconds. It never waits with the requests of callers. */
const TIMEOUT_MS = 2_000;

/**
 * `trivium health`: asks the gateway that runs on this machine with the same settings.
 *
 * @returns the exit code, 0 when it takes requests
 * @throws UsageError when the settings do not tell its port
 */
export async function health(config: Config): Promise<number> {
  const { PORT, HOST, TLS_CA } = config;
  if (PORT === 0) throw new UsageError('health asks at PORT, and 0 is none: set it to the port of the gateway.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const request = await get({ host: callable(HOST), port: PORT, path: '/ready', signal }, config);
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (!response) return 1;
    print(`${await text(response)}\n`);
    return response.statusCode === 200 ? 0 : 1;
  } catch (error) {
    const isReached = !signal.aborted && errorCode(error) !== 'ECONNREFUSED';
    return printError(TLS_CA !== '' && isReached ? REFUSED : 'The gateway does not answer.', 1);
  }
}

const REFUSED =
  'The gateway does not take TLS_CERT as a client certificate, which TLS_CA demands: probe its port by TCP, see docs/tls.md.';

async function get(options: RequestOptions, { TLS_CERT, TLS_KEY, TLS_CA }: Config): Promise<ClientRequest> {
  if (TLS_CERT === '') return http.get(options);
  const https = await import('node:https');
  return https.get({
    ...options,
    // Its certificate is for the name that callers use, not for this address. Nothing secret is sent.
    rejectUnauthorized: false,
    ...(TLS_CA !== '' && { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }),
  });
}

/** The address to call for one to listen on, which may stand for all of this machine. */
function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
