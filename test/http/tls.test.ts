import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCertificates } from '../../src/calls/transport/certificates.ts';
import { ConfigError, readConfig } from '../../src/config.ts';
import { testCertificate } from '../support/certificates.ts';
import { expectFailure, expectHealthy, TOKENS } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { pemFiles } from '../support/pem-files.ts';
import { tlsUpstream } from '../support/tls-upstream.ts';

const ENDPOINT = 'GET /account/api_tokens.json';
const ENABLE = 'mutation { enableDashboards { __typename } }';

const authority = testCertificate({ host: 'authority' });
const otherAuthority = testCertificate({ host: 'other authority' });
const server = testCertificate({ host: '127.0.0.1', issuer: authority });
const client = testCertificate({ host: 'client', issuer: authority });

const file = pemFiles();

describe('an upstream with certificates of its own', () => {
  test('is called with the authority of ACCOUNT_CA', async () => {
    const { url, received } = await tlsUpstream(server);
    const { execute } = await gatewayOver(url, { ACCOUNT_CA: file(authority.cert) }, 'token');
    await expectHealthy(execute);
    expect(received).toEqual([ENDPOINT]);
  });

  test('gets the client certificate of ACCOUNT_CERT, also as the flex API of the same origin', async () => {
    const { url, received } = await tlsUpstream({ ...server, ca: authority.cert, requestCert: true });
    const settings = {
      ACCOUNT_CA: file(authority.cert),
      ACCOUNT_CERT: file(client.cert),
      ACCOUNT_KEY: file(client.key),
    };
    const { execute } = await gatewayOver(url, settings, 'token');
    await expectHealthy(execute);
    await execute('{ flexDbs { name } }');
    expect(received).toEqual([ENDPOINT, 'GET /flex/dbs.json', 'GET /flex/dbs/1.json']);
  });

  const refused = async (url: string, settings: object, message: RegExp, outcome = 'REFUSED') => {
    const { execute, logs } = await gatewayOver(url, settings, 'token');
    expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message, endpoint: ENDPOINT });
    expect((await execute(ENABLE)).errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { outcome } },
    ]);
    const lines = logs.filter((line) => line.includes('"msg":"no TLS connection'));
    expect(lines).toEqual([expect.stringMatching(/"level":40.*"api":"account","reason":"The account API/)]);
    expect(lines[0]).toMatch(message);
  };

  test('of an unknown authority', async () => {
    const { url, received } = await tlsUpstream(server);
    await refused(url, {}, /not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\): see ACCOUNT_CA/);
    await refused(url, { ACCOUNT_CA: file(otherAuthority.cert) }, /not trusted \(UNABLE_TO_\w+\): see ACCOUNT_CA/);
    expect(received).toEqual([]);
  });

  test('of another host name', async () => {
    const { url } = await tlsUpstream(testCertificate({ host: 'upstream.example', issuer: authority }));
    await refused(url, { ACCOUNT_CA: file(authority.cert) }, /for other host names: see ACCOUNT_URL/);
  });

  test('that has expired', async () => {
    const { url } = await tlsUpstream(testCertificate({ host: '127.0.0.1', issuer: authority, until: 2021 }));
    await refused(url, { ACCOUNT_CA: file(authority.cert) }, /has expired, or that of ACCOUNT_CA/);
  });

  test.each([
    ['TLSv1.2', 'REFUSED'],
    ['TLSv1.3', 'UNKNOWN'], // a client may send its request before the server tells that it refuses the certificate
  ] as const)('that demands a client certificate with %s', async (maxVersion, outcome) => {
    const { url } = await tlsUpstream({ ...server, ca: authority.cert, requestCert: true, maxVersion });
    await refused(
      url,
      { ACCOUNT_CA: file(authority.cert) },
      /ends the TLS handshake \(ERR_SSL_\w+(\/TLS_\w+)?\).*ACCOUNT_CERT/,
      outcome,
    );
  });

  test('that speaks an old TLS only is not called', async () => {
    const { url } = await tlsUpstream({
      ...server,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const { execute } = await gatewayOver(url, { ACCOUNT_CA: file(authority.cert) }, 'token');
    expectFailure(await execute(TOKENS), { code: 'UPSTREAM_UNAVAILABLE', message: /ACCOUNT_URL/, endpoint: ENDPOINT });
  });
});

describe('a file that cannot be used ends the start with one line that names its setting', () => {
  const https = { ACCOUNT_URL: 'https://account.example', CRM_URL: 'https://crm.example' };
  const refusal = (settings: Readonly<Record<string, string>>) => {
    try {
      readCertificates(readConfig({ ...https, ...settings }));
      return 'none';
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return error instanceof Error ? error.message : '';
    }
  };
  const key = () => file(client.key);
  const cert = () => file(client.cert);

  test.each([
    ['a missing file', () => ({ CRM_CA: '/canary/missing.pem' }), 'CRM_CA names a file that does not exist.'],
    ['a folder', () => ({ CRM_CA: '/tmp' }), 'CRM_CA takes the path of a PEM file.'],
    ['an endless file', () => ({ CRM_CA: '/dev/zero' }), 'CRM_CA takes the path of a PEM file.'],
    ['no PEM', () => ({ CRM_CA: file('canary') }), 'CRM_CA names a file without a certificate in PEM.'],
    ['a key in its place', () => ({ CRM_CA: key() }), 'CRM_CA names a file without a certificate in PEM.'],
    [
      'broken PEM',
      () => ({ CRM_CA: file(client.cert.replace('MII', 'XXX')) }),
      'CRM_CA names a file with a certificate that cannot be read.',
    ],
    [
      'a certificate in place of the key',
      () => ({ CRM_CERT: cert(), CRM_KEY: cert() }),
      'CRM_KEY names a file without a private key in PEM.',
    ],
    [
      'the key of another certificate',
      () => ({ TLS_CERT: file(server.cert), TLS_KEY: key() }),
      'TLS_KEY holds another key than that of the certificate in TLS_CERT.',
    ],
    [
      'an encrypted key',
      () => ({ CRM_CERT: cert(), CRM_KEY: file(encryptedKey()) }),
      'CRM_KEY names a file whose key is encrypted: it takes one without a passphrase.',
    ],
    ['no key', () => ({ CRM_CERT: cert() }), 'CRM_CERT needs CRM_KEY: the file with the key of the certificate.'],
    ['no certificate', () => ({ TLS_KEY: key() }), 'TLS_KEY needs TLS_CERT: the file with the certificate of the key.'],
    ['no HTTPS', () => ({ TLS_CA: cert() }), 'TLS_CA needs TLS_CERT and TLS_KEY: without them there is no HTTPS.'],
    ['no TLS', () => ({ CRM_URL: 'http://a', CRM_CA: cert() }), 'CRM_CA needs an https address in CRM_URL.'],
    ['no address', () => ({ CRM_URL: '', CRM_CA: cert() }), 'CRM_CA needs an https address in CRM_URL.'],
  ])('%s', (_name, settings, message) => {
    expect(refusal(settings())).toBe(message);
  });

  test('a file that the user may not read', () => {
    const path = file(client.cert);
    chmodSync(path, 0);
    // The superuser may read any file.
    const expected = process.getuid?.() === 0 ? 'none' : 'CRM_CA names a file that cannot be read (EACCES).';
    expect(refusal({ CRM_CA: path })).toBe(expected);
  });

  test('an expired certificate is a warning only', () => {
    const expired = testCertificate({ until: 2021 });
    const config = readConfig({ TLS_CERT: file(expired.cert), TLS_KEY: file(expired.key) });
    const warning = 'TLS_CERT holds a certificate that expired on Jan  1 00:00:00 2021 GMT.';
    expect(readCertificates(config)).toMatchObject({ warnings: [warning] });
  });
});

function encryptedKey(): string {
  return client.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary' })
    .toString();
}

test.each([
  ['without FLEX_URL', '', true],
  ['of the same origin', 'https://account.example/flex', true],
  ['of another origin', 'https://flex.example', false],
])('a flex API %s has the certificates of the account API unless it has its own', (_name, FLEX_URL, isInherited) => {
  const settings = { ACCOUNT_URL: 'https://account.example', ACCOUNT_CA: file(authority.cert), FLEX_URL };
  expect(readCertificates(readConfig(settings)).upstreams.flex !== undefined).toBe(isInherited);
  expect(readCertificates(readConfig({ ...settings, FLEX_CA: file(authority.cert) })).upstreams.flex).toBeDefined();
});
