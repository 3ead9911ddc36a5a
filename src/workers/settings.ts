import { randomBytes } from 'node:crypto';
import type { Config, Flags } from '../config.ts';

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
    ANSWER_CACHE_BYTES: share(ANSWER_CACHE_BYTES),
    SUBGRAPH,
    PUBLIC,
    HASH_SECRET: HASH_SECRET?.reveal() ?? randomBytes(32).toString('hex'),
  };
}
