import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { demoForumAuthorization } from '../../src/cli/demo.ts';
import { gatewayOver, settingsFor } from '../support/gateway.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { fences, pagesOfDocs, read } from './pages.ts';

/** Pages with a test of their own: crm-examples.test.ts, together with the calls, and typed-flex.test.ts, with the types. */
const HELD_ELSEWHERE = ['docs/crm.md', 'docs/typed-flex.md'];

/** Every GraphQL operation of the other pages. */
const examples = ['README.md', ...pagesOfDocs.filter((page) => !HELD_ELSEWHERE.includes(page))].flatMap((page) =>
  fences(read(page), 'graphql')
    .filter(isOperation)
    .map((example, index) => ({ page, number: index + 1, example })),
);

/** Every query that a page sends by curl. */
const sent = ['README.md', 'docs/queries.md'].flatMap((page) =>
  [...read(page).matchAll(/-d '(\{"query":.*?\})'$/gm)].map(([, body = '']) => ({
    page,
    query: String(JSON.parse(body).query),
  })),
);

function isOperation(code: string): boolean {
  try {
    return parse(code).definitions.some(({ kind }) => kind === 'OperationDefinition');
  } catch {
    return false; // a part of a type definition
  }
}

async function run(query: string) {
  const { sandbox } = await freshSandbox({ demo: true });
  const { execute } = await gatewayOver(sandbox.urls.account, settingsFor(sandbox), 'demo-admin');
  return execute(query, { headers: { 'x-forum-authorization': demoForumAuthorization } });
}

test('the README and docs/queries.md have examples', () => {
  expect(examples.filter(({ page }) => page === 'README.md')).toHaveLength(1);
  expect(examples.filter(({ page }) => page === 'docs/queries.md')).toHaveLength(7);
  expect(sent.map(({ page }) => page)).toEqual(['README.md', 'docs/queries.md']);
});

test.each(examples)('$page: example $number answers something on the demo data', async ({ example }) => {
  const { data, errors } = await run(example);

  expect(errors).toEqual([]);
  expect(JSON.stringify(data)).toMatch(/"id":|"ACCEPTED"/);
});

test.each(sent)('$page: the query of the curl command is answered', async ({ query }) => {
  const { data, errors } = await run(query);

  expect(errors).toEqual([]);
  expect(JSON.stringify(data)).toMatch(/"(name|title)":/);
});

test('the README shows the answer to its example', async () => {
  const [example = ''] = fences(read('README.md'), 'graphql');
  const [answer = ''] = fences(read('README.md'), 'json');

  const { data } = await run(example);

  expect({ data }).toEqual(JSON.parse(answer));
});
