import { optionalWholeNumber, text } from './setting.ts';

/** The settings of the metrics for Prometheus. */
export const metricsSettings = {
  METRICS_PORT: optionalWholeNumber(
    65_535,
    'Port of the metrics for Prometheus, at /metrics; 0 picks a free one. Off without it.',
  ),
  METRICS_HOST: text('127.0.0.1', 'Address that the metrics are served on; nobody is asked for a credential there.'),
};
