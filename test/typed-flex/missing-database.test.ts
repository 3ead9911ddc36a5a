import { expect, test } from 'vitest';
import { gatewayOverText, REFUSAL } from '../flex/support.ts';
import { snapshotFile } from './snapshot-files.ts';

const shop = { id: '7', code: 'shop', schema: { tables: { tasks: { fields: { title: 'string', note: 'text' } } } } };
const GONE = 'The flex API has no database "shop" for this caller: it is gone, or of another account.';

test('lists and creations tell a database that is gone from a record that is', async () => {
  const { execute } = await gatewayOverText('{}', { status: 404, settings: { FLEX_SCHEMA: await snapshotFile(shop) } });

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
