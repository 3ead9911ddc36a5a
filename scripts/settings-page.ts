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
`;
  return (await format(settingsFile, page)).code;
}
