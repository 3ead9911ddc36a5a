import type { Logger } from 'pino';
import type { OtelSettings } from './settings.ts';
import type { Tracing } from './tracing.ts';

/**
 * Starts tracing where the settings turn it on. Otherwise nothing of OpenTelemetry is loaded.
 *
 * @param addresses those of the APIs, by their names: spans of calls have their hosts
 * @returns undefined when it is off
 */
export async function startTracing(
  config: OtelSettings,
  addresses: Readonly<Record<string, URL | undefined>>,
  log: Logger,
): Promise<Tracing | undefined> {
  if (!isOn(config)) return undefined;
  const { Tracing } = await import('./tracing.ts');
  return new Tracing(config, addresses, log);
}

function isOn(config: OtelSettings): boolean {
  if (config.OTEL_SDK_DISABLED === 'true' || config.OTEL_TRACES_EXPORTER === 'none') return false;
  if (config.OTEL_TRACES_EXPORTER === 'otlp') return true;
  return (config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
}
