import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { read, unpadded } from './pages.ts';

const page = unpadded(read('docs/endpoints.md'));

test('docs/endpoints.md names every endpoint that the sandbox has', async () => {
  const { sandbox } = await freshSandbox();

  // Each public method has a GET twin, which the gateway does not call.
  const routes = sandbox.routes.filter((route) => !route.startsWith('GET /flex/db/'));
  for (const route of routes) expect(page).toContain(`\`${route}\``);
});

/** The endpoints that the descriptions of the queries name; `publicFlexDb` names those of its fields. */
const calling = Object.values(schema.getQueryType()?.getFields() ?? {})
  .filter(({ name }) => name !== 'publicFlexDb')
  .flatMap(({ name, description }) =>
    [...(description ?? '').matchAll(/`(GET [^`]*)`/g)].map(([, endpoint = '']) => [name, endpoint] as const),
  );

test.each(calling)('docs/endpoints.md says, like the schema, that %s calls %s', (field, endpoint) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${endpoint}\` |`));

  expect(row).toMatch(new RegExp(`\`${field}[\`(]`));
});
