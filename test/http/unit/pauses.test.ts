import { expect, test } from 'vitest';
import { CredentialState, CredentialStates } from '../../../src/calls/credential-states.ts';

/** Pauses with a clock that the test sets, in seconds. */
function pauses() {
  const clock = { seconds: 1_000 };
  const all = new CredentialStates({ api: 'crm', onChange: () => {}, now: () => clock.seconds * 1000 });
  return { clock, of: (credential: string) => new CredentialState(all, () => credential) };
}

test('a pause ends after its time', () => {
  const { clock, of } = pauses();
  of('one').pause(5);
  expect(of('one').secondsLeft).toBe(5);
  clock.seconds += 4.5;
  expect(of('one').secondsLeft).toBe(1);
  clock.seconds += 0.5;
  expect(of('one').secondsLeft).toBe(0);
});

test('a shorter one does not end a longer one', () => {
  const { of } = pauses();
  of('one').pause(30);
  of('one').pause(1);
  expect(of('one').secondsLeft).toBe(30);
});

test('of more than 10,000 credentials the first is forgotten', () => {
  const { of } = pauses();
  of('first').pause(60);
  for (let count = 0; count < 10_000; count += 1) of(`credential-${count}`).pause(60);
  expect(of('first').secondsLeft).toBe(0);
  expect(of('credential-9999').secondsLeft).toBe(60);
});

test('without a pause the credential is not looked at', () => {
  const { clock, of } = pauses();
  of('one').pause(1);
  clock.seconds += 1;
  const unread = new CredentialState(new CredentialStates({ api: 'crm', onChange: () => {} }), () => {
    throw new Error('The credential was read.');
  });
  expect([of('one').secondsLeft, unread.secondsLeft]).toEqual([0, 0]);
});
