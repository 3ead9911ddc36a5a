import { hasCertificates } from '../tls/certificates.ts';
import { apiNames, addressOf, apis } from '../config/apis.ts';
import { type Config, ConfigError, type Flags, readConfig } from '../config.ts';
import { createSummedMetrics, startMetricsServer } from '../metrics/start.ts';
import type { Gateway, GatewayOptions } from '../server/server.ts';
import { driftLog, DriftReporter, readFlexSchema } from '../typed-flex/flex-schema.ts';
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
  const { subgraph, workers, seed } = values;
  const flags: Flags = {
    ...(subgraph && { SUBGRAPH: 'true' }),
    ...(typeof workers === 'string' && { WORKERS: workers }),
    ...schemaFlags(values),
  };
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
    return config.WORKERS > 1
      ? await serveByWorkers(config, withSandbox, isDemo, onListening)
      : await serveAlone(readConfig(undefined, withSandbox), isDemo, onListening);
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
function roleOf({ SUBGRAPH, PUBLIC, WORKERS }: Config): string {
  return [
    ...(SUBGRAPH === 'true' ? ['as a subgraph'] : []),
    ...(PUBLIC === 'true' ? ['for anonymous callers'] : []),
    ...(WORKERS > 1 ? [`by ${WORKERS} workers`] : []),
  ]
    .map((part) => `, ${part}`)
    .join('');
}

async function warnOfSettings(config: Config): Promise<void> {
  const misspelled = misspelledSettings().map((names) => [names, misspellingMessage(names)] as const);
  const warnings = [...misspelled, ...settingWarnings(config).map(([setting, text]) => [{ setting }, text] as const)];
  if (warnings.length === 0) return;
  const { createLog, standardError } = await import('../process/log.ts');
  const log = createLog(config.LOG_LEVEL, await standardError(config.WORKERS > 1));
  for (const [fields, message] of warnings) log.warn(fields, message);
}

async function serveAlone(config: Config, demo: boolean, onListening: (url: string) => void): Promise<number> {
  const gateway = await importAndStartGateway(config, optionsFor(config, demo));
  const end = terminationSignal(); // in the turn in which the gateway listens: a signal would cut its first requests
  const errors = uncaughtErrors(gateway.logUncaught);
  const metrics = await serveMetrics(config, gateway.metrics).catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
  // Without certificates SIGHUP ends the process, as Node has it.
  if (hasCertificates(config)) onHangup(gateway.renewCertificates);
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

async function serveByWorkers(
  config: Config,
  flags: Flags,
  demo: boolean,
  onListening: (url: string) => void,
): Promise<number> {
  const { killWorkers, runWorkers, workerSettings } = await import('../workers/primary.ts');
  const { createLog, logsUncaught, standardError } = await import('../process/log.ts');
  const log = createLog(config.LOG_LEVEL, await standardError(true));
  const errors = uncaughtErrors(logsUncaught(log));
  const metrics = await createSummedMetrics(config);
  const metricsServer = await serveMetrics(config, metrics);
  const { FLEX_SCHEMA } = config;
  const exitCode = await runWorkers({
    count: config.WORKERS,
    args: (number) => ['worker', '--number', String(number), ...(demo ? ['--demo'] : [])],
    environment: { ...flags, ...workerSettings(config) },
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    log,
    end: Promise.race([terminationSignal(killWorkers), errors.first]),
    onListening,
    metrics,
    onRunning: onHangup,
    readSnapshot:
      FLEX_SCHEMA === ''
        ? undefined
        : async () => ({ text: await readFlexSchema(FLEX_SCHEMA), news: new DriftReporter(driftLog(log)) }),
  }).finally(() => metricsServer?.close());
  return exitCode || errors.exitCode();
}

/** Serves metrics where METRICS_PORT says, and prints their address. Undefined without metrics. */
async function serveMetrics(config: Config, metrics: { text(): Promise<string> } | undefined) {
  if (!metrics) return undefined;
  const server = await startMetricsServer(config, () => metrics.text()).catch(
    explainListenError('METRICS_PORT', 'METRICS_HOST'),
  );
  tell(`Metrics are at ${server.url}\n`);
  return server;
}

/** `trivium worker` */
export async function runWorker({ number, demo }: Values): Promise<number> {
  const { joinPrimary } = await import('../workers/worker.ts');
  const primary = joinPrimary();
  if (!primary) throw new UsageError('trivium worker is only for the processes that trivium serve --workers N starts.');
  const config = readConfig();
  const { counts, recordTurns, reportDrift: onDrift } = primary;
  const flexSchema = config.FLEX_SCHEMA === '' ? undefined : await primary.flexSchema();
  const shared = { counts, recordTurns, flexSchema, onDrift };
  const options = { ...optionsFor(config, demo === true), worker: Number(number), ...shared };
  const gateway = await importAndStartGateway(config, options).catch((error: unknown) => {
    primary.leave();
    throw error;
  });
  const errors = uncaughtErrors(gateway.logUncaught);
  const { metrics } = gateway;
  if (metrics) primary.reportMetrics(() => metrics.report());
  const end = await Promise.race([primary.reportListening(gateway.url), errors.first]);
  await gateway.beginShutdown({ isReplaced: end === 'replaced', connectionsHaveCome: primary.connectionsHaveCome });
  if (metrics) primary.sendMetrics(await metrics.report()); // its release ends the connection to the primary
  await primary.requestRelease();
  await gateway.close();
  return errors.exitCode();
}

async function importAndStartGateway(config: Config, options: GatewayOptions): Promise<Gateway> {
  const { createGateway } = await import('../server/server.ts');
  return createGateway(config, options).catch(explainListenError('PORT', 'HOST'));
}
