import { expect, test } from 'vitest';
import { publicBook } from './public-gateway.ts';
import { sharedTypedDatabase } from './support.ts';

// A record has several global ids: as a record of its database, of its table, and of public methods. A client may hold each.

const schema = { tables: { tasks: { fields: { title: 'string' } }, notes: { fields: { title: 'string' } } } };
const public_methods = { list: true, delete: true };

const openShop = sharedTypedDatabase({ code: 'shop', schema, public_methods });

type Shop = Awaited<ReturnType<typeof openShop>>;

const DELETED = '... on DeletedNode { deletedId deletedIds }';

/** A record of the table `tasks`, and its global ids. */
function task({ db, makeRecords }: Shop) {
  const [id = ''] = makeRecords([{ title: 'Oak' }], 'tasks');
  const publicIds = [`PublicFlexRecord:shop:${id}`, `PublicShopRow:${id}`];
  const typedIds = [`ShopTask:${id}`, `ShopNote:${id}`, `ShopUntabled:${id}`];
  return { id, flexId: `FlexRecord:${db}:${id}`, publicIds, typedIds };
}

test('a deletion by its type tells the other ids of the record, and none of another table', async () => {
  const shop = await openShop();
  const { id, flexId, publicIds } = task(shop);
  const data = await shop.ask(`mutation { gone: deleteShopTask(id: "${id}") { ${DELETED} } }`);
  const deletedId = `ShopTask:${id}`;
  expect(data).toEqual({ gone: { deletedId, deletedIds: [deletedId, flexId, ...publicIds] } });
});

test('a deletion as a record of its database does not know the table, and tells the ids of all', async () => {
  const shop = await openShop();
  const [one, other] = [task(shop), task(shop)];
  const data = await shop.ask(`mutation {
    one: deleteFlexRecord(id: "FlexRecord:shop:${one.id}") { ${DELETED} }
    bulk: deleteFlexRecords(ids: ["${other.flexId}"]) { ${DELETED} }
  }`);
  const gone = ({ flexId, publicIds, typedIds }: ReturnType<typeof task>) => ({
    ...{ deletedId: flexId, deletedIds: [flexId, ...publicIds, ...typedIds] },
  });
  expect(data).toEqual({ one: gone(one), bulk: [gone(other)] });
});

test('so does one by a public method', async () => {
  const shop = await openShop();
  const [one, other] = [task(shop), task(shop)];
  const data = await shop.ask(`mutation {
    one: deletePublicFlexRecord(code: "shop", id: "${one.id}") { ${DELETED} }
    other: deletePublicShopRow(id: "${other.id}") { ${DELETED} }
  }`);
  expect(data).toEqual({
    one: {
      deletedId: one.publicIds[0],
      deletedIds: [one.publicIds[0], one.flexId, one.publicIds[1], ...one.typedIds],
    },
    other: {
      deletedId: other.publicIds[1],
      deletedIds: [other.publicIds[1], other.flexId, other.publicIds[0], ...other.typedIds],
    },
  });
});

test('other records have the ids that they had', async () => {
  const shop = await openShop();
  const data = await shop.ask('mutation { made: createClient(input: { name: "a" }) { ... on Client { upstreamId } } }');
  const { upstreamId } = Object(Reflect.get(Object(data), 'made'));
  const deletedId = `Client:${upstreamId}`;
  expect(await shop.ask(`mutation { gone: deleteClient(id: "${upstreamId}") { ${DELETED} } }`)).toEqual({
    gone: { deletedId, deletedIds: [deletedId] },
  });
});

test('where public methods alone are served, no id of another type is told', async () => {
  const { ask, makeRecords, db } = await publicBook({ delete: true });
  const [id = ''] = makeRecords(db, [{ message: 'One' }]);
  const deletedId = `PublicBookRow:${id}`;
  expect(await ask(`mutation { gone: deletePublicBookRow(id: "${id}") { ${DELETED} } }`)).toEqual({
    gone: { deletedId, deletedIds: [deletedId] },
  });
});
