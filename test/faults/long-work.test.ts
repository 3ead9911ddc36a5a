import { expect, test } from 'vitest';
import { longSteps } from '../support/clock.ts';
import { HELD } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { LONG_OPERATIONS } from '../../bench/bounds/long-operations.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// What takes long is done in steps, each of which may end a turn of the event loop: other requests are served in between.

test.each(LONG_OPERATIONS)('$name, in steps between which others are served', async (work) => {
  const size = work.size.counted;
  const upstream = await stubUpstream(says(work.list(size)));
  const { execute } = await gatewayOver(upstream.url, { ...HELD, CRM_URL: new URL(upstream.url) }, 'token');
  const turns = longSteps();
  const { data, errors } = await execute(work.query, { variables: work.variables?.(size) ?? {} });
  const messages = (work.errors?.(size) ?? []).map((text) => ({ message: expect.stringContaining(text) }));
  expect(errors).toMatchObject(messages);
  if (work.data) expect(data).toEqual(work.data(size));
  expect(turns()).toBeGreaterThanOrEqual(work.turns ?? 0);
});
