import { expect, test } from 'vitest';
import { play, SCENARIOS } from './recovery.ts';

// The upstream processes fewer requests at once than there are connections, so requests wait at the upstream, not in the queue.

test.each(SCENARIOS)(
  '128 connections, BATCH_READS $mode, $load of the capacity: who calls 5 s after upstream $trouble for $ms ms is served',
  async (scenario) => {
    const { begun, served } = await play(scenario, 128, { workers: 4, ms: 100 });
    expect(served).toBeGreaterThanOrEqual(Math.max(1, Math.floor(begun * scenario.servedPart)));
  },
);
