import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { temporaryFolder, trivium } from '../cli/trivium.ts';
import { manifestFile, NOWHERE, send } from '../documents/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { startRedis } from './support.ts';

const HASH_SECRET = 'a secret of at least 32 characters';

test('documents push writes a manifest to Redis, from which gateways serve it, also while it hangs', async () => {
  const { url: REDIS_URL, server } = await startRedis();
  const manifest = await manifestFile({ type: 'query Type { __typename }', other: '{ __typename }' });
  const env = { REDIS_URL, HASH_SECRET };
  const push = async () => trivium(['documents', 'push', manifest], { env, cwd: await temporaryFolder() });
  expect(await push()).toEqual({ code: 0, stdout: '2 documents are in Redis.\n', stderr: '' });

  const { REDIS_URL: address, HASH_SECRET: secret } = readConfig(env);
  const { url } = await gatewayOver(NOWHERE, {
    REDIS_URL: address,
    HASH_SECRET: secret,
    TRUSTED_DOCUMENTS: ['redis'],
    TRUSTED_DOCUMENTS_ONLY: 'true',
  });
  expect(await send(url, 'POST', { documentId: 'type' })).toMatchObject({ data: { __typename: 'Query' } });

  server.signal('SIGSTOP');
  expect(await send(url, 'POST', { documentId: 'other' })).toMatchObject({ status: 503 });
  expect(await send(url, 'POST', { documentId: 'type' })).toMatchObject({ status: 200 });
  server.signal('SIGCONT');
  await expect.poll(() => send(url, 'POST', { documentId: 'other' })).toMatchObject({ status: 200 });

  await server.end('SIGKILL');
  expect(await push()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Redis is away: 0 of 2 documents were written.\n',
  });
});
