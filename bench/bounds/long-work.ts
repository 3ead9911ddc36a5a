import assert from 'node:assert/strict';
import type { Bound } from './bound.ts';
import { overUpstream } from './gateway.ts';
import { LONG_OPERATIONS, type LongOperation } from './long-operations.ts';

/** The longest time in milliseconds that `/health` of the compiled gateway takes while the operation runs. */
async function longestWaitMs({ list, query, variables, size, ...expected }: LongOperation): Promise<number> {
  const text = list(size.measured);
  const answer: Parameters<typeof overUpstream>[0] = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };
  return overUpstream(answer, {}, async ({ url, send }) => {
    const result = send(query, {}, variables?.(size.measured));
    const ended = result.then(() => 'ended' as const);
    let longest = 0;
    for (let health: unknown; health !== 'ended';) {
      const begun = performance.now();
      health = await Promise.race([ended, fetch(`${url}/health`).then((response) => response.text())]);
      longest = Math.max(longest, performance.now() - begun);
    }
    const { data, errors = [] } = JSON.parse(await result);
    if (expected.data) assert.deepEqual(data, expected.data(size.measured));
    assert.equal(errors.length, expected.errors?.(size.measured).length ?? 0);
    return longest;
  });
}

export const longWork = LONG_OPERATIONS.map((work): Bound => ({
  name: `while ${work.name}, others wait`,
  limit: 200,
  unit: 'ms',
  measure: () => longestWaitMs(work),
}));
