import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/**
 * Renders the metrics of a registry in the format of Prometheus. Operations go on between one metric and the next: all of
 * them at once may take 10 ms.
 */
export async function textOf(registry: Registry): Promise<string> {
  let text = '';
  for (const { name } of registry.getMetricsAsArray()) {
    text += `${await registry.getSingleMetricAsString(name)}\n\n`;
    await nextTurn();
  }
  return text;
}

/** The values of a registry, as one process sends them to another. Operations go on between one metric and the next. */
export async function reportOf(registry: Registry): Promise<readonly object[]> {
  const report: object[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric) report.push(await metric.get());
    await nextTurn();
  }
  return report;
}
