import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingWarnings } from '../../src/cli/setting-warnings.ts';
import { readConfig } from '../../src/config.ts';

/** The secret of the example for Kubernetes. */
const EXAMPLE = /HASH_SECRET: (\S+)/.exec(readFileSync('deploy/kubernetes/secret.yaml', 'utf8'))?.[1] ?? '';

/** That receipts of writes are in memory. */
const MEANT = { IDEMPOTENCY: 'memory' };

test.each<[Record<string, string>, readonly unknown[]]>([
  [{}, []],
  [{ NODE_ENV: 'production', HASH_SECRET: 'a secret of at least 32 characters', ...MEANT }, []],
  [
    { NODE_ENV: 'production' },
    [
      expect.stringMatching(
        /^Receipts of writes are in memory: .*REDIS_URL.*IDEMPOTENCY=memory says that this is meant$/,
      ),
    ],
  ],
  ...[
    { IDEMPOTENCY: 'off' },
    { REDIS_URL: 'redis://127.0.0.1', HASH_SECRET: 'a secret of at least 32 characters' },
    { PUBLIC: 'true', FLEX_SCHEMA: 'flex.schema.json' },
  ].map((other): [Record<string, string>, readonly unknown[]] => [{ NODE_ENV: 'production', ...other }, []]),
  [
    { NODE_ENV: 'production', ACCOUNT_URL: 'http://127.0.0.1:9', CRM_URL: 'http://127.0.0.1:9', ...MEANT },
    ['FORUM_URL is not set: fields of the forum are errors'],
  ],
  [
    { NODE_ENV: 'production', FORUM_URL: 'http://127.0.0.1:9', ...MEANT },
    ['ACCOUNT_URL', 'FLEX_URL', 'CRM_URL'].map((name) => expect.stringMatching(`^${name} is not set: `)),
  ],
  [{ ACCOUNT_URL: 'http://127.0.0.1:9' }, []],
  [
    { UPSTREAM_TIMEOUT_MS: '60000', OPERATION_TIMEOUT_MS: '30000' },
    ['UPSTREAM_TIMEOUT_MS has no effect: OPERATION_TIMEOUT_MS is shorter'],
  ],
  [
    { SUBGRAPH: 'true', TRUSTED_DOCUMENTS: 'documents.json', TRUSTED_DOCUMENTS_ONLY: 'true' },
    ['TRUSTED_DOCUMENTS_ONLY refuses what a router sends to a SUBGRAPH: close the router instead'],
  ],
  [{ SUBGRAPH_TAGS: 'true' }, ['SUBGRAPH_TAGS has no effect without SUBGRAPH']],
  [{ SUBGRAPH: 'true', SUBGRAPH_TAGS: 'true' }, []],
  [{ NODE_ENV: 'prod' }, ['NODE_ENV is not production: only that name has an effect, see GRAPHIQL']],
  [{ HASH_SECRET: EXAMPLE }, ['HASH_SECRET is the example of deploy/kubernetes/secret.yaml, which everybody can read']],
])('the settings %j give the warnings %j', (settings, expected) => {
  const found = settingWarnings(readConfig(settings), [], Infinity);
  expect(found.map(([, message]) => message)).toEqual(expected);
  for (const [setting, message] of found) expect(message).toContain(setting);
  expect(JSON.stringify(found)).not.toContain(EXAMPLE);
});

test.each([
  [{}, 256, 10_612],
  [{}, 10_611, 10_612],
  [{ MAX_CONNECTIONS: '100', UPSTREAM_CONNECTIONS: '10' }, 239, 240],
])('with %j a limit of %i open files is too low: the warning names both numbers', (settings, limit, needed) => {
  const of = (openFiles: number) => settingWarnings(readConfig(settings), [], openFiles);
  expect(of(limit)).toEqual([['MAX_CONNECTIONS', expect.stringMatching(`is ${limit}; .*\\(ulimit -n ${needed}\\)$`)]]);
  expect(of(needed)).toEqual([]);
  expect(of(Infinity)).toEqual([]);
});

test('a proxy for outgoing calls has no effect, which is said without its address', () => {
  const names = ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NO_PROXY', 'HTTP_PROXY_2'];
  const found = settingWarnings(readConfig({}), names, Infinity);
  expect(found).toEqual(names.slice(0, 3).map((name) => [name, `${name} has no effect: the APIs are called directly`]));
});
