import { expect, test } from 'vitest';
import { schema } from '../../src/schema/schema.ts';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import { gateway } from '../support/gateway.ts';
import { ask, type Increment, next, type Part, partsOf, rest, withIncrement } from '../support/parts.ts';
import { randomQuery } from './random-query.ts';

const QUERIES = 40;

const headers = { authorization: 'Bearer demo-admin', 'x-forum-authorization': demoForumAuthorization };

/** Where there are errors, and which: a field that is selected twice may fail twice. */
function failures(parts: readonly (Part | Increment)[]): string[] {
  const errors = parts.flatMap((part) => part.errors ?? []);
  return [...new Set(errors.map(({ path, extensions }) => `${path?.join('.')} ${String(extensions['code'])}`))].sort();
}

test(`${QUERIES} random queries bring in parts what they bring as a whole`, async () => {
  const { url } = await gateway({ MAX_PAGE_SIZE: 10_000, MAX_DEPTH: 20 }, { demo: true });
  let increments = 0;
  for (let seed = 1; seed <= QUERIES; seed += 1) {
    const query = randomQuery(schema, seed);
    const whole: Part = await (await ask(url, query, { headers: { ...headers, accept: 'application/json' } })).json();
    const parts = partsOf(await ask(url, query, { headers: { ...headers, accept: 'multipart/mixed' } }));
    const first = await next(parts);
    const later = await rest(parts);
    increments += later.length;
    const data = later.reduce(withIncrement, first.data);
    expect({ query, data, failures: failures([first, ...later]) }).toEqual({
      query,
      data: whole.data,
      failures: failures([whole]),
    });
  }
  expect(increments).toBeGreaterThan(QUERIES);
});
