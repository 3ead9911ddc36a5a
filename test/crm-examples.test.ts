import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gatewayOver, settingsFor } from './support/gateway.ts';
import { freshSandbox } from './support/sandbox.ts';

const page = readFileSync(new URL('../docs/crm.md', import.meta.url), 'utf8');

/** Each example with what the page says that it calls. */
const examples = [...page.matchAll(/^## (.+?)$.*?```graphql\n(.*?)```\n\nCalls (.*?)\.\n/gms)].map(
  ([, title = '', query = '', calls = '']) => ({
    title,
    query,
    calls: [...calls.matchAll(/`(.+?)`/g)].map(([, call]) => call),
  }),
);

test('docs/crm.md has ten examples', () => {
  expect(examples).toHaveLength(10);
});

test.each(examples)('docs/crm.md: $title', async ({ query, calls }) => {
  const { sandbox } = await freshSandbox({ demo: true, origins: 'own' });
  // The page says what is called once lists are known: with one row or a hundred, clients come from theirs.
  const settings = { ...settingsFor(sandbox), BATCH_READS: 'list' } as const;
  const { execute } = await gatewayOver(sandbox.urls.account, settings, 'demo-admin');

  const { data, errors } = await execute(query);

  expect(errors).toEqual([]);
  // Something was found, and nothing was refused.
  expect(JSON.stringify(data)).toMatch(/"id":/);
  expect(JSON.stringify(data)).not.toMatch(/Error"|"nodes":\[\]/);
  expect(sandbox.calls().sort()).toEqual(calls.sort());
});
