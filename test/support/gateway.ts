import { expect } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observe/log.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/server.ts';
import type { Observers } from '../../src/edge/gateway-parts.ts';
import { createGateway } from '../../src/edge/server.ts';
import { Pool, reusableUrls } from './pool.ts';
import { freshSandbox } from './sandbox.ts';

export interface Result {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
  readonly errors: readonly ResultError[];
  readonly extensions?: unknown;
}

interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The bearer token; null sends no credential. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

type Ask = (query: string, operation?: Operation) => Promise<unknown>;

export interface TestGateway {
  readonly url: string;
  /** Runs one operation over HTTP. */
  execute(query: string, operation?: Operation): Promise<Result>;
  /** Runs one operation that must have no error. Returns its data. */
  readonly ask: Ask;
  /** The lines that it has logged so far. */
  readonly logs: readonly string[];
  /** Its metrics, as Prometheus reads them. Empty unless METRICS_PORT is set. */
  metrics(): Promise<string>;
  /** As SIGHUP does. */
  readonly renew: () => Promise<void>;
  /** See `Gateway`. */
  readonly reset: () => Promise<void>;
  close(): Promise<void>;
}

/** The settings of a test: free ports, and whatever the test is about. */
export function testConfig(settings: Partial<Config> = {}): Config {
  // Tests send much at once, on machines that do other things, too: an overload is a test of its own.
  return { ...readConfig({ PORT: '0', SANDBOX_PORT: '0', MAX_WAIT_MS: '0' }), ...settings };
}

/** The settings that make a sandbox the upstream. */
export function settingsFor({ urls }: Sandbox): Partial<Config> {
  return {
    ACCOUNT_URL: new URL(urls.account),
    FLEX_URL: new URL(urls.flex),
    FLEX_COOKIES: ['flex_key'],
    CRM_URL: new URL(urls.crm),
    CRM_SHARES_TOKEN: 'true',
    FORUM_URL: new URL(urls.forum),
  };
}

/** Settings of features that a reset does not reach, such as metrics: a gateway with one of them is of one test alone. */
const REMEMBERS = /^(APQ|CORS|IDEMPOTENCY|METRICS|OTEL|RATE_LIMIT|REDIS|TRUSTED)_|^(FLEX_SCHEMA|TLS_|MAX_WAIT_MS)/;

const gateways = new Pool<StartedGateway>();

async function startGateway(config: Config, observers: readonly Observers[]) {
  const started: { logs: string[]; isReused: boolean } = { logs: [], isReused: false };
  const log = createLog('debug', { write: (line) => void started.logs.push(line) });
  return Object.assign(started, await createGateway(config, { log, observers }));
}

type StartedGateway = Awaited<ReturnType<typeof startGateway>>;

/**
 * A gateway over an upstream at this address, of this test until it ends. Tests of a file with the same settings have the same
 * one, which has forgotten what was before.
 */
export async function gatewayOver(
  accountUrl: string,
  settings: Partial<Config> = {},
  token = '',
  observers: readonly Observers[] = [],
): Promise<TestGateway> {
  const all = { ACCOUNT_URL: new URL(accountUrl), ...settings };
  const remembers = observers.length > 0 || Object.keys(all).some((name) => REMEMBERS.test(name));
  const options = reusableUrls.has(accountUrl) && !remembers ? all : undefined;
  const { item, close } = await gateways.take(options, () => startGateway(testConfig(all), observers));
  const { url, renew, reset } = item;
  if (item.isReused) item.logs = []; // those of the last test stay its own
  item.isReused = true;
  const metrics = async () => item.metrics?.text() ?? '';
  const execute = executor(url, token);
  return { url, logs: item.logs, metrics, renew, reset, close, execute, ask: asking(execute) };
}

/** Runs operations that must have no error. */
export function asking(execute: TestGateway['execute']): Ask {
  return async (query, operation) => {
    const { data, errors } = await execute(query, operation);
    expect(errors).toEqual([]);
    return data;
  };
}

/**
 * A gateway over a fresh sandbox, each of whose APIs has an origin of its own, with one account, and a user of all
 * permissions who runs the operations.
 */
export async function gateway(settings: Partial<Config> = {}, options: SandboxOptions = {}) {
  const { sandbox, call } = await freshSandbox({ origins: 'own', ...options });
  const { id: account } = sandbox.store.createAccount({
    modules: ['crm', 'cms', 'organize', 'mail', 'kb', 'marketing'],
  });
  const permissions = ['account_settings', 'dashboard_advanced', 'crm_notes_index', 'todo'] as const;
  const admin = sandbox.store.createUser({ account, permissions });
  const over = await gatewayOver(sandbox.urls.account, { ...settingsFor(sandbox), ...settings }, admin.token);
  return { ...over, sandbox: sandbox satisfies Sandbox, call, account, admin };
}

export function executor(url: string, defaultToken: string) {
  return async (query: string, { variables, token = defaultToken, headers }: Operation = {}): Promise<Result> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors = [], extensions } = await response.json();
    return { status: response.status, headers: response.headers, data, errors, extensions };
  };
}
