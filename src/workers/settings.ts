import type { Config, Flags } from '../config.ts';

/**
 * The settings, as texts, that a worker has in place of those of the command.
 *
 * @returns the number of workers, `auto` resolved; and a worker's share of the connections to one upstream and of those
 * of callers, at least 1 each
 */
export function workerSettings({ WORKERS, UPSTREAM_CONNECTIONS, MAX_CONNECTIONS, SUBGRAPH }: Config): Flags {
  const share = (bound: number) => String(Math.max(1, Math.floor(bound / WORKERS)));
  return {
    WORKERS: String(WORKERS),
    UPSTREAM_CONNECTIONS: share(UPSTREAM_CONNECTIONS),
    MAX_CONNECTIONS: share(MAX_CONNECTIONS),
    SUBGRAPH,
  };
}
