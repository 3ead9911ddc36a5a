import { expect, test } from 'vitest';
import { play, SCENARIOS } from './recovery.ts';

test.each(SCENARIOS)(
  'eight connections, BATCH_READS $mode, $load of the capacity: who calls 5 s after upstream $trouble for $ms ms is served',
  async (scenario) => {
    const { begun, served } = await play(scenario, 8, { workers: 8, ms: 200 });
    expect(served).toBeGreaterThanOrEqual(Math.max(1, Math.floor(begun * scenario.servedPart)));
  },
);
