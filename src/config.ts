import { z } from 'zod';
import { operationSettings } from './config/operation-settings.ts';
import { removedSettings } from './config/removed.ts';
import { rules } from './config/rules.ts';
import { serverSettings } from './config/server-settings.ts';
import { upstreamSettings } from './config/upstream-settings.ts';
import { idempotencySettings } from './idempotency/settings.ts';
import { metricsSettings } from './observe/metrics/start.ts';
import { otelSettings } from './observe/opentelemetry/settings.ts';
import { rateSettings } from './edge/rate-limits/rates.ts';
import { redisSettings } from './redis/redis.ts';
import { cacheSettings } from './calls/cache/settings.ts';
import { tlsSettings } from './config/tls-settings.ts';

/** The settings of the gateway. Each is an environment variable of the same name; an empty one counts as not set. */
export const settings = {
  ...serverSettings,
  ...upstreamSettings,
  ...tlsSettings,
  ...operationSettings,
  ...redisSettings,
  ...otelSettings,
  ...rateSettings,
  ...metricsSettings,
  ...cacheSettings,
  ...idempotencySettings,
};

const config = z.object(settings).readonly();

/** The checked settings, by name. */
export type Config = z.output<typeof config>;

/** Settings from the command line, as texts. They replace those of the environment. */
export type Flags = Readonly<Partial<Record<keyof typeof settings, string>>>;

/** An invalid setting. Its message is one line and never shows the value, which may be a secret. */
export class ConfigError extends Error {}

/**
 * Reads and checks all settings. No other code reads the values of the environment.
 *
 * @throws ConfigError for an invalid one, with its name and the values that it takes, for settings that break a rule, and for one of
 *   an earlier release, with what to use instead
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  flags: Flags = {},
): Config {
  for (const [name, advice] of removedSettings)
    if (environment[name]) throw new ConfigError(`${name} is no longer a setting: ${advice}.`);
  const { success, data, error } = config.safeParse({ ...environment, ...flags });
  if (!success) {
    const [issue] = error.issues;
    throw new ConfigError(`${issue?.path.join('.')} takes ${issue?.message}.`);
  }
  for (const rule of rules) {
    const message = rule(data);
    if (message !== undefined) throw new ConfigError(message);
  }
  return data;
}

/** Whether all that a program that serves says of itself goes to a machine: in production, outside of a terminal. */
export function logsForMachines(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return environment['NODE_ENV']?.trim() === 'production' && !process.stderr.isTTY;
}

/** The names of all variables of the environment that are not empty. */
export function variableNames(): string[] {
  return Object.entries(process.env).flatMap(([name, text]) => (text ? [name] : []));
}
