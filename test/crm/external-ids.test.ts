import { describe, expect, test } from 'vitest';
import { externalIdMap } from '../../src/apis/crm/external-ids.ts';
import { crmGateway, crmOver } from './support.ts';

const create = `mutation ($ids: [ExternalIdInput!]) {
  createClient(input: { name: "x", externalIds: $ids }) {
    __typename
    ... on ValidationError { fields { field messages } }
    ... on Client { externalId }
  }
}`;
const read = '{ client(id: 7) { name externalIds { system value } } }';

describe('external ids', () => {
  test('external ids are a list in the input and a map on the wire; the record has the first', async () => {
    const { execute, bodies } = await crmGateway();
    const ids = [
      { system: 'shop', value: 'A-1' },
      { system: 'ledger', value: '007' },
    ];

    const { data } = await execute(create, { variables: { ids } });

    expect(data).toMatchObject({ createClient: { externalId: 'A-1' } });
    expect(bodies()).toEqual([{ api_token: '…', client: { name: 'x', external_ids: { shop: 'A-1', ledger: '007' } } }]);
  });

  test.each([
    ['an empty list is an empty map', [], null],
    ['the names of JavaScript properties are systems', ['__proto__', 'constructor', 'toString'], 'id of __proto__'],
    ['systems differ by case and spaces', ['shop', 'Shop', ' shop'], 'id of shop'],
  ])('%s', async (_name, systems, externalId) => {
    const { ask, sandbox } = await crmGateway();
    const ids = systems.map((system) => ({ system, value: `id of ${system}` }));
    expect(await ask(create, { variables: { ids } })).toMatchObject({ createClient: { externalId } });
    const map = systems.map((system) => `"${system}":"id of ${system}"`);
    expect(JSON.stringify(sandbox.requests[0]?.body)).toContain(`"external_ids":{${map.join(',')}}`);
  });

  test('each external id is looked at a few times, however many there are', () => {
    let looks = 0;
    const ids = Array.from({ length: 1_000 }, (_, index) => ({
      get system() {
        looks += 1;
        return String(index);
      },
      value: '1',
    }));
    expect(Object.keys(externalIdMap(ids) ?? {})).toHaveLength(1_000);
    expect(looks).toBeLessThanOrEqual(4 * 1_000);
  });
});

describe('external ids that upstream sends', () => {
  test.each([
    [{ shop: 'A-1', ledger: 7 }, [of('shop', 'A-1'), of('ledger', '7')]],
    [{}, []],
    [null, null],
    ['', null],
    [{ shop: null, ledger: '7' }, [of('ledger', '7')]],
    [{ shop: '' }, [of('shop', '')]],
    [{ shop: 9_007_199_254_740_992 }, [of('shop', '9007199254740992')]],
  ])('%j are read as %j', async (external_ids, expected) => {
    const { ask } = await crmOver({ 'GET /app/clients/7.json': { id: 7, name: 'x', external_ids } });
    expect(await ask(read)).toEqual({ client: { name: 'x', externalIds: expected } });
  });

  test.each([
    ['text', '"shop"'],
    ['a list', '["shop"]'],
    ['a number', '5'],
    ['a nested map', '{"shop":{"id":1}}'],
    ['a fraction', '{"shop":1.5}'],
    ['true', '{"shop":true}'],
  ])('as %s spoil their own field only', async (_name, json) => {
    const { execute } = await crmOver({
      'GET /app/clients.json': JSON.parse(`[{"id":7,"name":"x","external_ids":${json}},{"id":8,"external_ids":{}}]`),
    });
    const { data, errors } = await execute('{ clients { nodes { name externalIds { value } } } }');
    expect(data).toEqual({
      clients: {
        nodes: [
          { name: 'x', externalIds: null },
          { name: null, externalIds: [] },
        ],
      },
    });
    const path = ['clients', 'nodes', 0, 'externalIds'];
    expect(errors).toMatchObject([{ path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });
});

function of(system: string, value: string) {
  return { system, value };
}
