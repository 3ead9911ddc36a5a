import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Ids that upstream itself hands out are parts of later paths, too: of those that could lead elsewhere none is sent back.

const AWAY = ['../../account/api_tokens', '..', 'a%2fb', 'a?b=c', '..;x'];

async function handingOut(id: string) {
  const upstream = await stubUpstream((request, response) => {
    const isList = request.url?.startsWith('/flex/dbs.json');
    response.end(isList ? JSON.stringify([{ id, name: 'Odd', code: 'odd' }]) : '[]');
  });
  return { ...(await gatewayOver(upstream.url, {}, 'token')), received: upstream.received };
}

test.each(AWAY)('the id %s of a database leads nowhere', async (id) => {
  const { execute, received } = await handingOut(id);
  const { data, errors } = await execute('{ flexDbs { name records(first: 5) { nodes { id } } } }');
  expect(data).toEqual({ flexDbs: [] });
  expect(errors).toMatchObject([{ path: ['flexDbs'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  expect(received).toEqual(['GET /flex/dbs.json']);
});
