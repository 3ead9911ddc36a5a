import { expect, test } from 'vitest';
import { ask, runningWorkers, workersIn } from './support.ts';

test('the workers of a gateway count operations together, and the limit holds for all of them', async () => {
  const gateway = await runningWorkers({ WORKERS: '2', ACCOUNT_URL: 'http://127.0.0.1:9', RATE_LIMIT: '5' });
  const answers: unknown[] = [];
  for (let left = 8; left > 0; left--) answers.push(await ask(gateway.endpoint, '{ __typename }'));
  const served = { data: { __typename: 'Query' } };
  const refused = { errors: [{ message: expect.stringContaining('5 operations'), extensions: expect.anything() }] };
  expect(answers).toEqual([...Array.from({ length: 5 }, () => served), refused, refused, refused]);

  gateway.signal('SIGTERM');
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(0);
  expect(workersIn(stderr)).toEqual([1, 2]);
});
