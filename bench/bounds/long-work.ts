import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { LONG_OPERATIONS, type LongOperation } from './long-operations.ts';
import { CPUS, freePort, startNode, untilReady } from '../driver/processes.ts';
import type { Bound } from './bound.ts';

const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };

/** The longest time in milliseconds that `/health` of the compiled gateway takes while the operation runs. */
async function longestWaitMs({
  list,
  query,
  variables,
  size,
  data,
  errors = () => [],
}: LongOperation): Promise<number> {
  const text = list(size.measured);
  const upstream = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const address = upstream.address();
  if (typeof address !== 'object' || address === null) throw new Error('The upstream has no port.');
  const port = await freePort();
  const origin = `http://127.0.0.1:${address.port}`;
  const gateway = startNode(['dist/main.js'], {
    cpu: CPUS.target,
    env: { PORT: String(port), ACCOUNT_URL: origin, CRM_URL: origin },
  });
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  const execute = async (operation: object) => {
    const response = await fetch(at('/graphql'), { method: 'POST', headers, body: JSON.stringify(operation) });
    return response.json();
  };
  try {
    await untilReady(gateway, () => execute({ query: '{ __typename }' })); // the first operation compiles
    const result = execute({ query, variables: variables?.(size.measured) });
    const ended = result.then(() => 'ended' as const);
    let longest = 0;
    for (let health: unknown; health !== 'ended';) {
      const begun = performance.now();
      health = await Promise.race([ended, fetch(at('/health')).then((response) => response.text())]);
      longest = Math.max(longest, performance.now() - begun);
    }
    const answer = await result;
    if (data) assert.deepEqual(answer.data, data(size.measured));
    assert.equal(answer.errors?.length ?? 0, errors(size.measured).length);
    return longest;
  } finally {
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}

export const longWork = LONG_OPERATIONS.map((work): Bound => ({
  name: `while ${work.name}, others wait`,
  limit: 200,
  unit: 'ms',
  measure: () => longestWaitMs(work),
}));
