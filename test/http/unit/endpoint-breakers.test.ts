import { expect, test } from 'vitest';
import { CallerEndpoints, EndpointBreakers } from '../../../src/http/session/endpoint-breakers.ts';

const ENDPOINT = 'GET /a';

function breakers() {
  let now = 1_000_000;
  const changes: unknown[] = [];
  const all = new EndpointBreakers(
    'crm',
    (change) => changes.push(change),
    () => now,
  );
  let asked = 0;
  const caller = (credential: string) =>
    new CallerEndpoints(all, () => {
      asked += 1;
      return credential;
    });
  return { all, changes, caller, asked: () => asked, pass: (ms: number) => (now += ms) };
}

function fail(caller: CallerEndpoints, times: number, endpoint = ENDPOINT) {
  for (let calls = 0; calls < times; calls += 1) caller.fail(endpoint, caller.admit(endpoint, true), 'Status 500.');
}

test('without failures no credential is asked for, and nothing is kept', () => {
  const { all, caller, asked } = breakers();
  const one = caller('one');
  one.succeed(ENDPOINT, one.admit(ENDPOINT, true));
  expect([asked(), all.isEmpty]).toEqual([0, true]);
});

test('ten failures stop one endpoint for one credential', () => {
  const { caller, changes } = breakers();
  fail(caller('one'), 10);
  expect(caller('one').admit(ENDPOINT, true)).toBe(0);
  expect(caller('one').admit('POST /a', true)).toBeGreaterThan(0);
  expect(caller('other').admit(ENDPOINT, true)).toBeGreaterThan(0);
  expect(changes).toEqual([{ api: 'crm', endpoint: ENDPOINT, isOpen: true, reason: 'Status 500.' }]);
});

test('an endpoint that answers again is forgotten', () => {
  const { all, caller, pass } = breakers();
  const one = caller('one');
  fail(one, 10);
  pass(1_000);
  one.succeed(ENDPOINT, one.admit(ENDPOINT, true));
  expect(all.isEmpty).toBe(true);
});

test('a call that upstream asked to put off is not made before, whatever comes meanwhile', () => {
  const { caller, pass } = breakers();
  const one = caller('one');
  const before = one.admit(ENDPOINT, true);
  one.fail(ENDPOINT, before, 'Status 503.', 20);
  one.succeed(ENDPOINT, before);
  expect([one.admit(ENDPOINT, true), one.retrySeconds(ENDPOINT)]).toEqual([0, 20]);
  pass(19_500);
  expect([one.admit(ENDPOINT, true), one.retrySeconds(ENDPOINT)]).toEqual([0, 1]);
  pass(500);
  expect(one.admit(ENDPOINT, true)).toBeGreaterThan(0);
});

test('beyond a thousand the one that was called longest ago is forgotten', () => {
  const { caller } = breakers();
  fail(caller('first'), 10);
  for (let other = 0; other < 999; other += 1) fail(caller(`other ${other}`), 1);
  expect(caller('first').admit(ENDPOINT, true)).toBe(0);
  for (let other = 0; other < 1_000; other += 1) fail(caller(`another ${other}`), 1);
  expect(caller('first').admit(ENDPOINT, true)).toBeGreaterThan(0);
});
