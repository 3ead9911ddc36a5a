import { createServer } from 'node:http';
import { optionalWholeNumber, text, type ValuesOf } from '../../config/setting.ts';
import { listen } from '../../system.ts';
import type { Metrics } from './metrics.ts';

/** The settings of the metrics for Prometheus. */
export const metricsSettings = {
  METRICS_PORT: optionalWholeNumber(
    65_535,
    'Port of the metrics for Prometheus, at /metrics; 0 picks a free one. Off without it.',
  ),
  METRICS_HOST: text('127.0.0.1', 'Address that the metrics are served on; nobody is asked for a credential there.'),
};

type MetricsSettings = ValuesOf<typeof metricsSettings>;

/** Creates the metrics of a process. Undefined without METRICS_PORT: prom-client is not loaded then. */
export async function createMetrics({ METRICS_PORT }: MetricsSettings): Promise<Metrics | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const { Metrics } = await import('./metrics.ts');
  return new Metrics();
}

interface MetricsServer {
  /** Such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): void;
}

/**
 * Serves metrics on METRICS_PORT. Requests that come together get the same text.
 *
 * @param read returns the metrics in the format of Prometheus
 */
export async function startMetricsServer(
  { METRICS_PORT, METRICS_HOST, BASE_PATH }: MetricsSettings & { readonly BASE_PATH: string },
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const { Registry } = await import('prom-client');
  let reading: Promise<string> | undefined;
  const readOnce = () => (reading ??= read().finally(() => (reading = undefined)));
  const server = createServer(({ method, url }, response) => {
    const [path = ''] = url?.split('?', 1) ?? [];
    if (method !== 'GET' || (path !== '/metrics' && path !== `${BASE_PATH}/metrics`)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at /metrics.\n');
      return;
    }
    readOnce().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const url = await listen(server, { port: METRICS_PORT, host: METRICS_HOST }, 'http');
  return {
    url: `${url}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
