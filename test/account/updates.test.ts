import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Not documented: what a PATCH answers.
test.each([
  ['nothing', ''],
  ['a text', '"ok"'],
  ['an object without an id', '{"status":"ok"}'],
])('a change that upstream answers with %s is read by id', async (_name, answer) => {
  const upstream = await stubUpstream(({ method }, response) => {
    response.end(method === 'PATCH' ? answer : '{"id":7,"name":"Read anew"}');
  });
  const { ask } = await gatewayOver(upstream.url);

  const data = await ask(
    `mutation {
      updateApiToken(id: 7, input: { name: "x" }) { ... on ApiToken { id name } }
      updateDashboard(id: 7, input: { name: "x" }) { ... on Dashboard { id name } }
    }`,
    { token: 'any' },
  );

  expect(data).toEqual({
    updateApiToken: { id: 'ApiToken:7', name: 'Read anew' },
    updateDashboard: { id: 'Dashboard:7', name: 'Read anew' },
  });
  expect(upstream.received).toEqual([
    'PATCH /account/api_tokens/7.json',
    'GET /account/api_tokens/7.json',
    'PATCH /toolkit/dashboards/7.json',
    'GET /toolkit/dashboards/7.json',
  ]);
});

test('the layout that was sent is not shown in place of the one that upstream made of it', async () => {
  const upstream = await stubUpstream(({ method }, response) => {
    response.writeHead(method === 'GET' ? 503 : 200).end('"ok"');
  });
  const { execute } = await gatewayOver(upstream.url);
  const tiles = '{ name: "x", layout: [{ key: "tasks" }] }';

  const { data, errors } = await execute(
    `mutation {
      createDashboard(input: ${tiles}) { ... on Dashboard { name layout { key } } }
      updateDashboard(id: 7, input: ${tiles}) { ... on Dashboard { name layout { key } } }
    }`,
    { token: 'any' },
  );

  const written = { name: 'x', layout: null };
  expect(data).toEqual({ createDashboard: written, updateDashboard: written });
  const extensions = expect.objectContaining({ outcome: 'APPLIED' });
  expect(errors).toMatchObject(
    [
      { path: ['createDashboard', 'layout'], message: /The change was made/, extensions },
      { path: ['updateDashboard', 'layout'], message: /The change was made/, extensions },
    ].map((error) => ({ ...error, message: expect.stringMatching(error.message) })),
  );
});
