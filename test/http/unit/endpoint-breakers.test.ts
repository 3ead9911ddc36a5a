import { expect, test } from 'vitest';
import { stoppedClock } from '../../support/clock.ts';
import { heldTimers } from '../../support/deadlines.ts';
import { CredentialState, CredentialStates } from '../../../src/calls/credential-states.ts';

const ENDPOINT = 'GET /a';
const OTHER = 'POST /a';

function breakers() {
  let now = 1_000_000;
  const changes: unknown[] = [];
  const all = new CredentialStates({ api: 'crm', onChange: (change) => changes.push(change), now: () => now });
  let asked = 0;
  const caller = (credential: string) =>
    new CredentialState(all, () => {
      asked += 1;
      return credential;
    });
  return { all, changes, caller, asked: () => asked, pass: (ms: number) => (now += ms) };
}

const admit = (caller: CredentialState, endpoint = ENDPOINT) => caller.admit({ api: 'crm', endpoint }, true);
const refusal = (retryAfter: number) => expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE', retryAfter });

function fail(caller: CredentialState, times: number, endpoint = ENDPOINT) {
  for (let calls = 0; calls < times; calls += 1) caller.failed(endpoint, admit(caller, endpoint), 'Status 500.');
}

test('without failures no credential is asked for, and nothing is kept', () => {
  const { all, caller, asked } = breakers();
  const one = caller('one');
  one.succeeded(ENDPOINT, admit(one));
  expect([asked(), all.breakers.size === 0]).toEqual([0, true]);
});

test('ten failures stop one endpoint for one credential', () => {
  const { caller, changes } = breakers();
  fail(caller('one'), 10);
  expect(() => admit(caller('one'))).toThrow(refusal(1));
  expect(admit(caller('one'), OTHER)).toBeGreaterThan(0);
  expect(admit(caller('other'))).toBeGreaterThan(0);
  expect(changes).toEqual([{ api: 'crm', endpoint: ENDPOINT, isOpen: true, reason: 'Status 500.' }]);
});

test('an endpoint that answers again is forgotten', () => {
  const { all, caller, pass } = breakers();
  const one = caller('one');
  fail(one, 10);
  pass(1_000);
  one.succeeded(ENDPOINT, admit(one));
  expect(all.breakers.size === 0).toBe(true);
});

test('an endpoint of a credential that does not come back is forgotten after two minutes', () => {
  const { pass } = stoppedClock();
  const { open, come } = heldTimers((_reach, ms) => ms === 120_000);
  const { all, caller } = breakers();
  pass(1); // 0 stands for no time in the cache
  fail(caller('gone'), 10);
  pass(60_000);
  fail(caller('stays'), 10);
  pass(60_001);
  come(120_000);
  expect(all.breakers.size).toBe(1);
  expect(() => admit(caller('stays'))).toThrow(refusal(1));
  pass(120_001);
  come(120_000);
  expect([all.breakers.size, open()]).toEqual([0, 0]);
});

test('a call that upstream asked to put off is not made before, whatever comes meanwhile', () => {
  const { caller, pass } = breakers();
  const one = caller('one');
  const before = admit(one);
  one.failed(ENDPOINT, before, 'Status 503.', 20);
  one.succeeded(ENDPOINT, before);
  expect(() => admit(one)).toThrow(refusal(20));
  pass(19_500);
  expect(() => admit(one)).toThrow(refusal(1));
  pass(500);
  expect(admit(one)).toBeGreaterThan(0);
});

test('beyond a thousand the one that was called longest ago is forgotten', () => {
  const { caller } = breakers();
  fail(caller('first'), 10);
  for (let other = 0; other < 999; other += 1) fail(caller(`other ${other}`), 1);
  expect(() => admit(caller('first'))).toThrow(refusal(1));
  for (let other = 0; other < 1_000; other += 1) fail(caller(`another ${other}`), 1);
  expect(admit(caller('first'))).toBeGreaterThan(0);
});
