import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { print, printError } from './output.ts';
import { UsageError } from './usage-error.ts';

/** The longest time for an answer of `/ready`, in milliseconds. It never waits with the requests of callers. */
const TIMEOUT_MS = 2_000;

/**
 * `trivium health`: asks the gateway that runs on this machine with the same settings.
 *
 * @returns the exit code, 0 when it takes requests
 * @throws UsageError when the settings do not tell its port
 */
export async function health({ PORT, HOST }: Config): Promise<number> {
  if (PORT === 0) throw new UsageError('health asks at PORT, and 0 is none: set it to the port of the gateway.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const request = get({ host: callable(HOST), port: PORT, path: '/ready', signal });
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (!response) return 1;
    print(`${await text(response)}\n`);
    return response.statusCode === 200 ? 0 : 1;
  } catch {
    return printError('The gateway does not answer.', 1);
  }
}

/** The address to call for one to listen on, which may stand for all of this machine. */
function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
