import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { running } from '../cli/trivium.ts';
import { clientOf, saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Many callers leave at once, while the CRM hangs: their reads end, none starts any more, and the next caller is served.

const CALLERS = 5;
const CONNECTIONS = 50;

/** Each record is read by its id, in a call of its own, and no deadline ends a call. */
const SETTINGS = { BATCH_READS: 'by-id', SHARE_READS: 'false', UPSTREAM_TIMEOUT_MS: '600000', LOG_LEVEL: 'warn' };

const clients = Array.from({ length: 40 }, (_none, index) => `c${index}: client(id: ${index + 1}) { name }`).join(' ');

/** Two ways to ask for 40 records by id: at once, and in the later part of a response. */
const queries = [
  ['application/json', `{ ${clients} }`],
  ['multipart/mixed', `{ __typename ... @defer { ${clients} } }`],
] as const;

/** A CRM whose reads hang until `recover`. */
async function hangingCrm() {
  const held = new Set<ServerResponse>();
  let hangs = true;
  const upstream = await stubUpstream((request, response) => {
    if (!hangs) return saysJson(clientOf(1))(request, response);
    held.add(response);
    response.once('close', () => held.delete(response));
  });
  return { ...upstream, held, recover: () => (hangs = false) };
}

test.each(queries)(
  'callers that leave take their reads with them, and none starts afterwards: %s',
  async (accept, query) => {
    const crm = await hangingCrm();
    const { banner } = await running(['serve'], /http\S+\/metrics[^]*http\S+\/graphql/, {
      env: { ...SETTINGS, PORT: '0', METRICS_PORT: '0', CRM_URL: crm.url, UPSTREAM_CONNECTIONS: String(CONNECTIONS) },
    });
    const endpoint = /http\S+\/graphql/.exec(banner)?.[0] ?? '';
    const metrics = /http\S+\/metrics/.exec(banner)?.[0] ?? '';
    const inFlight = async () =>
      Number(/^trivium_operations_in_flight (\d+)$/m.exec(await (await fetch(metrics)).text())?.[1]);
    const ask = async (token: string, asked: string, signal: AbortSignal | null = null) => {
      const headers = { 'content-type': 'application/json', accept, 'x-crm-token': token };
      const body = JSON.stringify({ query: asked });
      return (await fetch(endpoint, { method: 'POST', headers, body, signal })).text();
    };

    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const answers = Array.from({ length: CALLERS }, (_none, caller) => ask(`t${caller}`, query, leaving.signal));
    await expect.poll(() => crm.held.size).toBe(CONNECTIONS); // all other reads wait for a connection
    await expect.poll(inFlight).toBe(CALLERS); // the reads of two are enough for that
    leaving.abort();
    await Promise.allSettled(answers);
    await expect.poll(inFlight).toBe(0);
    // A caller whose leaving is noticed last may have been given the connections of the others for a moment.
    await expect.poll(() => crm.held.size).toBe(0);

    const reads = crm.received.length;
    crm.recover();
    expect(await ask('t', '{ client(id: 1) { name } }')).toContain('Client 1');
    expect(crm.received.slice(reads)).toEqual([expect.stringMatching(/^GET \/app\/clients\/1\.json/)]);
  },
);
