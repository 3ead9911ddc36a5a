import { expect, test } from 'vitest';
import { settingsPage } from '../../scripts/settings-page.ts';
import { settings } from '../../src/config.ts';
import { read, unpadded } from './pages.ts';

const page = read('docs/settings.md');

test('docs/settings.md is what `npm run docs` writes', async () => {
  expect(page).toBe(await settingsPage());
});

test.each(Object.entries(settings))(
  'docs/settings.md has the setting %s with its default and its meaning',
  (name, setting) => {
    const { description, default: fallback } = setting.meta() ?? {};
    const shown = fallback === undefined || String(fallback) === '' ? '' : `\`${String(fallback)}\` `;

    expect(unpadded(page)).toContain(`| \`${name}\` | ${shown}| ${description} |`);
  },
);

test('docs/settings.md has no setting that does not exist', () => {
  const [own = ''] = page.split('\n## Read by OpenTelemetry\n');
  const listed = [...unpadded(own).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

  expect(listed).toEqual(Object.keys(settings));
});
