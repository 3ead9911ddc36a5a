import type { Config } from '../config.ts';
import type { MetricsServer } from '../metrics/metrics-server.ts';
import { print } from './output.ts';
import { explainListenError } from './usage.ts';

/**
 * Serves metrics where METRICS_PORT says, and prints their address.
 *
 * @param metrics undefined when METRICS_PORT is not set: nothing is served then
 */
export async function serveMetrics(
  config: Config,
  metrics: { text(): Promise<string> } | undefined,
): Promise<MetricsServer | undefined> {
  if (!metrics) return undefined;
  const { startMetricsServer } = await import('../metrics/metrics-server.ts');
  const server = await startMetricsServer(config, () => metrics.text()).catch(
    explainListenError('METRICS_PORT', 'METRICS_HOST'),
  );
  print(`Metrics are at ${server.url}\n`);
  return server;
}
