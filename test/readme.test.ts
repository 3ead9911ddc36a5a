import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '../src/config.ts';
import * as errors from '../src/http/errors.ts';
import { schema } from '../src/schema.ts';
import { freshSandbox } from './support/sandbox.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replace(/[ -]{2,}/g, ' ');

test.each(Object.entries(settings))('the README tells the setting %s, its default and its meaning', (name, setting) => {
  const { description, default: fallback } = setting.meta() ?? {};
  const shown = fallback === undefined || String(fallback) === '' ? '' : `\`${String(fallback)}\` `;

  expect(readme).toContain(`| \`${name}\` | ${shown}| ${description} |`);
});

test('the README tells no setting that does not exist', () => {
  const table = readme.slice(readme.indexOf('## Settings'), readme.indexOf('## The real services'));
  const told = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

  expect(told).toEqual(Object.keys(settings));
});

test('the README names every endpoint that the sandbox has', async () => {
  const { sandbox } = await freshSandbox();

  // Each public method has a GET twin, which the gateway does not call.
  const routes = sandbox.routes.filter((route) => !route.startsWith('GET /flex/db/'));
  for (const route of routes) expect(readme).toContain(`\`${route}\``);
});

/** The endpoints that the descriptions of the queries name; `publicFlexDb` names those of its fields. */
const calling = Object.values(schema.getQueryType()?.getFields() ?? {})
  .filter(({ name }) => name !== 'publicFlexDb')
  .flatMap(({ name, description }) =>
    [...(description ?? '').matchAll(/`(GET [^`]*)`/g)].map(([, endpoint = '']) => [name, endpoint] as const),
  );

test.each(calling)('the README tells, like the schema, that %s calls %s', (field, endpoint) => {
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${endpoint}\` |`));

  expect(row).toMatch(new RegExp(`\`${field}[\`(]`));
});

test('the README names every code that an error can have', () => {
  for (const Failure of Object.values(errors)) {
    if (!(Failure.prototype instanceof errors.GatewayError)) continue;
    const { code } = Reflect.construct(Failure, ['', {}]);
    expect(readme).toContain(`| \`${code}\` |`);
  }
});
