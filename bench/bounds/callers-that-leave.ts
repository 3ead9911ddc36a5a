import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bound } from './bound.ts';
import { overUpstream } from './gateway.ts';

const CALLERS = 5;
const CONNECTIONS = 50;
const clients = Array.from({ length: 40 }, (_none, index) => `c${index}: client(id: ${index + 1}) { name }`).join(' ');

/** Each record is read by its id, in a call of its own, and no deadline ends a call. */
const SETTINGS = {
  BATCH_READS: 'by-id',
  SHARE_READS: 'false',
  UPSTREAM_TIMEOUT_MS: '600000',
  UPSTREAM_CONNECTIONS: String(CONNECTIONS),
  LOG_LEVEL: 'warn',
};

/** From the moment at which five callers leave, while the CRM hangs, to the end of the last of their reads. */
async function untilReadsEnd(accept: string, query: string): Promise<number> {
  const held = new Set<ServerResponse>();
  const hang = (_request: unknown, response: ServerResponse) => {
    held.add(response);
    response.once('close', () => held.delete(response));
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await delay(2);
  };
  return overUpstream(hang, SETTINGS, async ({ send }) => {
    const leaving = new AbortController();
    const responses = Array.from({ length: CALLERS }, (_none, caller) =>
      send(query, { headers: { accept, 'x-crm-token': `t${caller}` }, signal: leaving.signal }),
    );
    await until(() => held.size === CONNECTIONS); // all other reads wait for a connection
    await delay(500); // all callers are served: the reads of two are enough for that
    const left = performance.now();
    leaving.abort();
    await Promise.allSettled(responses);
    await until(() => held.size === 0);
    return performance.now() - left;
  });
}

export const callersThatLeave = [
  ['at once', 'application/json', `{ ${clients} }`],
  ['in a later part', 'multipart/mixed', `{ __typename ... @defer { ${clients} } }`],
].map(([how = '', accept = '', query = '']): Bound => ({
  name: `callers that leave take their reads with them: ${how}`,
  limit: 100,
  unit: 'ms',
  measure: () => untilReadsEnd(accept, query),
}));
