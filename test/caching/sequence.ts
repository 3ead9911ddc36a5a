import { ResponseCaches, type Tables, tables } from '../../src/apis/response-caches.ts';
import type { Config } from '../../src/config.ts';
import type { Caller, Context } from '../../src/operation/context.ts';
import { isObject } from '../../src/formats/decode.ts';
import { Rows } from '../../src/formats/rows.ts';
import type { SharedGenerations } from '../../src/calls/cache/generations.ts';
import { SUBJECTS } from '../../src/calls/cache/staleness.ts';
import { GatewayError } from '../../src/errors.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { dice } from '../support/dice.ts';
import { testConfig } from '../support/gateway.ts';
import { asRails } from '../support/rails-upstream.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
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

/** Why answers are used again: they are young, upstream says that they hold, or a page goes on in a list. */
export type Keeping = 'times' | 'validators' | 'pages';

const SETTINGS: Readonly<Record<Keeping, Partial<Config>>> = {
  times: {
    ACCOUNT_CACHE_TTL_MS: 60_000,
    FLEX_CACHE_TTL_MS: 60_000,
    CRM_CACHE_TTL_MS: 60_000,
    FORUM_CACHE_TTL_MS: 60_000,
    PAGE_LIST_MS: 0,
  },
  validators: { PAGE_LIST_MS: 0 },
  pages: { PAGE_LIST_MS: 60_000 },
};

export interface SequenceOptions {
  readonly keeping?: Keeping;
  /** The tables of the cache. */
  readonly tables?: Tables;
  /** How many gateways the callers use, which share generations. */
  readonly gateways?: number;
}

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
  readonly run: (context: Context, continues?: string) => Promise<unknown>;
}

/** What a sequence has found. */
export interface Findings {
  /** The first read that was not the same through the cache. */
  readonly difference: Difference | undefined;
  /** How many answers were used again. */
  readonly hits: number;
  readonly tried: ReadonlySet<string>;
}

/**
 * Runs random writes by several callers through gateways with the cache, and compares what each of them reads through them
 * with what it reads without it. Where upstream is asked each time, half of the writes go past the gateways.
 */
export async function runSequence(sandbox: Sandbox, seed: number, options: SequenceOptions = {}): Promise<Findings> {
  const { keeping = 'times' } = options;
  const { roll, pick } = dice(seed);
  const themes = THEMES.filter((apis) => keeping !== 'pages' || !apis.includes('account'));
  const theme = themes[seed % themes.length] ?? [];
  const steps = theme.flatMap((api) => Object.keys(tables[api].writes));
  const isWatched = (endpoint: string) => (keeping === 'pages' ? PAGED.has(endpoint) : endpoint in reads);
  const endpoints = theme.flatMap((api) => Object.keys(tables[api].reads)).filter(isWatched);
  const world = createWorld(sandbox, `${seed}-${sandbox.requests.length}-${process.hrtime.bigint()}`, { roll, pick });
  const cached = await cachedSources(sandbox, options);
  const fresh = sourcesOver(sandbox, {});
  const gateway = () => cached[roll(cached.length)] ?? fresh;
  const tried: string[] = [];
  const anyCaller = () => world.callers[roll(world.callers.length)];
  const write = async (endpoint: string) => {
    const caller = roll(2) === 0 ? world.callers[0] : anyCaller(); // the first one may do everything
    tried.push(endpoint);
    const isPast = keeping === 'validators' && roll(2) === 0;
    await outcome(writes[endpoint]?.((isPast ? fresh : gateway()).write(caller ?? {}), world));
  };
  const compare = async ({ endpoint, caller, run }: WatchedRead): Promise<Difference | undefined> => {
    const context = gateway().read(caller);
    const reading = run(fresh.read(caller));
    const continues = keeping === 'pages' ? await someRow(reading, roll) : undefined;
    const [byCache, without] = await Promise.all([outcome(run(context, continues)), outcome(reading)]);
    context.pages.onCursor(); // a page of each list was shown
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
    const caches = cached.flatMap(({ answers }) => answers.caches);
    const hits = caches.reduce((sum, { counts }) => sum + counts.hits + counts.revalidated, 0);
    return { difference, hits, tried: new Set(tried) };
  } finally {
    for (const { answers } of cached) answers.close();
    await Promise.all([...cached, fresh].map((sources) => sources.close()));
  }
}

/** The data sources of each gateway, with its cache. */
async function cachedSources(
  sandbox: Sandbox,
  { keeping = 'times', tables: used = tables, gateways = 1 }: SequenceOptions,
) {
  const settings = { ...SETTINGS[keeping], ...(keeping === 'validators' && (await settingsOfRails(sandbox))) };
  const shared = gateways > 1 ? sharedGenerations() : undefined;
  return Array.from({ length: gateways }, () => {
    const answers = new ResponseCaches(testConfig(settings), { tables: used, shared });
    return { answers, ...sourcesOver(sandbox, settings, answers) };
  });
}

/** The lists that the gateway cuts pages from. */
const PAGED: ReadonlySet<string> = new Set([
  'GET /app/clients.json',
  'GET /app.json',
  'GET /app/deals.json',
  'GET /flex/dbs/:db_id/records.json',
]);

/** The id of a row of a list. Undefined for any other answer. */
async function someRow(reading: Promise<unknown>, roll: (sides: number) => number): Promise<string | undefined> {
  const list = await reading.catch(() => undefined);
  if (!(list instanceof Rows) || list.length === 0) return undefined;
  const row: unknown = list.at(roll(list.length));
  return isObject(row) && typeof row['id'] === 'string' ? row['id'] : undefined;
}

/** The settings of the APIs of a sandbox behind proxies that add validators. */
async function settingsOfRails(sandbox: Sandbox): Promise<Partial<Config>> {
  const { account, flex, crm, forum } = sandbox.urls;
  const proxied = async (url: string) => new URL((await stubUpstream(asRails(url))).url);
  const [ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL] = await Promise.all([account, flex, crm, forum].map(proxied));
  return { ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL };
}

/** What gateways share over Redis, in this process. */
function sharedGenerations(): SharedGenerations {
  const generations = new Map<string, string>(SUBJECTS.map((subject) => [subject, '0']));
  let last = 0;
  return {
    read: async () => new Map(generations),
    renew: async (subjects) => {
      last += 1;
      for (const subject of subjects) generations.set(subject, String(last));
    },
    close: () => {},
  };
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
