import { ResponseCaches, type Tables, tables } from '../../src/response-cache/response-caches.ts';
import type { Caller, Context } from '../../src/operation/context.ts';
import { GatewayError } from '../../src/http/errors.ts';
import { Rows } from '../../src/http/rows.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { dice } from '../support/dice.ts';
import { testConfig } from '../support/gateway.ts';
import { reads } from './reads.ts';
import { createWorld, sourcesOver } from './world.ts';
import { FIRST_WRITES, writes } from './writes.ts';

const STEPS = 12;

/** Reads that are repeated after every write. */
const WATCHED = 12;

/** The APIs of a sequence: few of them, so that its writes and reads meet, and all. */
const THEMES: readonly (readonly (keyof Tables)[])[] = [
  ['account'],
  ['flex'],
  ['crm', 'forum'],
  ['account', 'flex', 'crm', 'forum'],
];

const KEEPING = {
  ACCOUNT_CACHE_TTL_MS: 60_000,
  FLEX_CACHE_TTL_MS: 60_000,
  CRM_CACHE_TTL_MS: 60_000,
  FORUM_CACHE_TTL_MS: 60_000,
};

export interface Difference {
  /** The writes so far. */
  readonly writes: readonly string[];
  readonly read: string;
  readonly cached: string;
  readonly fresh: string;
}

/** A read that is repeated by the same caller. */
interface WatchedRead {
  readonly endpoint: string;
  readonly caller: Caller['headers'];
  readonly run: (context: Context) => Promise<unknown>;
}

/** What a sequence has found. */
export interface Findings {
  /** The first read that was not the same through the cache. */
  readonly difference: Difference | undefined;
  readonly hits: number;
  readonly tried: ReadonlySet<string>;
}

/**
 * Runs random writes by several callers through a gateway with the cache, and compares what each of them reads through it
 * with what it reads without it.
 *
 * @param used the tables of the cache
 */
export async function runSequence(sandbox: Sandbox, seed: number, used = tables): Promise<Findings> {
  const { roll, pick } = dice(seed);
  const theme = THEMES[seed % THEMES.length] ?? [];
  const steps = theme.flatMap((api) => Object.keys(tables[api].writes));
  const endpoints = theme.flatMap((api) => Object.keys(tables[api].reads)).filter((endpoint) => endpoint in reads);
  const world = createWorld(sandbox, `${seed}-${sandbox.requests.length}-${process.hrtime.bigint()}`, { roll, pick });
  const answers = new ResponseCaches(testConfig(KEEPING), { tables: used });
  const cached = sourcesOver(sandbox, KEEPING, answers);
  const fresh = sourcesOver(sandbox, {});
  const tried: string[] = [];
  const anyCaller = () => world.callers[roll(world.callers.length)];
  const write = async (endpoint: string) => {
    const caller = roll(2) === 0 ? world.callers[0] : anyCaller(); // the first one may do everything
    tried.push(endpoint);
    await outcome(writes[endpoint]?.(cached.write(caller ?? {}), world));
  };
  const compare = async ({ endpoint, caller, run }: WatchedRead): Promise<Difference | undefined> => {
    const [byCache, without] = await Promise.all([outcome(run(cached.read(caller))), outcome(run(fresh.read(caller)))]);
    return byCache === without ? undefined : { writes: tried, read: endpoint, cached: byCache, fresh: without };
  };
  try {
    const first = FIRST_WRITES.filter((endpoint) => steps.includes(endpoint));
    for (const endpoint of [...first, ...first]) await write(endpoint);
    const watched = Array.from({ length: WATCHED }, (): WatchedRead => {
      const endpoint = endpoints[roll(endpoints.length)] ?? '';
      return { endpoint, caller: anyCaller() ?? {}, run: reads[endpoint]?.(world) ?? (async () => undefined) };
    });
    let difference: Difference | undefined;
    for (const read of watched) difference ??= await compare(read);
    for (let step = 0; step < STEPS && !difference; step += 1) {
      await write(steps[roll(steps.length)] ?? '');
      for (const read of watched) difference ??= await compare(read);
    }
    const hits = answers.caches.reduce((sum, { counts }) => sum + counts.hits, 0);
    return { difference, hits, tried: new Set(tried) };
  } finally {
    answers.close();
    await Promise.all([cached.close(), fresh.close()]);
  }
}

/** A result or a failure as text, for comparison. */
async function outcome(running: Promise<unknown> | undefined): Promise<string> {
  try {
    const result = await running;
    return JSON.stringify(result instanceof Rows ? [...result] : result) ?? 'nothing';
  } catch (error) {
    if (error instanceof GatewayError) return `${error.code} ${error.upstream?.status}`;
    throw error;
  }
}
