import { expect, test } from 'vitest';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { REFUSAL } from '../flex/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { textFile } from './snapshot-files.ts';
import { snapshotOf } from './snapshots.ts';

const shop = { id: '7', code: 'shop', schema: { tables: { tasks: { fields: { title: 'string', note: 'text' } } } } };
const GONE = 'The flex API has no database "shop" for this caller: it is gone, or of another account.';

/** A gateway with the types of a shop, over an upstream that answers all calls so. */
async function typedOver(text: string, status: number) {
  const upstream = await stubUpstream(says(text, { status }));
  return gatewayOver(upstream.url, { FLEX_SCHEMA: await textFile(snapshotText(snapshotOf([shop]))) }, 'token');
}

test('lists and creations tell a database that is gone from a record that is', async () => {
  const { execute } = await typedOver('{}', 404);

  const { data, errors } = await execute(
    '{ shop { tasks { nodes { title } } task(id: 1) { title } untabled { nodes { id } } } }',
  );
  const created = await execute(`mutation { createShopTask(input: {}) { ${REFUSAL} } }`);

  expect(data).toEqual({ shop: { tasks: null, task: null, untabled: null } });
  expect(errors).toMatchObject([
    { message: GONE, path: ['shop', 'tasks'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    { message: GONE, path: ['shop', 'untabled'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
  ]);
  expect(created.data).toEqual({ createShopTask: { __typename: 'NotFoundError', message: GONE } });
});
