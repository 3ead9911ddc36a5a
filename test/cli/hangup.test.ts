import { expect, test } from 'vitest';
import { testCertificate } from '../support/certificates.ts';
import { pemFiles } from '../support/pem-files.ts';
import { running, trivium } from './trivium.ts';

// SIGHUP to a single process, and certificates at the start.

const file = pemFiles();
const BANNER = /http\S+\/graphql[^]*\n$/;
const settings = { PORT: '0', ACCOUNT_URL: 'http://127.0.0.1:1' };

test('with certificates SIGHUP reads them again, and SIGTERM still ends the process', async () => {
  const { cert, key } = testCertificate();
  const env = { ...settings, TLS_CERT: file(cert), TLS_KEY: file(key) };
  const gateway = await running(['serve'], BANNER, { env });
  expect(gateway.banner).toMatch(/^trivium serves https:\/\/127\.0\.0\.1:\d+\/graphql\n/);
  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"certificates were read again"/);
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

test('without certificates SIGHUP ends the process', async () => {
  const gateway = await running(['serve'], BANNER, { env: settings });
  gateway.signal('SIGHUP');
  expect(await gateway.ended).toMatchObject({ code: null, stderr: '' });
});

test('a bad file ends the start, of workers too, with one line and exit code 2', async () => {
  const { cert } = testCertificate();
  const { key } = testCertificate();
  const env = { ...settings, WORKERS: '2', TLS_CERT: file(cert), TLS_KEY: file(key) };
  expect(await trivium(['serve'], { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'TLS_KEY holds another key than that of the certificate in TLS_CERT.\n',
  });
});
