import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { tlsSettings } from '../src/config/tls-settings.ts';
import { ConfigError, readConfig, settings } from '../src/config.ts';
import { removedSettings } from '../src/config/removed.ts';

const ADDRESS = [
  'an http or https address without a user, query or fragment',
  'localhost:4318',
  'http://canary@a.example',
] as const;

/** For each setting what it does not take, and what the message says that it takes. */
const WRONG: Readonly<Record<string, readonly [takes: string, ...given: string[]]>> = {
  PORT: ['a whole number from 0 to 65535', '-1', '65536', '4000.5', '4e3', '0x10', 'http', '４０００', '1 2', '+1'],
  METRICS_PORT: ['a whole number from 0 to 65535', '-1', '65536', '9464.5', '1e3', 'on', '123456', '1 2'],
  SANDBOX_PORT: ['a whole number from 0 to 65534', '-1', '65535', 'none'],
  ACCOUNT_URL: [
    'an http or https address without a user, query or fragment',
    'account.example',
    'account.example:80',
    '//account.example',
    'ftp://account.example',
    'javascript:alert(1)',
    'http://',
    'http://[::1',
    'https://canary:canary@account.example',
    'https://canary@account.example',
    'https://account.example/?token=canary',
    'https://account.example/#canary',
    'https://one.example https://two.example',
  ],
  FLEX_URL: [
    'an http or https address without a user, query or fragment',
    'flex.example',
    'https://canary@flex.example',
  ],
  CRM_URL: ['an http or https address without a user, query or fragment', 'crm.example', 'https://canary@crm.example'],
  FORUM_URL: [
    'an http or https address without a user, query or fragment',
    'forum.example',
    'https://canary@forum.example',
  ],
  FORUM_SHARES_IDS: ['one of true, false', 'no', '0', 'False'],
  MAX_XML_BYTES: ['a whole number from 1 to 16777216', '0', '16777217', '1MB'],
  CRM_SHARES_TOKEN: ['one of false, true', 'yes', '1', 'TRUE'],
  SHARE_READS: ['one of true, false', 'auto', 'yes', '1'],
  REDIS_TIMEOUT_MS: ['a whole number from 5 to 5000', '4', '5001', '50ms'],
  READS_AT_ONCE: ['a whole number from 1 to 10000', '0', '10001', 'many'],
  BATCH_READS: ['one of auto, list, by-id', 'ids', 'LIST', 'by id'],
  MAX_JOINED_LIST_BYTES: ['a whole number from 1 to 1073741824', '0', '1073741825', '16MB'],
  FLEX_COOKIES: ['names of cookies, separated by commas', 'a b', 'a;b', 'a=b', 'a,', 'a,,b', 'ż', '"a"', 'a\nb', '/'],
  TRUST_PROXY: ['a whole number from 0 to 10', '-1', '11', 'true', '10.0.0.0/8'],
  UPSTREAM_TIMEOUT_MS: ['a whole number from 1 to 600000', '0', '600001', '10s', 'Infinity', 'NaN'],
  OPERATION_TIMEOUT_MS: ['a whole number from 1 to 3600000', '0', '3600001', '-1', '1m'],
  UPSTREAM_CONNECTIONS: ['a whole number from 1 to 10000', '0', '10001', 'many'],
  UPSTREAM_CONNECTION_MAX_AGE_MS: ['a whole number from 0 to 86400000', '-1', '86400001', '5m'],
  UPSTREAM_QUEUE: ['a whole number from 0 to 1000000', '-1', '1000001', 'long'],
  MAX_UPSTREAM_CALLS: ['a whole number from 1 to 100000', '0', '100001', 'x'],
  MAX_LIST_BYTES: ['a whole number from 1 to 1073741824', '0', '1073741825', '64MB'],
  MAX_ANSWER_MEMORY_BYTES: ['a whole number from 1048576 to 17179869184', '1048575', '256MB'],
  MAX_RECORD_BYTES: ['a whole number from 1 to 1073741824', '0', '8 MiB'],
  MAX_REQUEST_BYTES: ['a whole number from 1 to 1073741824', '0', '2M'],
  MAX_REQUEST_VALUES: ['a whole number from 1 to 10000000', '0', '10000001', '100k'],
  MAX_RESPONSE_BYTES: ['a whole number from 1024 to 268435456', '1023', '32M'],
  RECEIVE_TIMEOUT_MS: ['a whole number from 1 to 600000', '0', '600001', '15s'],
  SEND_TIMEOUT_MS: ['a whole number from 1 to 600000', '0', '600001', '30s'],
  MAX_UNREAD_BYTES: ['a whole number from 1 to 1073741824', '0', '1073741825', '128MB'],
  KEEP_ALIVE_TIMEOUT_MS: ['a whole number from 1 to 3600000', '0', '3600001', '65s'],
  MAX_CONNECTIONS: ['a whole number from 1 to 1000000', '0', '1000001', 'many'],
  MAX_PIPELINED: ['a whole number from 1 to 10000', '0', '10001', 'x'],
  MAX_WAIT_MS: ['a whole number from 0 to 60000', '-1', '60001', '1s'],
  DOCUMENT_CACHE_BYTES: ['a whole number from 0 to 1073741824', '-1', '1073741825', '16MB'],
  ACCOUNT_CACHE_TTL_MS: ['a whole number from 0 to 60000', '-1', '60001', '5s'],
  FLEX_CACHE_TTL_MS: ['a whole number from 0 to 60000', '-1', '60001', '5s'],
  CRM_CACHE_TTL_MS: ['a whole number from 0 to 60000', '-1', '60001', '5s'],
  FORUM_CACHE_TTL_MS: ['a whole number from 0 to 60000', '-1', '60001', '5s'],
  ANSWER_CACHE_BYTES: ['a whole number from 0 to 1073741824', '-1', '1073741825', '64MB'],
  ANSWER_CACHE_IDLE_MS: ['a whole number from 1000 to 3600000', '999', '3600001', '5m'],
  PAGE_LIST_MS: ['a whole number from 0 to 60000', '-1', '60001', '30s'],
  IDEMPOTENCY: ['one of auto, memory, redis, off', 'on', 'true', 'REDIS'],
  IDEMPOTENCY_TTL_MS: ['a whole number from 60000 to 604800000', '59999', '604800001', '1d'],
  IDEMPOTENCY_MAX_RECEIPTS: ['a whole number from 10 to 1000000', '9', '1000001', 'many'],
  RESPONSE_COMPRESSION: ['one of true, false', 'gzip', 'auto'],
  UPSTREAM_COMPRESSION: ['one of auto, on, off', 'gzip', 'true'],
  MAX_TOKENS: ['a whole number from 1 to 1000000', '0', '1,000'],
  MAX_DEPTH: ['a whole number from 1 to 1000', '0', '1001', 'deep'],
  MAX_ALIASES: ['a whole number from 0 to 100000', '-1', 'x'],
  MAX_DIRECTIVES: ['a whole number from 0 to 100000', '-1', 'x'],
  MAX_COST: ['a whole number from 1 to 1000000000', '0', '1000000001', '1e5', 'x'],
  MAX_PAGE_SIZE: ['a whole number from 1 to 100000', '0', '100001', 'x'],
  MAX_ENTITIES: ['a whole number from 1 to 100000', '0', '100001', 'x'],
  OTEL_SDK_DISABLED: ['one of false, true', 'yes', '1'],
  OTEL_TRACES_EXPORTER: ['one of auto, otlp, none', 'console', 'zipkin', 'otlp,console'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ADDRESS,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ADDRESS,
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/protobuf alone', 'grpc', 'http/json'],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ['http/protobuf alone', 'grpc'],
  OTEL_TRACES_SAMPLER: [
    'always_on, always_off or traceidratio, or one of these after parentbased_',
    'always',
    'jaeger_remote',
    'parentbased_',
  ],
  OTEL_TRACES_SAMPLER_ARG: ['a number from 0 to 1', '1.5', '-0.1', '1e-3', '50%', '.5', 'x'],
  OTEL_BSP_SCHEDULE_DELAY: ['a whole number from 1 to 600000', '0', 'x'],
  OTEL_BSP_EXPORT_TIMEOUT: ['a whole number from 1 to 600000', '0', 'x'],
  OTEL_BSP_MAX_QUEUE_SIZE: ['a whole number from 1 to 100000', '0', '100001', 'x'],
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: ['a whole number from 1 to 10000', '0', '10001', 'x'],
  OTEL_PROPAGATORS: ['some of tracecontext, baggage, none, separated by commas', 'b3', 'tracecontext,b3', ','],
  PASS_TRACE_CONTEXT: ['one of false, true', 'yes', '1', 'TRUE'],
  TRACE: ['one of auto, true, false', 'yes', '1', 'TRUE'],
  SUBGRAPH: ['one of false, true', 'yes', '1', 'TRUE'],
  SUBGRAPH_TAGS: ['one of false, true', 'yes', '1', 'TRUE'],
  PUBLIC: ['one of false, true', 'yes', '1', 'TRUE'],
  MAX_NODES: ['a whole number from 1 to 10000', '0', 'x'],
  MAX_BULK: ['a whole number from 1 to 10000', '0', 'x'],
  BULK_TIMEOUT_MS: ['a whole number from 1 to 600000', '0', '600001', 'x'],
  BASE_PATH: [
    'a path such as /a/b, with letters, digits and `-._~`, and without `//`, `..` or a slash at its end',
    '/a/',
    '/a//b',
    '/a/../b',
  ],
  CORS_HEADERS: [
    'names of headers without `*`, separated by commas',
    '*',
    'X-*',
    'X-One,,X-Two',
    'X One',
    'X-One;',
    'X-Ä',
    '"x"',
  ],
  CORS_ORIGINS: [
    'origins such as https://app.example, or localhost, separated by commas',
    'localhost:3000',
    '*',
    'null',
    'app.example',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example,*',
    'https://app.example;https://b.example',
    'https://*.example',
  ],
  REDIS_URL: [
    'an address such as rediss://user:password@host:6379/0, without a query or fragment',
    'redis.example',
    'http://redis.example',
    'redis://',
    'redis://:canary@',
    'redis://redis.example/canary',
    'redis://redis.example/1/2',
    'redis://canary:canary@redis.example?family=6',
    'redis://redis.example#canary',
    'redis://canary:%@redis.example',
    'redis://redis.example:65536',
    '/run/redis.sock',
  ],
  HASH_SECRET: ['a text of at least 32 characters', 'short', 'canary-canary-canary-canary-31c'],
  RATE_LIMIT: ['a whole number from 0 to 100000000', '-1', '100000001', '60/s', '1.5'],
  RATE_LIMIT_ADDRESS: ['a whole number from 0 to 100000000', '-1', '100000001', 'none'],
  SANDBOX: ['one of auto, true, false', 'yes', '1', 'TRUE'],
  GRAPHIQL: ['one of auto, true, false', 'yes', '1', 'TRUE'],
  TRUSTED_DOCUMENTS: ['JSON files, separated by commas', ',', 'a.json,', 'a.json,,b.json'],
  TRUSTED_DOCUMENTS_ONLY: ['one of false, true', 'yes', '1', 'TRUE'],
  APQ_CACHE_BYTES: ['a whole number from 0 to 1073741824', '-1', '1073741825', '1MB'],
  LOG_LEVEL: ['one of silent, error, warn, info, debug', 'trace', 'INFO', 'verbose'],
  SHUTDOWN_TIMEOUT_MS: ['a whole number from 0 to 600000', '-1', '600001', 'soon'],
};

/** These take any text. */
const ANY = [
  ...Object.keys(tlsSettings),
  ...['HOST', 'METRICS_HOST', 'NODE_ENV', 'FLEX_SCHEMA'],
  ...['API_TOKEN', 'CRM_TOKEN', 'FORUM_AUTHORIZATION'],
];

test('each setting is tried', () => {
  expect([...Object.keys(WRONG), ...ANY].sort()).toEqual(Object.keys(settings).sort());
});

describe.each(Object.entries(WRONG))('%s', (name, [takes, ...wrong]) => {
  test.each(wrong)('refuses %j in one line that does not repeat it', (given) => {
    expect(() => readConfig({ [name]: given })).toThrow(new ConfigError(`${name} takes ${takes}.`));
    expect(() => readConfig({ [name]: ` ${given} ` })).toThrow(ConfigError);
  });
});

test.each(Object.keys(settings))('%s counts as not set when it is empty', (name) => {
  for (const empty of ['', ' ', '\t', undefined]) expect(readConfig({ [name]: empty })).toEqual(readConfig({}));
});

test('without any setting the defaults are the documented ones', () => {
  expect(readConfig({}).ACCOUNT_URL).toBeUndefined();
  expect(readConfig({}).FLEX_URL).toBeUndefined();
  expect(readConfig({})).toMatchObject({
    PORT: 4000,
    HOST: '127.0.0.1',
    BASE_PATH: '',
    SANDBOX_PORT: 4001,
    UPSTREAM_TIMEOUT_MS: 10_000,
    OPERATION_TIMEOUT_MS: 60_000,
    UPSTREAM_CONNECTIONS: 128,
    FLEX_COOKIES: [],
    TRUST_PROXY: 0,
    CORS_HEADERS: [],
    CORS_ORIGINS: [],
    LOG_LEVEL: 'info',
  });
});

test('what a setting takes is read, white space around it aside', () => {
  const config = readConfig({
    PORT: ' 8080 ',
    HOST: '::1',
    ACCOUNT_URL: 'https://account.example/base/',
    MAX_ALIASES: '0',
    FLEX_COOKIES: 'flex_key, __Host-session',
    TRUST_PROXY: '2',
    CORS_ORIGINS: 'https://app.example, http://localhost:3000, localhost',
    GRAPHIQL: 'false',
    API_TOKEN: 'a/b',
  });
  expect(config).toMatchObject({ PORT: 8080, HOST: '::1', MAX_ALIASES: 0, GRAPHIQL: 'false', API_TOKEN: 'a/b' });
  expect(config).toMatchObject({ FLEX_COOKIES: ['flex_key', '__Host-session'], TRUST_PROXY: 2 });
  expect(config.ACCOUNT_URL?.href).toBe('https://account.example/base/');
  expect(config.CORS_ORIGINS).toEqual(['https://app.example', 'http://localhost:3000', 'localhost']);
});

test('OTEL_PROPAGATORS is a list, and a share a number', () => {
  const config = readConfig({
    OTEL_PROPAGATORS: 'baggage, none',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  expect(config).toMatchObject({ OTEL_PROPAGATORS: ['baggage', 'none'], OTEL_TRACES_SAMPLER_ARG: 0.25 });
});

test('REDIS_URL is read into its parts, and neither it nor HASH_SECRET is shown by any text', () => {
  const HASH_SECRET = 'canary-canary-canary-canary-canary';
  const { REDIS_URL } = readConfig({ REDIS_URL: 'redis://redis.example', HASH_SECRET });
  expect(REDIS_URL?.reveal()).toEqual({ host: 'redis.example', port: 6379, tls: false, database: 0 });
  const config = readConfig({ REDIS_URL: 'rediss://us%20er:canary%40@[::1]:6380/15', HASH_SECRET });
  const login = { username: 'us er', password: 'canary@' };
  expect(config.REDIS_URL?.reveal()).toEqual({ host: '::1', port: 6380, tls: true, database: 15, ...login });
  expect(config.HASH_SECRET?.reveal()).toBe(HASH_SECRET);
  for (const shown of [
    JSON.stringify(config),
    inspect(config, { depth: 5, showHidden: true }),
    `${config.REDIS_URL}`,
  ]) {
    expect(shown).not.toContain('canary');
    expect(shown).not.toContain('6380');
  }
});

test('IDEMPOTENCY=redis needs REDIS_URL', () => {
  const needsRedis = 'IDEMPOTENCY=redis needs REDIS_URL: receipts of writes are kept there.';
  expect(() => readConfig({ IDEMPOTENCY: 'redis' })).toThrow(new ConfigError(needsRedis));
  for (const IDEMPOTENCY of ['memory', 'auto', 'off'])
    expect(readConfig({ IDEMPOTENCY }).IDEMPOTENCY).toBe(IDEMPOTENCY);
});

test('REDIS_URL needs HASH_SECRET', () => {
  const message =
    'REDIS_URL needs HASH_SECRET: a text of at least 32 characters, the same for all gateways that share the Redis.';
  expect(() => readConfig({ REDIS_URL: 'redis://:canary@redis.example' })).toThrow(new ConfigError(message));
  expect(readConfig({ HASH_SECRET: 'x'.repeat(32) }).REDIS_URL).toBeUndefined();
});

test('MAX_UNREAD_BYTES holds one response at least', () => {
  const message =
    'MAX_UNREAD_BYTES takes MAX_RESPONSE_BYTES at least: a single response would be cut while its caller reads it.';
  expect(() => readConfig({ MAX_UNREAD_BYTES: '1000000' })).toThrow(message);
  expect(readConfig({ MAX_UNREAD_BYTES: '1000000', MAX_RESPONSE_BYTES: '1000000' }).MAX_UNREAD_BYTES).toBe(1_000_000);
});

test.each([...removedSettings])('%s of earlier releases ends the start with what to use instead', (name, advice) => {
  expect(() => readConfig({ [name]: '1' })).toThrow(new ConfigError(`${name} is no longer a setting: ${advice}.`));
  expect(() => readConfig({ [name]: '' })).not.toThrow();
  expect(settings).not.toHaveProperty(name);
});

test('PUBLIC needs the address of the flex API, where another API has one', () => {
  const given = { PUBLIC: 'true', FLEX_SCHEMA: 'flex.schema.json', CRM_URL: 'https://crm.example' };
  expect(() => readConfig(given)).toThrow(/^PUBLIC=true needs .*: set FLEX_URL or ACCOUNT_URL\.$/);
  for (const name of ['FLEX_URL', 'ACCOUNT_URL'])
    expect(readConfig({ ...given, [name]: given.CRM_URL }).PUBLIC).toBe('true');
  expect(readConfig({ ...given, CRM_URL: '' }).PUBLIC).toBe('true');
});

test('flags go before the environment', () => {
  const environment = { MAX_DEPTH: '3', PORT: '8080' };
  expect(readConfig(environment, { MAX_DEPTH: '2' })).toMatchObject({ MAX_DEPTH: 2, PORT: 8080 });
  expect(() => readConfig({}, { MAX_DEPTH: 'x' })).toThrow(/^MAX_DEPTH takes /);
});

test('variables that are none of the settings are left alone', () => {
  expect(readConfig({ PATH: '/bin', PORTS: 'x', port: 'x' })).toEqual(readConfig({}));
});

test('every setting is described for --help', () => {
  for (const [name, setting] of Object.entries(settings)) {
    expect(setting.meta()?.description, name).toMatch(/\.$/);
  }
});
