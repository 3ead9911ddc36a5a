// Draws pages and what their users do, and compares what a kit's cache shows with what the gateway says.
import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Arbitrary,
  array,
  assert as assertHolds,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  option,
  record,
  tuple,
} from 'fast-check';
import { type Sandbox, startSandbox } from '../../kits/src/testing.ts';
import type { Kit, Page, Policy, Variables, View, Write } from './kit.ts';
import { type Fate, fates, Network } from './network.ts';
import { queries } from './queries.ts';
import { answerTo, listOf, plain, truthOf } from './truth.ts';
import { type Draws, kinds, type Verb, writeOf } from './writes.ts';

interface Mount {
  readonly do: 'mount';
  readonly query: number;
  readonly draws: readonly [number, number];
  readonly policy: Policy;
}
interface OfView {
  readonly do: 'more' | 'unmount' | 'revisit';
  readonly view: number;
}
interface Writing extends Draws {
  readonly do: 'write';
  readonly fate: Fate;
  readonly isOptimistic: boolean;
}
/** Sends an earlier write once more, under its key: 0 is the last one. */
interface Again {
  readonly do: 'again';
  readonly write: number;
}
type Step = Mount | OfView | Writing | Again;

interface Sequence {
  readonly attempts: number;
  readonly mounts: readonly (Mount | null)[];
  readonly steps: readonly (Step | null)[];
}

const small = nat(11);
const mount: Arbitrary<Mount> = record({
  do: constant('mount'),
  query: nat(queries.length - 1),
  draws: tuple(small, small),
  policy: constantFrom<Policy[]>('cache-first', 'cache-and-network', 'network-only'),
});
const writing: Arbitrary<Writing> = record({
  do: constant('write'),
  kind: constantFrom(...kinds, 'Client', 'Deal'),
  verb: constantFrom<Verb[]>('create', 'delete', 'update', 'create', 'delete'),
  isBulk: nat(3).map((one) => one === 3),
  isRefused: nat(9).map((one) => one === 9),
  record: small,
  value: small,
  fate: nat(11).map((one) => fates[Math.max(0, one - 8)] ?? 'answered'),
  isOptimistic: boolean(),
});
const step: Arbitrary<Step> = oneof(
  { weight: 6, arbitrary: writing },
  { weight: 2, arbitrary: mount },
  {
    weight: 5,
    arbitrary: record({
      do: constantFrom<OfView['do'][]>('more', 'revisit', 'more', 'unmount'),
      view: nat(7),
    }),
  },
  { weight: 1, arbitrary: record<Again>({ do: constant('again'), write: nat(4) }) },
);
/** Shrinks to nothing. */
const orNone = <Value>(arbitrary: Arbitrary<Value>) => option(arbitrary, { nil: null, freq: 1000 });
const sequence: Arbitrary<Sequence> = record({
  attempts: constantFrom(1, 3),
  mounts: array(orNone(mount), { minLength: 3, maxLength: 8 }),
  steps: array(orNone(step), { minLength: 20, maxLength: 20 }),
});

/** `SEED=1 SEQUENCES=5000` repeats a run, or draws more. */
const { SEED = 1, SEQUENCES = 200 } = process.env;

/**
 * Judges a kit, and prints the seed and how often each kind of query and step was drawn.
 *
 * @throws Error with the seed and the fewest steps after which a view shows what is not so
 */
export async function judge(kit: Kit): Promise<void> {
  const [seed, sequences] = [Number(SEED), Number(SEQUENCES)];
  const sandbox = await startSandbox({
    main: fileURLToPath(new URL('../../dist/main.js', import.meta.url)),
    seed: fileURLToPath(new URL('seed.json', import.meta.url)),
    settings: {
      FLEX_SCHEMA: fileURLToPath(new URL('../codegen/flex.schema.json', import.meta.url)),
    },
  });
  const counts = new Map<string, number>();
  console.log(`Seed ${seed}, ${sequences} sequences.`);
  try {
    await assertHolds(
      asyncProperty(sequence, (drawn) => new Run(kit, sandbox, counts).run(drawn)),
      { seed, numRuns: sequences },
    );
  } finally {
    await sandbox.stop();
  }
  console.log(
    [...counts]
      .toSorted()
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  for (const name of everything()) assert.ok(counts.get(name), `Nothing was drawn of "${name}": draw more sequences.`);
}

/** Of each of these at least one has to be drawn. */
function everything(): string[] {
  const verbs = ['create', 'add', 'update', 'delete'];
  const steps = ['more', 'revisit', 'unmount', 'again', 'bulk', 'optimistic', 'refused', 'shown', 'fresh after all'];
  const policies = ['cache-first', 'cache-and-network', 'network-only'];
  return [...queries.map(({ name }) => name), ...steps, ...verbs, ...policies, ...fates, ...kinds];
}

interface Mounted {
  readonly query: (typeof queries)[number];
  readonly variables: Variables;
  view: View;
}

class Run {
  readonly #kit: Kit;
  readonly #sandbox: Sandbox;
  readonly #counts: Map<string, number>;
  readonly #network = new Network();
  readonly #views: Mounted[] = [];
  readonly #run = crypto.randomUUID();
  #page: Page | undefined;
  readonly #truths = new Map<string, Variables>();
  /** The last one first. */
  readonly #writes: Write[] = [];

  constructor(kit: Kit, sandbox: Sandbox, counts: Map<string, number>) {
    this.#kit = kit;
    this.#sandbox = sandbox;
    this.#counts = counts;
  }

  async run({ attempts, mounts, steps }: Sequence): Promise<void> {
    await this.#sandbox.reset();
    this.#network.begin(this.#sandbox.endpoint);
    try {
      this.#page = this.#kit.open({
        url: this.#sandbox.endpoint,
        credentials: () => ({ token: 'demo-admin' }),
        attempts,
        delayMs: 0,
      });
      for (const one of mounts) if (one) await this.#step(one);
      for (const one of steps) if (one) await this.#step(one);
      await this.#visitAll();
    } finally {
      this.#page?.close();
      this.#network.end();
    }
  }

  #count(...names: string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  async #step(one: Step): Promise<void> {
    await this.#do(one);
    await this.#idle();
    if (one.do === 'write' || one.do === 'again') this.#truths.clear();
    await this.#compare(`after ${JSON.stringify(one)}`);
  }

  async #do(one: Step): Promise<unknown> {
    if (one.do === 'mount') return this.#mount(one);
    if (one.do === 'write') return this.#write(one);
    if (one.do === 'again') {
      const write = this.#writes[one.write % this.#writes.length];
      if (write) this.#count('again');
      return write && this.#page?.write(write);
    }
    const index = one.view % this.#views.length;
    const mounted = this.#views[index];
    if (!mounted) return undefined;
    if (one.do === 'more') return this.#more(mounted);
    this.#count(one.do);
    mounted.view.unmount();
    if (one.do === 'unmount') return void this.#views.splice(index, 1);
    await setImmediate();
    return this.#visit(mounted, 'cache-first');
  }

  #mount({ query: index, draws, policy }: Mount): void {
    const query = queries[index];
    if (!this.#page || !query || this.#views.length === 8) return;
    if (this.#views.some((one) => one.query === query)) return; // Relay's lists have the name of the query
    this.#count(query.name, policy);
    const variables = query.variables?.(...draws) ?? {};
    this.#views.push({ query, variables, view: this.#page.mount(query, variables, policy) });
  }

  #visit(mounted: Mounted, policy: Policy): void {
    if (this.#page) mounted.view = this.#page.mount(mounted.query, mounted.variables, policy);
  }

  async #more({ query, view }: Mounted): Promise<void> {
    const { pageInfo } = listOf(query, view.shown()) ?? {};
    if (!pageInfo?.hasNextPage) return;
    this.#count('more');
    assert.ok(pageInfo.endCursor, `${query.name} has a next page without a cursor.`);
    await view.more(pageInfo.endCursor);
  }

  async #write({ fate, isOptimistic, ...draws }: Writing): Promise<void> {
    const write = writeOf(draws, this.#network.ids(), `${this.#run}-${this.#writes.length}`, isOptimistic);
    this.#writes.unshift(write);
    this.#count(draws.kind, /^[a-z]+/.exec(write.field)?.[0] ?? '', fate);
    if (write.optimistic) this.#count('optimistic');
    if (write.field.endsWith('s')) this.#count('bulk');
    if (draws.isRefused) this.#count('refused');
    if (fate === 'unknown') await this.#sandbox.fault(faultOf(draws));
    else this.#network.loseNext(fate);
    await this.#page?.write(write);
    if (fate === 'unknown') await this.#sandbox.recover();
    this.#network.loseNext('answered');
  }

  /** Resolves when no request is under way, and none is about to be. */
  async #idle(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet += 1) {
      await setTimeout(0);
      await setImmediate();
      if (this.#network.underWay > 0) quiet = -1;
    }
  }

  async #compare(when: string): Promise<void> {
    const page = this.#views.map(({ query, variables, view }) => ({ query, variables, data: view.shown() }));
    const shown = page.filter(({ data }) => data !== undefined);
    for (const { query, data } of page) {
      this.#count(data === undefined ? 'stale' : 'shown');
      assert.ok(data !== undefined || !this.#kit.readsAgain, `${query.name} stays stale, ${when}`);
    }
    if (shown.length === 0) return;
    const answer = await this.#ask(truthOf(page));
    for (const { query, variables, data } of shown) {
      assert.deepEqual(
        plain(data),
        plain(answerTo(query, answer)),
        `${query.name} with ${JSON.stringify(variables)} shows what the gateway does not say, ${when}`,
      );
    }
  }

  /** Nothing but the writes of the page changes what the gateway says. */
  async #ask(question: ReturnType<typeof truthOf>): Promise<Variables> {
    const text = JSON.stringify(question);
    const data = this.#truths.get(text) ?? (await this.#network.ask(this.#sandbox.endpoint, question));
    this.#truths.set(text, data);
    return data;
  }

  /** A cache that calls all of it stale for good would pass. */
  async #visitAll(): Promise<void> {
    for (const mounted of this.#views) mounted.view.unmount();
    await setImmediate();
    for (const mounted of this.#views) this.#visit(mounted, 'cache-first');
    await this.#idle();
    for (const { query, view } of this.#views)
      assert.ok(view.shown(), `${query.name} is visited again, and stays stale.`);
    this.#count('fresh after all');
    await this.#compare('after a visit of all');
  }
}

/** The API carries the write out, and does not tell the gateway. */
function faultOf({ kind, verb }: Draws) {
  return { endpoint: endpoints[kind][verb], applyThenCut: 'before-status', times: 1 } as const;
}

const of = (create: string, update: string, path: string) => ({
  create: `POST ${create}`,
  update: `${update} ${path}`,
  delete: `DELETE ${path}`,
});
const records = '/flex/dbs/:db_id/records';
const ofTable = of(`${records}.json`, 'PATCH', `${records}/:id.json`);
const create = 'POST /app/posts.json'; // the only mutation of posts, and that of comments
const ofPosts = { create, update: create, delete: create };
const endpoints: Readonly<Record<Draws['kind'], Readonly<Record<Verb, string>>>> = {
  Client: of('/app/clients.json', 'PUT', '/app/clients/:id.json'),
  Deal: of('/app/deals.json', 'PUT', '/app/deals/:id.json'),
  Post: ofPosts,
  Comment: ofPosts,
  FlexRecord: ofTable,
  TrackerTask: ofTable,
};
