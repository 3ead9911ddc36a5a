import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { callerKey } from '../../src/edge/overload/overload.ts';
import { testConfig } from '../support/gateway.ts';

const keyOf = (headers: Readonly<Record<string, string>>) => {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return callerKey(request, testConfig({ TRUST_PROXY: 1 }));
};

test('requests with one credential are of one caller, wherever they come from', () => {
  const first = keyOf({ authorization: 'Bearer one', 'x-forwarded-for': '203.0.113.1' });
  expect(keyOf({ authorization: 'Bearer one', 'x-forwarded-for': '203.0.113.2' })).toBe(first);
  expect(keyOf({ authorization: 'Bearer two', 'x-forwarded-for': '203.0.113.1' })).not.toBe(first);
});

test.each(['x-crm-token', 'x-forum-authorization'])('%s is a credential, too', (name) => {
  expect(keyOf({ [name]: 'one' })).not.toBe(keyOf({ [name]: 'two' }));
});

test('requests without a credential are of one caller for each address', () => {
  expect(keyOf({ 'x-forwarded-for': '203.0.113.1' })).toBe(keyOf({ 'x-forwarded-for': '203.0.113.1' }));
  expect(keyOf({ 'x-forwarded-for': '203.0.113.1' })).not.toBe(keyOf({ 'x-forwarded-for': '203.0.113.2' }));
});
