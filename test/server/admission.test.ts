import { expect, test } from 'vitest';
import { Admission } from '../../src/server/overload/admission.ts';
import { FairShares } from '../../src/server/overload/fair-shares.ts';

// With a clock of its own: no test depends on the speed of the machine.

const MAX_LAG_MS = 75;
const CALLER = 7;

/** The number of refusals that cost as much as one request. */
const REFUSALS_OF_A_REQUEST = 50;

/** An event loop whose time passes only by work. */
function eventLoop() {
  let now = 1000;
  let cpu = 0;
  const admission = new Admission(MAX_LAG_MS, () => cpu);
  const ask = (startMs: number, caller = CALLER) => {
    const mayBegin = admission.mayBegin(now, () => caller);
    work(mayBegin ? startMs : startMs / REFUSALS_OF_A_REQUEST);
    return mayBegin;
  };
  const work = (ms: number) => {
    now += ms;
    cpu += ms;
  };
  return {
    admission,
    work,
    /** Time in which other processes have the CPU. */
    pause: (ms: number) => (now += ms),
    /** Offers a number of requests in this turn, each of which takes `startMs`. @returns how many began */
    ask: (requests: number, startMs: number, caller?: number) =>
      Array.from({ length: requests }, () => ask(startMs, caller)).filter(Boolean).length,
    complete: (requests: number) => {
      for (let count = 0; count < requests; count++) admission.complete();
    },
    turn: (content: () => void) => {
      admission.startTurn(now);
      content();
      return admission.endTurn(now);
    },
  };
}

/** Two long turns with a crowd: an overload has begun. */
function overloadedLoop(msOfRequest = 1) {
  const loop = eventLoop();
  loop.turn(() => loop.ask(200, msOfRequest));
  loop.turn(() => loop.ask(1000, msOfRequest));
  expect(loop.admission.isOverloaded).toBe(true);
  return loop;
}

test('a burst of hundreds of requests after a quiet moment begins', () => {
  const loop = eventLoop();
  loop.turn(() => expect(loop.ask(500, 0.4)).toBe(500));
  loop.turn(() => loop.work(300)); // the answers
  loop.turn(() => expect(loop.ask(100, 0.4)).toBe(100));
  expect(loop.admission.isOverloaded).toBe(false);
});

test('a pause of the loop refuses no request', () => {
  const loop = eventLoop();
  for (let round = 0; round < 20; round++) {
    loop.turn(() => {
      expect(loop.ask(1, 0.3)).toBe(1);
      loop.work(120); // a collection of garbage
      expect(loop.ask(30, 0.3)).toBe(30);
    });
    loop.complete(31);
    loop.turn(() => expect(loop.ask(2, 0.3)).toBe(2));
    loop.complete(2);
  }
});

test('turns that are long because other processes have the CPU refuse no request', () => {
  const loop = eventLoop();
  for (let round = 0; round < 10; round++) {
    loop.turn(() => {
      expect(loop.ask(50, 0.2)).toBe(50);
      loop.pause(200);
      expect(loop.ask(50, 0.2)).toBe(50);
    });
  }
});

test('any number of requests may wait for a slow upstream', () => {
  const loop = eventLoop();
  for (let round = 0; round < 500; round++) loop.turn(() => expect(loop.ask(10, 0.3)).toBe(10));
  expect(loop.admission.isOverloaded).toBe(false);
});

test('a closed loop of 64 callers is no overload', () => {
  const loop = eventLoop();
  for (let round = 0; round < 50; round++) {
    loop.turn(() => expect(loop.ask(63, 2)).toBe(63));
    loop.complete(63);
  }
});

test('requests are refused when long turns follow each other with a crowd under way', () => {
  const loop = eventLoop();
  loop.turn(() => expect(loop.ask(200, 0.5)).toBe(200));
  loop.turn(() => expect(loop.ask(1000, 0.5)).toBeLessThanOrEqual(MAX_LAG_MS / 0.5 + 1));
});

test('a burst that is too large to be read in time is cut', () => {
  const loop = eventLoop();
  loop.turn(() => expect(loop.ask(2000, 0.5)).toBeLessThanOrEqual((3 * MAX_LAG_MS) / 0.5 + 1));
});

test.each([0.3, 1, 5, 20])('under overload turns stay short, and the CPU serves requests of %d ms', (ms) => {
  const loop = overloadedLoop(ms);
  const measured = { served: 0, spent: 0, longest: 0 };
  let waiting = 100;
  const turn = () => {
    const begun = loop.ask(waiting, ms);
    loop.complete(begun);
    const turnMs = (begun + (waiting - begun) / REFUSALS_OF_A_REQUEST) * ms;
    measured.served += begun;
    measured.spent += turnMs;
    measured.longest = Math.max(measured.longest, turnMs);
    waiting = Math.ceil((4 * turnMs) / ms) + 1; // four times as many as can be served
  };
  for (let turns = 0; turns < 1000; turns++) loop.turn(turn);
  Object.assign(measured, { served: 0, spent: 0, longest: 0 });
  for (let turns = 0; turns < 3000; turns++) loop.turn(turn);
  expect(measured.longest).toBeLessThan(Math.max(MAX_LAG_MS, 4 * ms));
  expect((measured.served * ms) / measured.spent).toBeGreaterThan(0.8);
});

test('under overload callers that ask for little begin, and one that floods gets the rest', () => {
  const loop = overloadedLoop();
  const begun = { flooding: 0, modest: 0 };
  const turn = (modestRequests: number) => () => {
    const flooding = loop.ask(60, 1, 1);
    const modest = loop.ask(modestRequests, 1, 2);
    loop.complete(flooding + modest);
    begun.flooding += flooding;
    begun.modest += modest;
  };
  for (let turns = 0; turns < 500; turns++) loop.turn(turn(turns % 5 === 0 ? 1 : 0));
  Object.assign(begun, { flooding: 0, modest: 0 });
  for (let turns = 0; turns < 1500; turns++) loop.turn(turn(turns % 5 === 0 ? 1 : 0));
  expect(begun.modest).toBeGreaterThan(0.95 * 300);
  expect(begun.flooding).toBeGreaterThan(10 * begun.modest);
});

test('callers that ask for more than there is get equal shares', () => {
  const shares = new FairShares();
  shares.start(0);
  const begun = [0, 0];
  const ask = (caller: number, now: number) => {
    if (shares.ask(caller, now, 1) === 'exceeded') return;
    shares.take(caller);
    if (now >= 500) begun[caller] = (begun[caller] ?? 0) + 1;
  };
  for (let now = 1; now < 2000; now++) {
    ask(0, now);
    for (let request = 0; request < 9; request++) ask(1, now);
  }
  const [one = 0, nine = 0] = begun;
  expect(nine / one).toBeLessThan(1.1);
});

test('a single caller gets all that there is', () => {
  const shares = new FairShares();
  shares.start(0);
  for (let now = 1; now < 1000; now++) {
    expect(shares.ask(CALLER, now, 0.1)).toBe('left');
    shares.take(CALLER);
  }
});

test('after the end of an overload requests begin again', () => {
  const loop = overloadedLoop();
  loop.admission.end();
  loop.turn(() => expect(loop.ask(100, 0.1)).toBe(100));
});
