import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingWarnings } from '../../src/cli/setting-warnings.ts';
import { readConfig } from '../../src/config.ts';

/** The secret of the example for Kubernetes. */
const EXAMPLE = /HASH_SECRET: (\S+)/.exec(readFileSync('deploy/kubernetes/secret.yaml', 'utf8'))?.[1] ?? '';

test.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ NODE_ENV: 'production', HASH_SECRET: 'a secret of at least 32 characters' }, []],
  [{ MAX_LAG_MS: '25' }, ['MAX_LAG_MS has no effect: MAX_WAIT_MS takes its place']],
  [{ MAX_LAG_MS: '0' }, []],
  [
    { UPSTREAM_TIMEOUT_MS: '60000', OPERATION_TIMEOUT_MS: '30000' },
    ['UPSTREAM_TIMEOUT_MS has no effect: OPERATION_TIMEOUT_MS is shorter'],
  ],
  [{ NODE_ENV: 'prod' }, ['NODE_ENV is not production: only that name has an effect, see GRAPHIQL']],
  [{ HASH_SECRET: EXAMPLE }, ['HASH_SECRET is the example of deploy/kubernetes/secret.yaml, which everybody can read']],
])('the settings %j give the warnings %j', (settings, expected) => {
  const found = settingWarnings(readConfig(settings));
  expect(found.map(([, message]) => message)).toEqual(expected);
  for (const [setting] of found) expect(settings).toHaveProperty(setting);
  expect(JSON.stringify(found)).not.toContain(EXAMPLE);
});
