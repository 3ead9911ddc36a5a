import { expect, test } from 'vitest';
import { keyedGateway } from './support.ts';

// A write that reads something first may fail before its receipt is asked for. It must not tell of an earlier attempt what is wrong.

const MERGE = `mutation {
  updateFlexRecord(id: "FlexRecord:1:2", input: { data: { b: 2 }, merge: true }) { __typename }
}`;

async function merging() {
  const gateway = await keyedGateway();
  gateway.upstream.add('dbs', { name: 'db', code: 'c' });
  gateway.upstream.add('records', { data: { a: 1 }, table_name: null });
  return gateway;
}

test('a change that was carried out is APPLIED, also where its record was deleted since', async () => {
  const { under, upstream } = await merging();
  const first = await under('k')(MERGE);
  upstream.table('records').splice(0);
  const again = await under('k')(MERGE);
  expect(first).toMatchObject({ data: { updateFlexRecord: { __typename: 'FlexRecord' } }, errors: [] });
  expect(again.data).toEqual({ updateFlexRecord: null });
  expect(again.errors).toMatchObject([
    { path: ['updateFlexRecord'], extensions: { outcome: 'APPLIED' }, message: expect.stringContaining('was made') },
  ]);
  expect(again.extensions).toEqual({ idempotency: { updateFlexRecord: 'REPLAYED' } });
  expect(upstream.writes).toHaveLength(1);
});

test('a change that was carried out is APPLIED, also while nothing can be read', async () => {
  const { under, upstream } = await merging();
  await under('k')(MERGE);
  upstream.failReads(true);
  const again = await under('k')(MERGE);
  expect(again.errors).toMatchObject([{ extensions: { outcome: 'APPLIED', code: 'UPSTREAM_UNAVAILABLE' } }]);
});

test('a deletion whose outcome is unknown stays UNKNOWN while nothing can be read', async () => {
  const { under, upstream } = await merging();
  const query = 'mutation { deleteFlexDb(id: "c") { __typename } }';
  upstream.manners.push('drops');
  const first = await under('k')(query);
  upstream.failReads(true);
  const again = await under('k')(query);
  expect(first.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN' } }]);
  expect(again.data).toEqual({ deleteFlexDb: null });
  expect(again.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN', code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } }]);
});

test('a second click while the first is under way is UNKNOWN, also while nothing can be read', async () => {
  const { under, upstream } = await merging();
  upstream.manners.push('holds');
  const arrival = upstream.arrival();
  const first = under('k')(MERGE);
  await arrival;
  upstream.failReads(true);
  const again = await under('k')(MERGE);
  expect(again.errors).toMatchObject([{ extensions: { outcome: 'UNKNOWN', code: 'IDEMPOTENCY_IN_PROGRESS' } }]);
  upstream.release();
  expect((await first).extensions).toEqual({ idempotency: { updateFlexRecord: 'FIRST' } });
});

test('an item of a bulk mutation that was carried out is APPLIED while nothing can be read, and one that was not is REFUSED', async () => {
  const { under, upstream } = await merging();
  const query = `mutation {
    updateFlexRecords(onFailure: CONTINUE, inputs: [
      { id: "FlexRecord:1:2", input: { data: { b: 2 }, merge: true } }
      { id: "FlexRecord:1:3", input: { data: { b: 2 }, merge: true } }
    ]) { __typename }
  }`;
  upstream.add('records', { data: { a: 1 }, table_name: null });
  upstream.manners.push('answers', 'refuses');
  await under('k')(query);
  upstream.failReads(true);
  const again = await under('k')(query);
  expect(again.errors).toMatchObject([
    { path: ['updateFlexRecords', 0], extensions: { outcome: 'APPLIED' } },
    { path: ['updateFlexRecords', 1], extensions: { outcome: 'REFUSED' } },
  ]);
  expect(again.extensions).toEqual({ idempotency: { 'updateFlexRecords.0': 'REPLAYED' } });
});

test('a write that fails before its first attempt leaves no receipt', async () => {
  const { under, upstream } = await merging();
  upstream.failReads(true);
  const failed = await under('k')(MERGE);
  expect(failed.errors).toMatchObject([{ extensions: { outcome: 'REFUSED', code: 'UPSTREAM_UNAVAILABLE' } }]);
  upstream.failReads(false);
  expect((await under('k')(MERGE)).extensions).toEqual({ idempotency: { updateFlexRecord: 'FIRST' } });
});
