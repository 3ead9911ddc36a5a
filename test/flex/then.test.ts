import { expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';

const ROW = '{"id":"r","then":1,"data":{"then":{"then":"x"}}}';

test('a record with a key `then`, and an alias of that name, are no promises', async () => {
  const { ask } = await gatewayOverAnswers({
    'GET /flex/dbs/7.json': JSON.parse('{"id":"7","name":"Book","then":1}'),
    'GET /flex/dbs/7/records.json': JSON.parse(`[${ROW}]`),
  });

  const data = await ask('{ then: __typename flexDb(id: "7") { then: records { nodes { then: upstreamId data } } } }');
  expect(JSON.stringify(data)).toBe(
    '{"then":"Query","flexDb":{"then":{"nodes":[{"then":"r","data":{"then":{"then":"x"}}}]}}}',
  );
});
