import { expect, test } from 'vitest';
import { flexShop } from './support.ts';

test('a field after a public mutation reads the written records again in the same operation', async () => {
  const { ask, db, ids } = await flexShop([{ a: 1, b: 1 }], { public_methods: { update: true } });
  const [id] = ids;
  const merge = (data: string) =>
    `updateFlexRecord(id: "FlexRecord:${db}:${id}", input: { merge: true, data: ${data} }) { ... on FlexRecord { data db { records { nodes { data } } } } }`;

  const data = await ask(`mutation {
    first: ${merge('{ a: 2 }')}
    updatePublicFlexRecord(code: "shop", id: "${id}", data: { b: 2 }) { __typename }
    last: ${merge('{ a: 3 }')}
  }`);
  expect(data).toMatchObject({ last: { data: { a: 3, b: 2 } } });
});
