import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { freePort } from '../trial.ts';
import { loadClientLibraries } from './client-libraries.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { type Caller, carryOutAll, intentsFor } from './intents.ts';
import { startTrialRedis, type TrialRedis } from './redis.ts';
import { Replica } from './replica.ts';
import { Carried, judge, type Verdict } from './verdict.ts';

export interface RunOptions {
  readonly creations: number;
  readonly updates: number;
  /** Whether the header `Idempotency-Key` reaches the gateways. */
  readonly keyed: boolean;
  /** Random numbers from 0 up to a limit, from a seed. */
  readonly roll: (sides: number) => number;
}

export interface Run extends Verdict {
  readonly seconds: number;
  /** Requests that were cut between the clients and the gateways, and between the gateways and upstream. */
  readonly cuts: number;
  /** What was done to the servers, in its order. */
  readonly events: readonly string[];
  /** How many events were not brought about before the end. */
  readonly missed: number;
}

const TOKEN = 'demo-admin';
const REPLICAS = 2;
/** How often the calls are taken from the sandbox, in milliseconds. */
const TAKE_MS = 100;
/** The clients of the demo data, which are updated in turns. */
const TARGETS = Array.from({ length: 250 }, (_none, index) => index + 1);
/** Callers of each client library. Each sends one write after another. */
const CALLERS = 16;
/** Milliseconds from the beginning of a caller's write to the next: those that are refused at once do not use up the run. */
const PACE_MS = 250;
const RETRIES = { attempts: 7, delayMs: 100 };
/** Of so many requests one is cut. */
const ONE_OF = 8;
/** No write is begun later than that after the start, in milliseconds. */
const MAX_MS = 240_000;
/** How long Redis is away, and hangs, in milliseconds. */
const REDIS_AWAY_MS = 1_000;
const REDIS_HANGS_MS = 2_000;

/** Carries intents out over two replicas with Redis, behind proxies that cut connections, while servers are killed and hung. */
export async function runWrites(options: RunOptions): Promise<Run> {
  const ends: (() => Promise<void>)[] = [];
  try {
    return await run(options, ends);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** @param ends what ends the servers that were started: they are added, also where another one does not start */
async function run({ keyed, roll, ...count }: RunOptions, ends: (() => Promise<void>)[]): Promise<Run> {
  const sandbox = await startSandbox({ port: 0 });
  ends.push(() => sandbox.close());
  const redis = await startTrialRedis(await freePort());
  ends.push(() => redis.stop());
  const faults = { roll, oneOf: ONE_OF };
  const upstream = { ...faults, ports: () => [Number(new URL(sandbox.urls.crm).port)] };
  const replicas: Replica[] = [];
  for (let started = 0; started < REPLICAS; started += 1) {
    const replica = await Replica.start(redis.url, upstream);
    replicas.push(replica);
    ends.push(() => replica.stop());
  }
  const front = await startFaultProxy({
    ...faults,
    ports: () => replicas.map(({ port }) => port),
    ...(!keyed && { without: ['idempotency-key'] }),
  });
  ends.push(() => front.close());
  const carried = new Carried(sandbox);
  const taking = setInterval(() => carried.take(), TAKE_MS);
  ends.push(async () => clearInterval(taking));

  const callers = await makeCallers(`http://127.0.0.1:${front.port}/graphql`);
  const events = new Events(redis, replicas);
  const start = performance.now();
  const told = await carryOutAll(intentsFor(count, TARGETS), callers, {
    onTold: (share) => events.reached(share),
    hasTime: () => performance.now() - start < MAX_MS,
  });
  const seconds = (performance.now() - start) / 1000;
  await events.ended();
  const cuts = [front, ...replicas.map(({ proxy }) => proxy)].flatMap(({ cuts }) => [...cuts.values()]);
  const verdict = await judge(told, carried, sandbox, TOKEN);
  const { happened, missed } = events;
  return { ...verdict, seconds, cuts: cuts.reduce((sum, times) => sum + times, 0), events: happened, missed };
}

async function makeCallers(url: string): Promise<Caller[]> {
  const libraries = await loadClientLibraries();
  return [...libraries.values()].flatMap((makeCaller) =>
    Array.from({ length: CALLERS }, () => paced(makeCaller(url, TOKEN, RETRIES))),
  );
}

/** A caller that begins no sooner than PACE_MS after it began last. */
function paced(send: Caller): Caller {
  let next = 0;
  return async (mutation, variables) => {
    await delay(Math.max(0, next - performance.now()));
    next = performance.now() + PACE_MS;
    return send(mutation, variables);
  };
}

/** What is done to the servers, when that share of the intents has been told. @returns whether it could be done */
type Event = readonly [share: number, what: string, bringAbout: () => Promise<boolean>];

/** The events of a run, one after the other. */
class Events {
  readonly happened: string[] = [];
  readonly #waiting: Event[];
  readonly #replicas: readonly Replica[];
  readonly #count: number;
  #last = Promise.resolve();
  #isOver = false;

  constructor(redis: TrialRedis, replicas: readonly Replica[]) {
    this.#replicas = replicas;
    this.#waiting = [
      [0.1, 'Redis killed and started', () => killed(redis)],
      [0.25, 'Redis hung', () => hung(redis)],
      ...replicas.map((replica, index): Event => {
        return [
          0.4 + index * 0.2,
          `replica ${index + 1} killed after a commit and started`,
          () => replica.killAfterCommit(),
        ];
      }),
      [0.8, 'Redis killed and started', () => killed(redis)],
    ];
    this.#count = this.#waiting.length;
  }

  get missed(): number {
    return this.#count - this.happened.length;
  }

  /** @param share of the intents that have been told */
  reached(share: number): void {
    const [next] = this.#waiting;
    if (!next || next[0] > share) return;
    this.#waiting.shift();
    const [, what, bringAbout] = next;
    this.#last = this.#last.then(async () => {
      if (!this.#isOver && (await bringAbout())) this.happened.push(what);
    });
  }

  /** Begins no more, and resolves when the one that was begun is over. */
  async ended(): Promise<void> {
    this.#isOver = true;
    for (const replica of this.#replicas) replica.spare();
    await this.#last;
  }
}

async function killed(redis: TrialRedis): Promise<boolean> {
  await redis.kill();
  await delay(REDIS_AWAY_MS);
  await redis.start();
  return true;
}

async function hung(redis: TrialRedis): Promise<boolean> {
  redis.hang();
  await delay(REDIS_HANGS_MS);
  redis.resume();
  return true;
}
