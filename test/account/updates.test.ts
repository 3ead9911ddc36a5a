import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

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
