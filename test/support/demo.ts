import { afterAll, beforeAll } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { Observers } from '../../src/edge/gateway-parts.ts';
import { gatewayOver, settingsFor } from './gateway.ts';
import { reusableUrls } from './pool.ts';

/**
 * A sandbox with demo data for all tests of a file, each API on an origin of its own: filling one takes longer than most
 * tests. What a test writes the next one finds.
 *
 * @returns a function that starts a gateway over it, which runs operations as demo-admin
 */
export function sharedDemo() {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ origins: 'own' });
    reusableUrls.add(sandbox.urls.account);
  });
  afterAll(() => sandbox.close());
  return async (settings: Partial<Config> = {}, observers: readonly Observers[] = []) => {
    sandbox.forgetCalls();
    const all = { ...settingsFor(sandbox), ...settings };
    const over = await gatewayOver(sandbox.urls.account, all, 'demo-admin', observers);
    return { ...over, sandbox };
  };
}
