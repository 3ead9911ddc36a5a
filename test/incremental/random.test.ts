import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import { gateway } from '../support/gateway.ts';
import { ask, type Increment, next, type Part, partsOf, rest, withIncrement } from '../support/parts.ts';
import { randomQuery } from './random-query.ts';

const QUERIES = 40;

const headers = { authorization: 'Bearer demo-admin', 'x-forum-authorization': demoForumAuthorization };

/** The parts of a page, which deferred fragments may read. */
const OF_PAGE = /\.(?:edges|nodes|pageInfo)(?:\.\w+)? /;

/** Where there are errors, and which: a field that is selected twice may fail twice. */
function failures(parts: readonly (Part | Increment)[]): string[] {
  const errors = parts.flatMap((part) => part.errors ?? []);
  const places = errors.map(({ path, extensions }) => `${path?.join('.')} ${String(extensions['code'])}`);
  return [...new Set(places.map((place) => place.replace(OF_PAGE, ' ')))].sort();
}

/** A page of which deferred fragments alone select rows is read with them (decision 8): its failure is theirs. */
function withoutUnreadPages(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnreadPages);
  if (typeof value !== 'object' || value === null) return value;
  const rows = ['edges', 'nodes'].filter((part) => part in value).map((part): unknown => Reflect.get(value, part));
  if (rows.length > 0 && rows.every((part) => part === null)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutUnreadPages(member)]));
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
    const data = withoutUnreadPages(later.reduce(withIncrement, first.data));
    expect({ query, data, failures: failures([first, ...later]) }).toEqual({
      query,
      data: withoutUnreadPages(whole.data),
      failures: failures([whole]),
    });
  }
  expect(increments).toBeGreaterThan(QUERIES);
});
