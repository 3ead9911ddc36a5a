import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { type Findings, findNulls, semanticPositions, withTypeNames } from '../support/semantic-nulls.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { sharedTypedDatabase } from './support.ts';

const schema = {
  tables: {
    orders: { fields: { title: 'string' }, indexed_fields: ['title'] },
    items: { fields: { name: 'string', order: 'string' }, indexed_fields: ['order'] },
  },
};
const openShop = sharedTypedDatabase(
  { code: 'shop', schema },
  { items: { order: { name: 'order', references: 'ShopOrder', as: 'items' } } },
);

const rows = 'edges { node { id } } nodes { id }';
const READS = withTypeNames(`{ shop {
  orders { edges { node { id items { ${rows} } } } nodes { id } } items { ${rows} } untabled { ${rows} }
} }`);
const writes = [
  'createShopOrder(input: { title: "n" })',
  'updateShopOrder(id: "ORDER", input: { title: "m" })',
  'deleteShopOrder(id: "ORDER")',
];

test('the fields that types of tables bring are null beside an error only, too', async () => {
  const { makeRecords, url, execute } = await openShop();
  const dead = await openShop({ FLEX_URL: new URL(DEAD_ADDRESS) });
  const [order = ''] = makeRecords([{ title: 'one' }], 'orders');
  makeRecords([{ name: 'leg', order }], 'items');
  makeRecords([{ name: 'stray' }]);
  const printed = buildSchema(await (await fetch(`${url}/schema.graphql`)).text());
  const findings: Findings = { filled: new Set(), failed: new Set(), unexplained: [] };
  const operations = [
    READS,
    ...writes.map((write) => withTypeNames(`mutation { ${write.replace('ORDER', order)} { __typename } }`)),
  ];
  for (const operation of operations) {
    for (const run of [dead.execute, execute]) findNulls(printed, operation, await run(operation), findings);
  }

  expect(findings.unexplained).toEqual([]);
  const typed = [...semanticPositions(printed)].filter(
    (found) => /[Ss]hop/.test(found) && !/\.\w+ShopItem@/.test(found),
  );
  expect([...findings.filled].filter((found) => /[Ss]hop/.test(found)).toSorted()).toEqual(typed.toSorted());
  expect([...findings.failed].toSorted()).toEqual([
    'Mutation.createShopOrder@0',
    'Mutation.deleteShopOrder@0',
    'Mutation.updateShopOrder@0',
    'Shop.items@0',
    'Shop.orders@0',
    'Shop.untabled@0',
  ]);
});
