import { expect, test, vi } from 'vitest';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import { ResponseCache } from '../../src/calls/cache/response-cache.ts';
import { schema } from '../../src/apis/schema.ts';
import { randomQuery } from '../incremental/random-query.ts';
import { sharedDemo } from '../support/demo.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// What is kept is used by many operations at once: none may change it.

const KEEPING = {
  ACCOUNT_CACHE_TTL_MS: 60_000,
  FLEX_CACHE_TTL_MS: 60_000,
  CRM_CACHE_TTL_MS: 60_000,
  FORUM_CACHE_TTL_MS: 60_000,
};
const headers = { 'x-forum-authorization': demoForumAuthorization };
const QUERIES = 4;

const demoGateway = sharedDemo();

test('no operation changes an answer that is kept', async () => {
  const { execute } = await demoGateway({ ...KEEPING, MAX_PAGE_SIZE: 10_000, MAX_DEPTH: 20 });
  const use = ResponseCache.prototype.use;
  const seen = new Set<unknown>();
  vi.spyOn(ResponseCache.prototype, 'use').mockImplementation(function (this: ResponseCache<unknown>, found) {
    freeze(found.parsed.body, seen);
    use.call(this, found);
  });
  for (let seed = 1; seed <= QUERIES; seed += 1) {
    const query = randomQuery(schema, seed);
    const [first, second] = [await execute(query, { headers }), await execute(query, { headers })];
    expect({ query, ...second, headers: undefined }).toEqual({ query, ...first, headers: undefined });
  }
  expect(seen.size).toBeGreaterThan(500);
});

/** Makes each change of a value, or of one in it, throw. */
function freeze(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const part of Object.values(value)) freeze(part, seen);
  Object.freeze(value);
}

test('rows that cannot be read are the same problem in each operation', async () => {
  const upstream = await stubUpstream(says('[{"id":1},{}]'));
  const { execute } = await gatewayOver(upstream.url, { ...KEEPING, CRM_URL: new URL(upstream.url) }, 'token');
  const messages = async () =>
    (await execute('{ clients { nodes { upstreamId } } }')).errors.map(({ message }) => message);
  const first = await messages();
  expect(first).toHaveLength(1);
  expect(await messages()).toEqual(first);
  expect(await messages()).toEqual(first);
  expect(upstream.received).toHaveLength(1);
});
