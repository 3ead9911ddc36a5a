import { onTestFinished } from 'vitest';
import { Departure } from '../../../src/calls/transport/departure.ts';
import type { Outgoing } from '../../../src/calls/transport/messages.ts';
import { Turns } from '../../../src/calls/transport/turns.ts';
import { Upstream, type UpstreamOptions } from '../../../src/calls/transport/upstream.ts';
import { API } from '../../support/fake-upstream.ts';

/** A caller who does not leave. */
export const STAYS = new Departure();

/** A read whose answer may have 10 bytes. */
export const get: Outgoing = {
  method: 'GET',
  target: '/a',
  headers: { accept: 'application/json' },
  body: null,
  isRead: true,
  limit: { bytes: 10, setting: 'MAX_RECORD_BYTES' },
};

/** Calls this address over one connection, until the test ends. */
export function upstreamAt(url: string | undefined, more: Partial<UpstreamOptions> = {}): Upstream {
  const address = url === undefined ? undefined : new URL(url);
  const limits = { timeoutMs: 2_000, connections: 1, maxWaiting: 10 };
  const upstream = new Upstream(API, { url: address, ...limits, turns: new Turns(), ...more });
  onTestFinished(async () => upstream.close());
  return upstream;
}
