import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';
import { DBS, flexGateway } from './support.ts';

// The address of the flex API, and the errors when the API cannot be reached.

const BOTH =
  '{ apiTokens { id } dashboards { id } flexDbs { id } publicFlexDb(code: "book") { code list { nodes { id } } } }';

describe('FLEX_URL', () => {
  test('FLEX_URL is the address of the flex API; no flex call goes to the account API', async () => {
    const [account, flex] = [await stubUpstream(says('[]')), await stubUpstream(says('[]'))];
    const { execute } = await gatewayOver(account.url, { FLEX_URL: new URL(`${flex.url}/base/`) }, 'token');

    expect((await execute(BOTH)).errors).toEqual([]);

    expect(account.received.toSorted()).toEqual(['GET /account/api_tokens.json', 'GET /toolkit/dashboards.json']);
    expect(flex.received.toSorted()).toEqual(['GET /base/flex/dbs.json', 'POST /base/flex/db/book/list']);
  });

  test('FLEX_URL defaults to ACCOUNT_URL', async () => {
    const upstream = await stubUpstream(says('[]'));
    const { execute } = await gatewayOver(upstream.url, {}, 'token');

    expect((await execute(BOTH)).errors).toEqual([]);

    expect(upstream.received).toHaveLength(4);
  });

  test('without FLEX_URL and ACCOUNT_URL, the errors of the fields name the setting', async () => {
    const { execute } = await gatewayOver(DEAD_ADDRESS, { ACCOUNT_URL: undefined }, 'token');

    const unset = { message: expect.stringContaining('set FLEX_URL'), extensions: { code: 'UPSTREAM_UNAVAILABLE' } };
    expect(await execute('{ flexDbs { id } publicFlexDb(code: "book") { list { nodes { id } } } }')).toMatchObject({
      data: { flexDbs: null, publicFlexDb: { list: null } },
      errors: [unset, unset],
    });
  });

  test('without FLEX_URL, an address that does not answer is told by ACCOUNT_URL', async () => {
    const { execute } = await gatewayOver(DEAD_ADDRESS, {}, 'token');
    expect((await execute('{ flexDbs { id } }')).errors).toMatchObject([
      { message: expect.stringContaining('is the address in ACCOUNT_URL right?') },
    ]);
  });

  test('FLEX_URL without ACCOUNT_URL fails the fields of the account API only', async () => {
    const flex = await stubUpstream(says('[]'));
    const settings = { FLEX_URL: new URL(flex.url), ACCOUNT_URL: undefined };
    const { execute } = await gatewayOver(DEAD_ADDRESS, settings, 'token');

    expect(await execute('{ apiTokens { id } flexDbs { id } }')).toMatchObject({
      data: { apiTokens: null, flexDbs: [] },
      errors: [{ message: expect.stringContaining('set ACCOUNT_URL'), extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    });
  });
});

describe('an API that is down fails its own fields only', () => {
  test('the flex API that is down fails the flex fields', async () => {
    const { execute } = await flexGateway({ FLEX_URL: new URL(DEAD_ADDRESS) });

    const { data, errors } = await execute(BOTH);

    expect(data).toEqual({
      apiTokens: [{ id: expect.any(String) }],
      dashboards: [],
      flexDbs: null,
      publicFlexDb: { code: 'book', list: null },
    });
    const down = (path: string[], endpoint: string) => ({
      path,
      message: expect.stringContaining('FLEX_URL'),
      extensions: { code: 'UPSTREAM_UNAVAILABLE', upstream: { api: 'flex', endpoint } },
    });
    expect(errors.toSorted((one, other) => (one.path?.length ?? 0) - (other.path?.length ?? 0))).toMatchObject([
      down(['flexDbs'], DBS),
      down(['publicFlexDb', 'list'], 'POST /flex/db/:db_code/list'),
    ]);
  });

  test('the account API that is down fails the account fields', async () => {
    const { execute, makeDb } = await flexGateway({ ACCOUNT_URL: new URL(DEAD_ADDRESS) });
    makeDb({ code: 'book', public_methods: { list: true } });

    const { data, errors } = await execute(BOTH);

    expect(data).toMatchObject({
      apiTokens: null,
      dashboards: null,
      flexDbs: [{ id: expect.any(String) }],
      publicFlexDb: { code: 'book', list: { nodes: [] } },
    });
    expect(errors).toHaveLength(2);
  });

  test('a failed search, or a failed read of its next row, fails the search only', async () => {
    const upstream = await stubUpstream((request, response) => {
      if (request.url?.includes('search')) response.writeHead(503).end();
      else response.end('[{"id":"a","name":"Shop"}]');
    });
    const { execute } = await gatewayOver(upstream.url, {}, 'token');

    const { data, errors } = await execute(`{ flexDbs { name
      rows: search { nodes { id } }
      probe: search { pageInfo { hasNextPage } }
      both: search { nodes { id } pageInfo { hasNextPage } }
    } }`);

    expect(data).toEqual({ flexDbs: [{ name: 'Shop', rows: null, probe: null, both: null }] });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).sort()).toEqual(
      ['both', 'probe', 'rows'].map((field) => [`flexDbs.0.${field}`, 'UPSTREAM_UNAVAILABLE']),
    );
  });
});
