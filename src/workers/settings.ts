import type { Config, Flags } from '../config.ts';

/**
 * The settings, as texts, that a worker has in place of those of the command.
 *
 * @returns the number of workers, `auto` resolved; and a worker's share of the connections to one upstream, at least 1
 */
export function workerSettings({ WORKERS, UPSTREAM_CONNECTIONS, SUBGRAPH }: Config): Flags {
  const connections = Math.max(1, Math.floor(UPSTREAM_CONNECTIONS / WORKERS));
  return { WORKERS: String(WORKERS), UPSTREAM_CONNECTIONS: String(connections), SUBGRAPH };
}
