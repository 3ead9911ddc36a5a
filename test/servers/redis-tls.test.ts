import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { test } from 'vitest';
import { running, temporaryFolder } from '../cli/trivium.ts';
import { testCertificate } from '../support/certificates.ts';
import { freePort, startServer } from './support.ts';

test('a Redis over TLS is used where NODE_EXTRA_CA_CERTS names its authority, and is away elsewhere', async () => {
  const folder = await temporaryFolder();
  const authority = testCertificate({ host: 'authority' });
  const { cert, key } = testCertificate({ host: '127.0.0.1', issuer: authority });
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const files = ['--tls-cert-file', await file('cert.pem', cert), '--tls-key-file', await file('key.pem', key)];
  const port = await freePort();
  const tls = ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', ...files];
  await startServer('redis-server', [...tls, '--bind', '127.0.0.1', '--save', ''], async () => {
    const socket = connect({ host: '127.0.0.1', port, ca: authority.cert });
    await once(socket, 'secureConnect').finally(() => socket.destroy());
    return true;
  });

  const env = {
    PORT: '0',
    ACCOUNT_URL: 'http://127.0.0.1:1',
    REDIS_URL: `rediss://127.0.0.1:${port}`,
    HASH_SECRET: 'a secret of at least 32 characters',
  };
  const start = (more: Readonly<Record<string, string>>) =>
    running(['serve'], /\/graphql\n/, { env: { ...env, ...more } });
  const trusting = await start({ NODE_EXTRA_CA_CERTS: await file('authority.pem', authority.cert) });
  await trusting.logged(/"redis":"ok"/);
  const other = await start({});
  await other.logged(/"redis":"away","reason":"UNABLE_TO_VERIFY_LEAF_SIGNATURE"/);
});
