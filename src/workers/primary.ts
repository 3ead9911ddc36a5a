import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError, type Flags } from '../config.ts';
import type { DriftReporter } from '../typed-flex/flex-schema.ts';
import { countFor } from './counts.ts';
import { takeTurnsFor } from './turns.ts';
import { readFromWorker, release, tell, type WorkerEnd } from './ipc.ts';

/** The file of FLEX_SCHEMA as the primary has read it, and the databases that differ from it, for all workers that have its types. */
interface SharedSnapshot {
  readonly text: string;
  readonly news: DriftReporter;
}

export interface WorkersOptions {
  readonly count: number;
  /** The command line of a worker, by its number from 1 to `count`. */
  readonly args: (number: number) => string[];
  /** Added to the environment of each worker. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called with the base URL once all workers accept connections. */
  readonly onListening: (url: string) => void;
  /** Called once with a function that restarts the workers in turn. */
  readonly onRunning: (restart: () => void) => void;
  /** When it resolves, all workers end. */
  readonly end: Promise<void>;
  readonly shutdownTimeoutMs: number;
  readonly log: Logger;
  /** Reads FLEX_SCHEMA, at the start and for each restart. A worker that takes the place of one that ended has its types. */
  readonly readSnapshot?: (() => Promise<SharedSnapshot>) | undefined;
  /** Sums up the metrics of the workers. */
  readonly metrics?: WorkersMetrics | undefined;
}

/** Gets the metrics of the workers. */
export interface WorkersMetrics {
  /** @param ask asks a worker that has begun to listen for its metrics; false when it cannot be asked any more */
  add(ask: () => boolean): WorkerMetrics;
}

/** Gets the metrics of one worker. */
export interface WorkerMetrics {
  receive(metrics: readonly object[]): void;
  /** The worker has ended: what it counted stays counted. */
  end(): void;
}

/** A worker that ends sooner after it began to listen has ended early. */
const STEADY_MS = 5_000;

/** The number of early ends in a row after which a worker is not started again. */
const MAX_EARLY_ENDS = 5;

/** The wait before a worker that ended early is started again. It doubles with each early end. */
const FIRST_WAIT_MS = 100;

/** The time after SHUTDOWN_TIMEOUT_MS at which a worker that is not done is killed, in milliseconds. */
const CLOSE_MS = 1_000;

/**
 * The settings, as texts, that a worker has in place of those of the command.
 *
 * @returns the number of workers, `auto` resolved; a worker's share of the connections to one upstream, of those of callers, and
 * of the memory for kept answers, at least 1 each; and the secret of keyed hashes, a random one without the setting: the
 * workers have the same hashes
 */
export function workerSettings(config: Config): Flags {
  const { WORKERS, UPSTREAM_CONNECTIONS, MAX_CONNECTIONS, ANSWER_CACHE_BYTES, SUBGRAPH, PUBLIC, HASH_SECRET } = config;
  const share = (bound: number) => String(Math.max(1, Math.floor(bound / WORKERS)));
  return {
    WORKERS: String(WORKERS),
    UPSTREAM_CONNECTIONS: share(UPSTREAM_CONNECTIONS),
    MAX_CONNECTIONS: share(MAX_CONNECTIONS),
    ANSWER_CACHE_BYTES: ANSWER_CACHE_BYTES > 0 ? share(ANSWER_CACHE_BYTES) : '0',
    SUBGRAPH,
    PUBLIC,
    HASH_SECRET: HASH_SECRET?.reveal() ?? randomBytes(32).toString('hex'),
  };
}

/**
 * Runs worker processes that share one port, until `end`. A worker that ends before is replaced.
 *
 * @returns the exit code: 0 after `end`; that of the first worker when it cannot start, which has then printed why; 1 when a
 *   worker ends early MAX_EARLY_ENDS times in a row
 * @throws ConfigError when FLEX_SCHEMA cannot be read at the start
 * @see docs/decisions/0025-workers.md
 */
export async function runWorkers(options: WorkersOptions): Promise<number> {
  return new Workers(options).run();
}

/** The workers that have not ended: `cluster.workers` lacks those that get no more connections. */
const runningWorkers = new Set<Worker>();

/** Ends all workers at once. */
export function killWorkers(): void {
  for (const worker of runningWorkers) worker.process.kill('SIGKILL');
}

/** A worker process, from its start to its end. */
interface StartedWorker {
  readonly number: number;
  readonly worker: Worker;
  readonly snapshot: SharedSnapshot | undefined;
  /** The base URL once it accepts connections; undefined when it ends before. */
  readonly listening: Promise<string | undefined>;
  readonly ended: Promise<EndOfWorker>;
}

interface EndOfWorker {
  /** Undefined when no process could be started. */
  readonly pid: number | undefined;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Whether it ended before it had listened for STEADY_MS. */
  readonly early: boolean;
}

class Workers {
  readonly #options: WorkersOptions;
  readonly #log: Logger;
  readonly #numbers: readonly number[];
  /** Numbers of the workers that have not listened yet. */
  readonly #starting: Set<number>;
  readonly #running = runningWorkers;
  readonly #listening = new Set<Worker>();
  readonly #ends = new Set<Promise<EndOfWorker>>();
  readonly #closing = new AbortController();
  /** The last started worker of each number, unless it is a successor that does not listen yet. */
  readonly #current = new Map<number, StartedWorker>();
  /** By number, the worker that takes the place of another one: undefined when it cannot start. */
  readonly #successors = new Map<number, Promise<StartedWorker | undefined>>();
  /** Workers that were told to end, for others take their places. */
  readonly #replaced = new WeakSet<Worker>();
  #restart: 'none' | 'under way' | 'wanted again' = 'none';
  #exitCode = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#numbers = Array.from({ length: options.count }, (_, index) => index + 1);
    this.#starting = new Set(this.#numbers);
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  async run(): Promise<number> {
    void this.#options.end.then(() => this.#close(0));
    const [firstNumber = 1, ...otherNumbers] = this.#numbers;
    // The first worker shows whether the port can be had. Otherwise each of them would print the same error.
    const snapshot = await this.#options.readSnapshot?.();
    const first = this.#start(firstNumber, snapshot);
    if ((await first.listening) === undefined) {
      const end = await first.ended;
      if (this.#closing.signal.aborted) return this.#exitCode;
      if (end.code === null) this.#logEnd(firstNumber, end); // killed: it has printed nothing
      return end.code || 1;
    }
    const others = this.#closing.signal.aborted ? [] : otherNumbers.map((number) => this.#start(number, snapshot));
    const kept = [first, ...others].map((worker) => this.#replaceUntilClosed(worker));
    this.#options.onRunning(() => void this.#restartInTurn());
    await Promise.all(kept);
    await Promise.all([...this.#ends]); // of workers that were to replace others, or were replaced
    return this.#exitCode;
  }

  /**
   * Starts a successor of each worker, one after the other, and ends the worker when its successor listens. Asked for again
   * meanwhile, it begins anew when it is done: the first successors know nothing of what has changed since.
   */
  async #restartInTurn(): Promise<void> {
    if (this.#restart !== 'none') {
      this.#restart = 'wanted again';
      return;
    }
    do {
      this.#restart = 'under way';
      this.#log.info('workers are restarted in turn');
      const isDone = await this.#replaceAll().catch((error: unknown) => {
        if (!(error instanceof ConfigError)) throw error;
        this.#log.error({ reason: error.message }, 'a new worker cannot start: the others stay');
        return false;
      });
      if (isDone) this.#log.info('all workers were restarted');
    } while (this.#isWantedAgain());
    this.#restart = 'none';
  }

  #isWantedAgain(): boolean {
    return this.#restart === 'wanted again' && !this.#closing.signal.aborted;
  }

  /**
   * @returns false when a successor cannot start, or all workers end: the others stay
   * @throws ConfigError when FLEX_SCHEMA cannot be read
   */
  async #replaceAll(): Promise<boolean> {
    const snapshot = await this.#options.readSnapshot?.();
    for (const number of this.#numbers) {
      await this.#current.get(number)?.listening;
      if (this.#closing.signal.aborted) return false;
      const successor = this.#start(number, snapshot);
      const started = successor.listening.then((url) => (url === undefined ? undefined : successor));
      this.#successors.set(number, started);
      if (!(await started)) {
        this.#successors.delete(number);
        if (this.#closing.signal.aborted) return false;
        const { pid, code, signal } = await successor.ended;
        this.#log.error({ worker: number, process: pid, code, signal }, 'a new worker cannot start: the others stay');
        return false;
      }
      const { worker, ended } = this.#current.get(number) ?? successor;
      this.#replace(worker);
      await ended;
    }
    return true;
  }

  #replace(worker: Worker): void {
    this.#replaced.add(worker);
    this.#end(worker, 'replaced');
    const kill = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.shutdownTimeoutMs + CLOSE_MS).unref();
    worker.once('exit', () => clearTimeout(kill));
  }

  #end(worker: Worker, end: WorkerEnd): void {
    if (this.#listening.has(worker)) tell(worker, { end });
    else worker.process.kill('SIGTERM'); // it has no request in flight
  }

  async #replaceUntilClosed(worker: StartedWorker): Promise<void> {
    const { signal: closing } = this.#closing;
    for (let current = worker, earlyEnds = 0; ; current = await this.#successor(current)) {
      this.#current.set(worker.number, current);
      const end = await current.ended;
      if (closing.aborted) return;
      if (this.#replaced.has(current.worker)) {
        this.#log.info(
          { worker: worker.number, process: end.pid, code: end.code, signal: end.signal },
          'worker was replaced',
        );
        continue;
      }
      this.#logEnd(worker.number, end);
      earlyEnds = end.early ? earlyEnds + 1 : 0;
      if (earlyEnds === MAX_EARLY_ENDS) {
        this.#log.fatal({ worker: worker.number, earlyEnds }, 'worker ended too often right after its start');
        return this.#close(1);
      }
      if (end.early) await delay(FIRST_WAIT_MS * 2 ** (earlyEnds - 1), undefined, { signal: closing }).catch(() => {});
      if (closing.aborted) return;
    }
  }

  /** The worker that a restart has started already, or a new one. */
  async #successor({ number, snapshot }: StartedWorker): Promise<StartedWorker> {
    const started = this.#successors.get(number);
    this.#successors.delete(number);
    return (await started) ?? this.#start(number, snapshot);
  }

  #start(number: number, snapshot: SharedSnapshot | undefined): StartedWorker {
    const { args, environment, onListening, metrics } = this.#options;
    cluster.setupPrimary({ args: args(number) });
    const worker = cluster.fork(environment);
    const { pid } = worker.process;
    let listeningSince = Infinity;
    let workerMetrics: WorkerMetrics | undefined;
    this.#running.add(worker);
    countFor(worker);
    takeTurnsFor(worker);

    const ended = new Promise<EndOfWorker>((resolve) => {
      const end = (code: number | null, signal: string | null) => {
        this.#running.delete(worker);
        this.#listening.delete(worker);
        workerMetrics?.end();
        const steady = performance.now() - listeningSince >= STEADY_MS; // never when it has not listened
        resolve({ pid, code, signal, early: !steady });
      };
      worker.once('exit', end);
      worker.on('error', () => pid === undefined && end(null, null)); // no process could be started
    });
    const listening = new Promise<string | undefined>((resolve) => {
      worker.on('message', (message: unknown) => {
        const told = readFromWorker(message);
        if (told === undefined) return;
        if ('wantsConnections' in told) return void setImmediate(tell, worker, { connectionsHaveCome: true });
        if ('wantsRelease' in told) return void setImmediate(release, worker);
        if ('metrics' in told) return workerMetrics?.receive(told.metrics);
        if ('wantsFlexSchema' in told) return void (snapshot && tell(worker, { flexSchema: snapshot.text }));
        if ('drift' in told) return snapshot?.news.add(told.drift, told.databases);
        listeningSince = performance.now();
        this.#listening.add(worker);
        workerMetrics = metrics?.add(() => tell(worker, { wantsMetrics: true }));
        this.#log.info({ worker: number, process: pid }, 'worker listens');
        if (this.#starting.delete(number) && this.#starting.size === 0) onListening(told.listening);
        resolve(told.listening);
      });
      void ended.then(() => resolve(undefined));
    });
    this.#ends.add(ended);
    void ended.then(() => this.#ends.delete(ended));
    return { number, worker, snapshot, listening, ended };
  }

  #logEnd(number: number, { pid, code, signal }: EndOfWorker): void {
    this.#log.error({ worker: number, process: pid, code, signal }, 'worker ended');
  }

  /** Ends all workers, and starts none any more. */
  #close(exitCode: number): void {
    if (this.#closing.signal.aborted) return;
    this.#exitCode = exitCode;
    this.#closing.abort();
    for (const worker of this.#running) this.#end(worker, 'all');
    setTimeout(() => {
      for (const worker of this.#running) worker.process.kill('SIGKILL');
    }, this.#options.shutdownTimeoutMs + CLOSE_MS).unref();
  }
}
