import { describe, expect, test } from 'vitest';
import { ConnectionLostError, ForbiddenError, UnavailableError, UnreachableError } from '../../../src/http/errors.ts';
import { networkFailure, isConnectionClosed } from '../../../src/http/transport/network-failure.ts';
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

test('a broken record of TLS after the request was sent may have come after its effect', () => {
  const code = 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC';
  expect(networkFailure(failure(code), API, WRITE, true)).toBeInstanceOf(ConnectionLostError);
  expect(networkFailure(failure(code), API, WRITE, false)).toBeInstanceOf(UnreachableError);
});

describe('with a connection a write may have been carried out: the connection is lost', () => {
  test.each([
    ['ECONNRESET', 'closed the connection before it had answered in full.'],
    ['EPIPE', 'closed the connection before it had answered in full.'],
    ['UND_ERR_SOCKET', 'closed the connection before it had answered in full.'],
    ['UND_ERR_ABORTED', 'closed the connection before it had answered in full.'],
    ['ETIMEDOUT', 'cannot be reached (ETIMEDOUT): see CRM_URL.'],
    ['NO_ECONNREFUSED', 'cannot be reached (NO_ECONNREFUSED): see CRM_URL.'],
  ])('%s', (code, reason) => {
    const error = networkFailure(failure(code), API, WRITE, false);
    expect(error.constructor).toBe(ConnectionLostError);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error.message).toBe(`The CRM API ${reason}`);
    expect(error.upstream).toBe(WRITE);
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
  });

  test.each(['HPE_INVALID_CONSTANT', undefined])('a response that is no HTTP, of code %s', (code) => {
    const error = Object.assign(new Error('secret'), { name: 'HTTPParserError', code });
    expect(networkFailure(error, API, READ, false).message).toBe(
      'The CRM API does not answer in HTTP: is CRM_URL an https address?',
    );
  });
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
