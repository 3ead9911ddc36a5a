import { expect, test } from 'vitest';
import { flexGateway } from './support.ts';

test('a field after a public mutation reads the written records again in the same operation', async () => {
  const { ask, makeDb, makeRecords } = await flexGateway();
  const db = makeDb({ code: 'shop', public_methods: { update: true } });
  const [id] = makeRecords(db, [{ a: 1, b: 1 }]);
  const merge = (data: string) =>
    `updateFlexRecord(id: "FlexRecord:${db}:${id}", input: { merge: true, data: ${data} }) { ... on FlexRecord { data db { records { nodes { data } } } } }`;

  const data = await ask(`mutation {
    first: ${merge('{ a: 2 }')}
    updatePublicFlexRecord(code: "shop", id: "${id}", data: { b: 2 }) { __typename }
    last: ${merge('{ a: 3 }')}
  }`);
  expect(data).toMatchObject({ last: { data: { a: 3, b: 2 } } });
});
