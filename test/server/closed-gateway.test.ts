import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';
import { testConfig } from '../support/gateway.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** The settings of a gateway that was started, asked and closed. */
async function settingsOfClosedGateway() {
  const config = testConfig({ PORT: 0 });
  const gateway = await createGateway(config, { log: createLog('fatal', { write: () => {} }) });
  const { status } = await fetch(`${gateway.url}/health`, { headers: { connection: 'close' } });
  expect(status).toBe(200);
  await gateway.close();
  return new WeakRef(config);
}

test('a closed gateway leaves the memory', async () => {
  const settings = await settingsOfClosedGateway();
  await expect
    .poll(() => {
      if (typeof collectGarbage === 'function') collectGarbage();
      return settings.deref() === undefined; // whatever is returned is kept
    })
    .toBe(true);
});
