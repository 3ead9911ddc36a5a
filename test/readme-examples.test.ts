import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoForumAuthorization } from '../src/demo.ts';
import { gatewayOver, settingsFor } from './support/gateway.ts';
import { freshSandbox } from './support/sandbox.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```graphql\n(.*?)```/gs)].map(([, example = '']) => example);

test('the README has examples', () => {
  expect(examples.length).toBeGreaterThan(1);
});

test.each(examples)('an example of the README answers something on the demo data: %#', async (example) => {
  const { sandbox } = await freshSandbox({ demo: true });
  const { execute } = await gatewayOver(sandbox.urls.account, settingsFor(sandbox), 'demo-admin');

  const { data, errors } = await execute(example, { headers: { 'x-forum-authorization': demoForumAuthorization } });

  expect(errors).toEqual([]);
  expect(JSON.stringify(data)).toMatch(/"id":/);
});
