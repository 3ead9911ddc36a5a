import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Tracing } from './tracing.ts';

/** Starts tracing where the settings turn it on. Otherwise nothing of OpenTelemetry is loaded. */
export async function startTracing(config: Config, log: Logger): Promise<Tracing | undefined> {
  if (!isOn(config)) return undefined;
  const { Tracing } = await import('./tracing.ts');
  return new Tracing(config, log);
}

function isOn(config: Config): boolean {
  if (config.OTEL_SDK_DISABLED === 'true' || config.OTEL_TRACES_EXPORTER === 'none') return false;
  if (config.OTEL_TRACES_EXPORTER === 'otlp') return true;
  return (config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
}
