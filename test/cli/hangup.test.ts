import { expect, test } from 'vitest';
import { onHangup } from '../../src/cli/termination.ts';
import { manifestFile } from '../documents/support.ts';
import { testCertificate } from '../support/certificates.ts';
import { pemFiles } from '../support/pem-files.ts';
import { serving, trivium } from './trivium.ts';

// SIGHUP, and certificates at the start.

const file = pemFiles();
const settings = { PORT: '0', ACCOUNT_URL: 'http://127.0.0.1:1' };

test('with certificates SIGHUP reads them again, and SIGTERM still ends the process', async () => {
  const { cert, key } = testCertificate();
  const env = { ...settings, TLS_CERT: file(cert), TLS_KEY: file(key) };
  const gateway = await serving(env);
  expect(gateway.banner).toMatch(/^trivium serves https:\/\/127\.0\.0\.1:\d+\/graphql\n/);
  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"certificates were read again"/);
  expect(await gateway.end()).toMatchObject({ code: 0 });
});

test('with trusted documents SIGHUP reads them again', async () => {
  const gateway = await serving({ ...settings, TRUSTED_DOCUMENTS: await manifestFile({ a: '{ __typename }' }) });
  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"trusted documents were read again"/);
  expect(await gateway.end()).toMatchObject({ code: 0 });
});

test('without files to read again SIGHUP ends the process', async () => {
  const gateway = await serving(settings);
  gateway.signal('SIGHUP');
  expect(await gateway.ended).toMatchObject({ code: null, stderr: '' });
});

test('a bad file ends the start with one line and exit code 2', async () => {
  const { cert } = testCertificate();
  const { key } = testCertificate();
  const env = { ...settings, TLS_CERT: file(cert), TLS_KEY: file(key) };
  expect(await trivium(['serve'], { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'TLS_KEY holds another key than that of the certificate in TLS_CERT.\n',
  });
});

test.each([
  { terminals: [], handles: true },
  { terminals: [0], handles: false }, // serve | tee
  { terminals: [1], handles: false },
  { terminals: [2], handles: false }, // serve > file < /dev/null
])('SIGHUP is left to Node where a standard stream is a terminal: $terminals', ({ terminals, handles }) => {
  const action = () => {};
  onHangup(action, (descriptor) => terminals.some((terminal) => terminal === descriptor));
  expect(process.listeners('SIGHUP').includes(action)).toBe(handles);
  process.off('SIGHUP', action);
});
