import { CPUS, freePort, type Running, startNode, untilReady } from './processes.ts';

/** The canned upstream, running. */
export interface Upstream {
  readonly pid: number;
  readonly origin: string;
  readonly clients: number;
  /** The calls since the last `reset`. */
  readonly calls: () => Promise<number>;
  readonly reset: () => Promise<void>;
  readonly stop: Running['stop'];
}

export interface UpstreamOptions {
  readonly clients?: number;
  /** Delay of each response. */
  readonly latencyMs?: number;
}

/** Starts `bench/upstream/main.ts`. */
export async function startUpstream({ clients = 2000, latencyMs = 0 }: UpstreamOptions = {}): Promise<Upstream> {
  const port = await freePort();
  const running = startNode(['--import', 'tsx', 'bench/upstream/main.ts'], {
    cpu: CPUS.rest,
    env: { PORT: String(port), CLIENTS: String(clients) },
  });
  const origin = `http://127.0.0.1:${port}`;
  const ask = async (control: string): Promise<unknown> => (await fetch(`${origin}/bench/${control}`)).json();
  await untilReady(running, () => ask(`latency?${latencyMs}`));
  return {
    pid: running.pid,
    origin,
    clients,
    async calls() {
      const counts = await ask('calls');
      if (!isCounts(counts)) throw new Error('The upstream did not tell its calls.');
      if (counts.unknown > 0)
        throw new Error(`${counts.unknown} calls asked for a path that the upstream does not have.`);
      return counts.calls;
    },
    async reset() {
      await ask('reset');
    },
    stop: running.stop,
  };
}

const isCounts = (value: unknown): value is { calls: number; unknown: number } =>
  typeof value === 'object' && value !== null && 'calls' in value && 'unknown' in value;
