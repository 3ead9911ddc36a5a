import { expect, test } from 'vitest';
import { play, SCENARIOS } from './recovery.ts';

test.each(SCENARIOS)(
  'one connection, BATCH_READS $mode, $load of the capacity: who calls 5 s after upstream $trouble for $ms ms is served',
  async (scenario) => {
    const { begun, served } = await play(scenario, 1, { workers: 1, ms: 25 });
    expect(served).toBeGreaterThanOrEqual(Math.max(1, Math.floor(begun * scenario.servedPart)));
  },
);
