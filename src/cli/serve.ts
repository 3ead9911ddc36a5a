import { hasCertificates } from '../calls/transport/certificates.ts';
import { apiNames, addressOf, apis } from '../config/apis.ts';
import { type Config, ConfigError, type Flags, readConfig } from '../config.ts';
import { startMetricsServer } from '../observe/metrics/start.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';
import type { Gateway, GatewayOptions } from '../edge/server.ts';
import { upstreamBanner } from './banner.ts';
import { demoBanner, demoCredentials, demoHints, hasDemoCallers, sandboxSettings } from './demo.ts';
import { graphiqlTabs, publicTabs } from './graphiql-tabs.ts';
import { announce, tell } from './output.ts';
import { importAndStartSandbox } from './sandbox.ts';
import { misspelledSettings, misspellingMessage, settingWarnings } from './setting-warnings.ts';
import { onHangup, terminationSignal, uncaughtErrors } from './termination.ts';
import { explainListenError, schemaFlags, textOrNone, UsageError, type Values } from './usage.ts';

/** `trivium serve` */
export async function serve(values: Values): Promise<number> {
  const { subgraph, seed } = values;
  const flags: Flags = { ...(subgraph && { SUBGRAPH: 'true' }), ...schemaFlags(values) };
  const config = readConfig(undefined, flags);
  const hasUpstream = apiNames.some((name) => addressOf(name, config) !== undefined);
  assertSandboxIsMeant(config, hasUpstream);
  if (hasUpstream && seed !== undefined)
    throw new UsageError('--seed is for the sandbox, which does not start when an API has an address.');
  const options = { port: config.SANDBOX_PORT, seed: textOrNone(seed) };
  const sandbox = hasUpstream ? undefined : await importAndStartSandbox(options, 'SANDBOX_PORT');
  const withSandbox: Flags = { ...flags, ...(sandbox && sandboxSettings(sandbox.urls, config)) };
  const onListening = (url: string) => {
    const endpoint = `${url}${config.BASE_PATH}/graphql`;
    const role = roleOf(config);
    const banner = sandbox ? demoBanner(endpoint, role, sandbox, config) : upstreamBanner(endpoint, role, config);
    announce('info', banner, { msg: `trivium serves ${endpoint}${role}` });
  };
  const isDemo = sandbox !== undefined && hasDemoCallers(sandbox);
  await warnOfSettings(config);
  try {
    return await serveGateway(readConfig(undefined, withSandbox), isDemo, onListening);
  } finally {
    await sandbox?.close();
  }
}

/**
 * In production the sandbox, whose tokens are public, is served only when it is asked for by name.
 *
 * @throws ConfigError without an address where the sandbox is not meant, and with one where it is
 */
function assertSandboxIsMeant({ SANDBOX, NODE_ENV }: Config, hasUpstream: boolean): void {
  const addresses = Object.values(apis)
    .map(({ prefix }) => `${prefix}_URL`)
    .join(', ');
  const isMeant = SANDBOX === 'true' || (SANDBOX === 'auto' && NODE_ENV !== 'production');
  if (!hasUpstream && !isMeant)
    throw new ConfigError(
      `No API has an address: set ${addresses}. To serve the sandbox, whose tokens are public, set SANDBOX=true.`,
    );
  if (hasUpstream && SANDBOX === 'true')
    throw new ConfigError(`SANDBOX=true takes no address of an API: unset SANDBOX, or ${addresses}.`);
}

/** The role of the gateway, for the banner, such as `, as a subgraph`. */
function roleOf({ SUBGRAPH, PUBLIC }: Config): string {
  return [...(SUBGRAPH === 'true' ? ['as a subgraph'] : []), ...(PUBLIC === 'true' ? ['for anonymous callers'] : [])]
    .map((part) => `, ${part}`)
    .join('');
}

async function warnOfSettings(config: Config): Promise<void> {
  const misspelled = misspelledSettings().map((names) => [names, misspellingMessage(names)] as const);
  const warnings = [...misspelled, ...settingWarnings(config).map(([setting, text]) => [{ setting }, text] as const)];
  if (warnings.length === 0) return;
  const { createLog, standardError } = await import('../observe/log.ts');
  const log = createLog(config.LOG_LEVEL, await standardError());
  for (const [fields, message] of warnings) log.warn(fields, message);
}

async function serveGateway(config: Config, demo: boolean, onListening: (url: string) => void): Promise<number> {
  const gateway = await importAndStartGateway(config, optionsFor(config, demo));
  const end = terminationSignal(); // in the turn in which the gateway listens: a signal would cut its first requests
  const errors = uncaughtErrors(gateway.logUncaught);
  const metrics = await serveMetrics(config, gateway.metrics).catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
  // Without files to read again SIGHUP ends the process, as Node has it.
  if (hasCertificates(config) || config.TRUSTED_DOCUMENTS.length > 0) onHangup(gateway.renew);
  onListening(gateway.url);
  await Promise.race([end, errors.first]);
  await gateway.beginShutdown();
  await gateway.close();
  metrics?.close();
  return errors.exitCode();
}

/** The content of the gateway's pages, and its hints. */
function optionsFor({ PUBLIC }: Config, demo: boolean): GatewayOptions {
  return {
    graphiql: PUBLIC === 'true' ? publicTabs : (model) => graphiqlTabs(demo, model),
    ...(demo && { demo: demoCredentials, hints: demoHints }),
  };
}

/** Serves metrics where METRICS_PORT says, and prints their address. Undefined without metrics. */
async function serveMetrics(config: Config, metrics: Metrics | undefined) {
  if (!metrics) return undefined;
  const server = await startMetricsServer(config, () => metrics.text()).catch(
    explainListenError('METRICS_PORT', 'METRICS_HOST'),
  );
  tell(`Metrics are at ${server.url}\n`);
  return server;
}

async function importAndStartGateway(config: Config, options: GatewayOptions): Promise<Gateway> {
  const { createGateway } = await import('../edge/server.ts');
  return createGateway(config, options).catch(explainListenError('PORT', 'HOST'));
}
