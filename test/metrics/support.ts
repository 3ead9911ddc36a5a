import { onTestFinished } from 'vitest';
import { startMetricsServer } from '../../src/observe/metrics/start.ts';
import { type TestGateway, testConfig } from '../support/gateway.ts';

/** The settings of a gateway that keeps metrics. */
export const METERED = { METRICS_PORT: 0 } as const;

/** The values of metrics, by their series: `{ 'trivium_connections': 2 }`. */
export type Values = Readonly<Record<string, number>>;

/**
 * Serves the metrics of a gateway until the test ends.
 *
 * @returns a function that reads the values of the metrics whose names begin so, and that have no time in them
 */
export async function served({ metrics }: Pick<TestGateway, 'metrics'>) {
  const server = await startMetricsServer(testConfig(METERED), metrics);
  onTestFinished(() => server.close());
  const scrape = async () => (await fetch(server.url)).text();
  const values = async (...names: readonly string[]) => valuesIn(await scrape(), names);
  return { url: server.url, scrape, values };
}

/** The values of the metrics whose names begin with one of these. */
export function valuesIn(text: string, names: readonly string[]): Values {
  const lines = text.split('\n').filter((line) => names.some((name) => line.startsWith(name)));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** The names of the metrics in a text, in their order. */
export function namesIn(text: string): string[] {
  const names = text.matchAll(/^# TYPE (\S+) /gm);
  return [...new Set([...names].map(([, name = '']) => name))];
}
