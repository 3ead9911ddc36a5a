import { describe, expect, test } from 'vitest';
import { ConnectionLostError, ForbiddenError, UnavailableError, UnreachableError } from '../../../src/errors.ts';
import { isConnectionClosed, isDown, networkFailure } from '../../../src/calls/transport/network-failure.ts';
import { API } from '../../support/fake-upstream.ts';

const READ = { api: 'CRM', endpoint: 'GET /app/deals.json' };
const WRITE = { api: 'CRM', endpoint: 'POST /app/deals.json' };

const failure = (code: string) => Object.assign(new Error('connect 10.0.0.1:443 secret'), { code });

describe('without a connection nothing was sent, and the error says what to look at', () => {
  test.each([
    ['ECONNREFUSED', 'refuses connections: is the address in CRM_URL right?'],
    ['ENOTFOUND', 'has a host name that does not resolve: see CRM_URL.'],
    ['EAI_AGAIN', 'has a host name that does not resolve: see CRM_URL.'],
    ['EPROTO', 'does not speak TLS: is CRM_URL an http address?'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS: is CRM_URL an http address?'],
    ['CERT_HAS_EXPIRED', 'has a TLS certificate that has expired, or that of CRM_CA has.'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'has a TLS certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): see CRM_CA.',
    ],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'has a TLS certificate that is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): see CRM_CA.',
    ],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a TLS certificate for other host names: see CRM_URL.'],
    ['EHOSTUNREACH', 'cannot be reached (EHOSTUNREACH): see CRM_URL.'],
    ['ENETUNREACH', 'cannot be reached (ENETUNREACH): see CRM_URL.'],
    ['EADDRNOTAVAIL', 'cannot be reached (EADDRNOTAVAIL): see CRM_URL.'],
    ['UND_ERR_CONNECT_TIMEOUT', 'cannot be reached (UND_ERR_CONNECT_TIMEOUT): see CRM_URL.'],
  ])('%s', (code, reason) => {
    const error = networkFailure(failure(code), API, WRITE, false);
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toBe(`The CRM API ${reason}`);
    expect(error.upstream).toBe(WRITE);
  });
});

describe('what was sent on a connection may have been carried out, whatever the code of its end', () => {
  const CLOSED = 'closed the connection before it had answered in full.';
  const ended = (code: string) => `did not answer in full before the connection ended (${code}).`;

  test.each<readonly [string, string]>([
    ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'].map((code) => [code, CLOSED] as const),
    ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'].map(
      (code) => [code, ended(code)] as const,
    ),
    ...['EADDRNOTAVAIL', 'EPROTO', 'ECONNREFUSED', 'ENOTFOUND', 'ENOTCONN'].map((code) => [code, ended(code)] as const),
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', ended('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC')],
    [
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      'ends the TLS handshake (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED): if it demands a client certificate, see CRM_CERT.',
    ],
    ['CERT_HAS_EXPIRED', 'has a TLS certificate that has expired, or that of CRM_CA has.'],
    ['UND_ERR_HEADERS_OVERFLOW', 'answered with more than 16 KiB of headers.'],
  ])('%s', (code, reason) => {
    const error = networkFailure(failure(code), API, WRITE, true);
    expect(error.constructor).toBe(ConnectionLostError);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error.message).toBe(`The CRM API ${reason}`);
    expect(error.upstream).toBe(WRITE);
  });
});

test.each([
  ['without a code', new Error('secret')],
  ['with a code that is no text', Object.assign(new Error('secret'), { code: 7 })],
  ['that is no Error', { code: 'ECONNREFUSED' }],
  ['of nothing', undefined],
])('a failure %s has no reason', (_name, error) => {
  expect(networkFailure(error, API, READ, false).message).toBe(
    'The CRM API cannot be reached (no reason given): see CRM_URL.',
  );
  expect(networkFailure(error, API, READ, true).message).toBe(
    'The CRM API did not answer in full before the connection ended (no reason given).',
  );
});

test.each([
  [
    'secret (Expected HTTP/, RTSP/ or ICE/)',
    'answered with what is no HTTP: is CRM_URL an https address, or that of another server?',
  ],
  ['secret (Invalid header token)', 'answered with broken HTTP.'],
  ['secret', 'answered with broken HTTP.'],
])('an answer that is no HTTP, or a broken one: %s', (said, reason) => {
  const error = Object.assign(new Error(said), { name: 'HTTPParserError', code: undefined });
  expect(networkFailure(error, API, READ, true).message).toBe(`The CRM API ${reason}`);
  expect(isDown(error, true)).toBe(false);
});

test.each([
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', false],
  ['', false],
  ['ETIMEDOUT', true],
  ['EHOSTUNREACH', true],
  ['ECONNRESET', true],
  ['UND_ERR_SOCKET', true],
  ['CERT_HAS_EXPIRED', true],
])('a connection that ended with %j tells of an upstream that is down: %s', (code, down) => {
  expect(isDown(failure(code), true)).toBe(down);
  expect(isDown(failure(code), false)).toBe(true); // there was none
});

test.each(['EMFILE', 'ENFILE'])('no connection for %s tells nothing of upstream', (code) => {
  expect(isDown(failure(code), false)).toBe(false);
});

test('an error of the gateway stays as it is', () => {
  const error = new ForbiddenError('not allowed', READ);
  expect(networkFailure(error, API, WRITE, false)).toBe(error);
});

test.each([
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['UND_ERR_SOCKET', true],
  ['UND_ERR_ABORTED', true],
  ['ECONNREFUSED', false],
  ['', false],
])('a connection that ended with %j was closed by the server: %s', (code, closed) => {
  expect(isConnectionClosed(failure(code))).toBe(closed);
});
