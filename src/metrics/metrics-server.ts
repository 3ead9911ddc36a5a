import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';
import type { Config } from '../config.ts';

export interface MetricsServer {
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
  { METRICS_PORT, METRICS_HOST }: Config,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  let reading: Promise<string> | undefined;
  const readOnce = () => (reading ??= read().finally(() => (reading = undefined)));
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET' || url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at /metrics.\n');
      return;
    }
    readOnce().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(METRICS_PORT, METRICS_HOST, resolve);
  });
  return {
    url: `${urlOf(server)}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of the metrics has no address.');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
