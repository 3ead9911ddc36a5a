import { format } from 'oxfmt';
import { settings } from '../src/config.ts';

/** The page that `settingsPage` writes, from the root of the project. */
export const settingsFile = 'docs/settings.md';

/** The text of docs/settings.md: a table of all settings, formatted as `npm run format` formats it. */
export async function settingsPage(): Promise<string> {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { description, default: fallback } = setting.meta() ?? {};
    const shown = fallback === undefined || String(fallback) === '' ? '' : `\`${String(fallback)}\``;
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  const page = `# Settings

<!-- \`npm run docs\` writes this page from src/config.ts. -->

Settings are environment variables. An empty one counts as not set. The start fails on a setting that cannot be used: a
wrong value, a port that is taken, a host that is not this machine. It then prints one line that names the setting, and
ends with exit code 2. A variable that is no setting and differs from one by a letter, such as \`CORS_ORIGIN\`, gives a
warning with both names. So do settings that are probably not meant: an \`UPSTREAM_TIMEOUT_MS\` above \`OPERATION_TIMEOUT_MS\`, another
\`NODE_ENV\` than \`production\`, \`development\` and \`test\`, and the \`HASH_SECRET\` of the example for Kubernetes.

| Setting | Default | Meaning |
| ------- | ------- | ------- |
${rows.join('\n')}

## Read by OpenTelemetry

Where [traces](tracing.md) are on, the exporter and the resource of OpenTelemetry's SDK read these variables themselves, as
[its documentation](https://opentelemetry.io/docs/languages/sdk-configuration/otlp-exporter/) says. A value that they cannot use is ignored, and no start fails on it.

| Variable | Default | Meaning |
| -------- | ------- | ------- |
| \`OTEL_EXPORTER_OTLP_HEADERS\` | | Headers for the collector, name=value, separated by commas, with percent-encoded values. Never shown. |
| \`OTEL_EXPORTER_OTLP_TIMEOUT\` | \`10000\` | Time in which a batch is sent again, and for which the collector may send nothing, in milliseconds. |
| \`OTEL_EXPORTER_OTLP_COMPRESSION\` | \`none\` | How batches are compressed: none or gzip. |
| \`OTEL_EXPORTER_OTLP_CERTIFICATE\` | | File with the authorities of the collector's certificate. |
| \`OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE\` | | File with the certificate that is shown to the collector. |
| \`OTEL_EXPORTER_OTLP_CLIENT_KEY\` | | File with its key. |
| \`OTEL_EXPORTER_OTLP_TRACES_…\` | | Each of these for traces alone; it goes first. |
| \`OTEL_SERVICE_NAME\` | \`trivium\` | Name of the service in traces. |
| \`OTEL_RESOURCE_ATTRIBUTES\` | | Attributes of this process in traces, name=value, separated by commas, with percent-encoded values. |
`;
  return (await format(settingsFile, page)).code;
}
