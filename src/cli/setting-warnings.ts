import type { Config } from '../config.ts';

/** The text of HASH_SECRET in deploy/kubernetes/secret.yaml: everybody can read it. */
const EXAMPLE_SECRET = 'replace-me-by-32-random-characters-or-more';

const ENVIRONMENTS: ReadonlySet<string> = new Set(['', 'production', 'development', 'test']);

/** Settings that are valid and probably not meant, each with a sentence that never has a secret. */
export function settingWarnings(config: Config): (readonly [setting: string, message: string])[] {
  const { MAX_LAG_MS, UPSTREAM_TIMEOUT_MS, OPERATION_TIMEOUT_MS, NODE_ENV, HASH_SECRET } = config;
  const found: (readonly [string, string])[] = [];
  if (MAX_LAG_MS) found.push(['MAX_LAG_MS', 'MAX_LAG_MS has no effect: MAX_WAIT_MS takes its place']);
  if (UPSTREAM_TIMEOUT_MS > OPERATION_TIMEOUT_MS)
    found.push(['UPSTREAM_TIMEOUT_MS', 'UPSTREAM_TIMEOUT_MS has no effect: OPERATION_TIMEOUT_MS is shorter']);
  if (!ENVIRONMENTS.has(NODE_ENV))
    found.push(['NODE_ENV', 'NODE_ENV is not production: only that name has an effect, see GRAPHIQL']);
  if (HASH_SECRET?.reveal() === EXAMPLE_SECRET)
    found.push([
      'HASH_SECRET',
      'HASH_SECRET is the example of deploy/kubernetes/secret.yaml, which everybody can read',
    ]);
  return found;
}
