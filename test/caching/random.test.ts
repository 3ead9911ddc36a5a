import { afterAll, beforeAll, expect, test } from 'vitest';
import { byApi } from '../../src/config/apis.ts';
import { type Tables, tables } from '../../src/apis/response-caches.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { Staleness } from '../../src/calls/cache/staleness.ts';
import { type Difference, runSequence, type SequenceOptions } from './sequence.ts';
import { writes } from './writes.ts';

// The tables of what each write makes stale, held against the sandbox. CACHE_SEEDS=400 tries more sequences;
// CACHE_ROWS=40 empties each row in turn, and sees that one of so many sequences finds it.

const SEEDS = Number(process.env['CACHE_SEEDS'] ?? 4);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ origins: 'own', demo: false });
});
afterAll(() => sandbox.close());

/** Sequences of each kind, and how many answers are used again in each at least. */
const KINDS: readonly (readonly [name: string, options: SequenceOptions, hits: number])[] = [
  ['for its time', { keeping: 'times' }, 20],
  ['while upstream says that it holds, also with writes past the gateway', { keeping: 'validators' }, 20],
  ['for the pages that follow', { keeping: 'pages' }, 2],
  ['while upstream says that it holds, by two gateways', { keeping: 'validators', gateways: 2 }, 10],
  ['for the pages that follow, by two gateways', { keeping: 'pages', gateways: 2 }, 1],
];

test.each(KINDS)(
  `after each write of ${SEEDS} random sequences all callers read what is there, where it is kept %s`,
  async (_name, options, least) => {
    let hits = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const findings = await runSequence(sandbox, seed, options);
      expect({ seed, difference: findings.difference }).toEqual({ seed, difference: undefined });
      hits += findings.hits;
    }
    expect(hits).toBeGreaterThan(SEEDS * least);
  },
  SEEDS * 10_000,
);

/** The writes that change nothing that the sandbox shows to callers who have read before. */
const UNSEEN = [
  'POST /account/api_tokens.json',
  'POST /app/account.json',
  'POST /app/contacts.json',
  'POST /app/contact_lists.json',
];

const ROW_SEEDS = Number(process.env['CACHE_ROWS'] ?? 0);

test.each(ROW_SEEDS > 0 ? Object.keys(writes) : [])(
  'the row of %s is needed',
  async (endpoint) => {
    const broken = withoutRow(endpoint);
    let difference: Difference | undefined;
    for (let seed = 1; seed <= ROW_SEEDS && !difference; seed += 1) {
      ({ difference } = await runSequence(sandbox, seed, { tables: broken }));
    }
    expect(difference === undefined).toBe(UNSEEN.includes(endpoint));
  },
  ROW_SEEDS * 10_000,
);

/** The tables with a row that says that its write changes nothing. */
function withoutRow(endpoint: string): Tables {
  const broken = ({ reads, writes: rows }: Staleness) => ({
    reads,
    writes: Object.hasOwn(rows, endpoint) ? { ...rows, [endpoint]: [] } : rows,
  });
  return byApi((name) => broken(tables[name]));
}
