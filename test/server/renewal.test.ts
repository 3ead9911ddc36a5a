import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type TLSSocket } from 'node:tls';
import type { ServerResponse } from 'node:http';
import { testCertificate } from '../support/certificates.ts';
import { expectHealthy, TOKENS } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { pemFiles } from '../support/pem-files.ts';
import { DEAD_ADDRESS, portOf } from '../support/stub-upstream.ts';
import { tlsUpstream } from '../support/tls-upstream.ts';
import { postOf } from './connection.ts';

// Certificates are read again without the loss of a connection.

const authority = testCertificate({ host: 'authority' });
const own = testCertificate({ host: '127.0.0.1', issuer: authority });
const next = testCertificate({ host: '127.0.0.1', issuer: authority });
const file = pemFiles();

/** A connection, and the serial number of the certificate that it was shown. */
async function connected(url: string) {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca: authority.cert });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return { socket, text: () => text, certificate: socket.getPeerX509Certificate()?.toString() };
}

test('new connections see the new certificate, open ones go on', async () => {
  const settings = { TLS_CERT: file(own.cert), TLS_KEY: file(own.key) };
  const { url, logs, renew } = await gatewayOver(DEAD_ADDRESS, settings);
  const open = await connected(url);
  expect(open.certificate).toBe(own.cert);
  file(next.cert, settings.TLS_CERT);
  file(next.key, settings.TLS_KEY);
  await renew();
  expect((await connected(url)).certificate).toBe(next.cert);
  open.socket.write(postOf('{ __typename }'));
  await expect.poll(open.text).toContain('{"data":{"__typename":"Query"}}');
  expect(logs.join('')).toContain('"msg":"certificates were read again"');
});

test('with a bad file all old certificates stay, and one line of the log names its setting', async () => {
  const { url: upstream } = await tlsUpstream(own);
  const settings = { TLS_CERT: file(own.cert), TLS_KEY: file(own.key), ACCOUNT_CA: file(authority.cert) };
  const { url, logs, renew } = await gatewayOver(upstream, settings);
  file(next.cert, settings.TLS_CERT); // without its key
  file('', settings.ACCOUNT_CA);
  await renew();
  expect((await connected(url)).certificate).toBe(own.cert);
  const reason = 'TLS_KEY holds another key than that of the certificate in TLS_CERT.';
  expect(logs.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, reason }]);
  expect(logs.join('')).not.toMatch(/PRIVATE KEY|BEGIN/);
});

test('an upstream sees the new client certificate, and a call under way ends on its old connection', async () => {
  let held: ServerResponse | undefined;
  const certificates: (string | undefined)[] = [];
  const server = createServer({ ...own, ca: authority.cert, requestCert: true }, (request, response) => {
    if ('getPeerX509Certificate' in request.socket && typeof request.socket.getPeerX509Certificate === 'function') {
      certificates.push(String(request.socket.getPeerX509Certificate()));
    }
    if (certificates.length === 1) held = response;
    else response.setHeader('content-type', 'application/json').end('[{"id":1}]');
  });
  const settings = { ACCOUNT_CA: file(authority.cert), ACCOUNT_CERT: file(own.cert), ACCOUNT_KEY: file(own.key) };
  const { execute, renew } = await gatewayOver(`https://127.0.0.1:${await portOf(server)}`, settings, 'token');
  const underWay = execute(TOKENS);
  await expect.poll(() => held).toBeDefined();
  file(next.cert, settings.ACCOUNT_CERT);
  file(next.key, settings.ACCOUNT_KEY);
  await renew();
  await execute('{ flexDbs { id } }'); // it has the certificates of the account API
  held?.setHeader('content-type', 'application/json').end('[{"id":1}]');
  expect((await underWay).errors).toEqual([]);
  await expectHealthy(execute);
  expect(certificates).toEqual([own.cert, next.cert, next.cert]);
});
