import { expect, test } from 'vitest';
import { Turns } from '../../../src/calls/transport/turns.ts';

// With a clock and turns of their own: no test depends on the speed of the machine.

/** An event loop whose time passes only by work. */
function eventLoop() {
  let now = 1000;
  let due: (() => void)[] = [];
  const done: string[] = [];
  const turns = new Turns(
    () => now,
    (callback) => due.push(callback),
  );
  const piece = (name: string, ms: number) => () => {
    now += ms;
    done.push(name);
  };
  return {
    turns,
    done,
    begin: (name: string, ms: number) => turns.begin(piece(name, ms)),
    continue: (name: string, ms: number) => turns.continue(piece(name, ms)),
    /** Lets time pass in which nothing happens. */
    wait: (ms: number) => void (now += ms),
    /** Ends the turn, and does the waiting work of the next one. @returns its duration in milliseconds */
    nextTurn: () => {
      const callbacks = due;
      due = [];
      const start = now;
      for (const callback of callbacks) callback();
      return now - start;
    },
    isIdle: () => due.length === 0,
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_none, index) => `${prefix}${index}`);

test('without load everything runs at once', () => {
  const loop = eventLoop();
  for (let turn = 0; turn < 10; turn++) {
    loop.begin('request', 1);
    loop.continue('answer', 5);
    expect(loop.done.splice(0)).toEqual(['request', 'answer']);
    expect(loop.turns).toMatchObject({ waiting: 0, expectedWaitMs: 0 });
    loop.nextTurn();
  }
  expect(loop.isIdle()).toBe(true);
});

test('what does not fit in a turn waits, and all of it is done in the order in which it came', () => {
  const loop = eventLoop();
  const all = names('answer', 200);
  for (const name of all) loop.continue(name, 3);
  expect(loop.done).toEqual(all.slice(0, 3));
  for (let turn = 0; turn < 80; turn++) expect(loop.nextTurn()).toBeLessThan(8 + 3);
  expect(loop.done).toEqual(all);
});

test('a turn ends with the piece of work that exceeds its time', () => {
  const loop = eventLoop();
  for (const name of names('answer', 5)) loop.continue(name, 90);
  expect(loop.done).toHaveLength(1);
  loop.nextTurn();
  for (const count of [2, 3, 4, 5]) {
    expect(loop.done).toHaveLength(count);
    loop.nextTurn();
  }
});

test('of the requests that wait few begin in a turn, so that the answers to them are seen before more begin', () => {
  const loop = eventLoop();
  const all = names('request', 52);
  for (const name of all) loop.begin(name, 0.25);
  expect(loop.done).toEqual(all.slice(0, 32));
  expect(loop.turns.waiting).toBe(20);
  for (let count = 32; count <= 52; count += 2) {
    expect(loop.done).toEqual(all.slice(0, count));
    loop.nextTurn();
  }
  expect(loop.done).toEqual(all);
  expect(loop.turns.waiting).toBe(0);
});

test('what comes while other work waits waits, too', () => {
  const loop = eventLoop();
  for (const name of names('early', 10)) loop.begin(name, 10);
  loop.nextTurn();
  loop.begin('late', 1);
  while (!loop.isIdle()) loop.nextTurn();
  expect(loop.done).toEqual([...names('early', 10), 'late']);
});

test('answers go before requests that wait', () => {
  const loop = eventLoop();
  for (const name of names('request', 10)) loop.begin(name, 10);
  for (const name of names('answer', 10)) loop.continue(name, 10);
  while (!loop.isIdle()) loop.nextTurn();
  expect(loop.done).toEqual(['request0', ...names('answer', 10), ...names('request', 10).slice(1)]);
});

test('the expected wait is that of all that wait now, by the time in which the last ones began', () => {
  const loop = eventLoop();
  for (const name of names('request', 300)) loop.begin(name, 4);
  expect(loop.turns.expectedWaitMs).toBe(0);
  while (loop.turns.waiting > 50) loop.nextTurn();
  expect(loop.turns.expectedWaitMs).toBeGreaterThan(0.9 * 50 * 4);
  expect(loop.turns.expectedWaitMs).toBeLessThan(1.1 * 50 * 4);
  loop.wait(400);
  expect(loop.turns.expectedWaitMs).toBeGreaterThan(50 * 8); // nothing has begun for long
});

test('the first requests tell nothing of the expected wait: code that runs for the first time is slow', () => {
  const loop = eventLoop();
  for (const name of names('request', 1_000)) loop.begin(name, 20);
  for (let turn = 0; turn < 4; turn++) {
    loop.nextTurn();
    expect(loop.turns.expectedWaitMs).toBe(0);
  }
});

test('after a second without a waiting request the expected wait is measured anew', () => {
  const loop = eventLoop();
  const burst = (ms: number) => {
    for (const name of names('request', 100)) loop.begin(name, ms);
  };
  burst(20);
  while (!loop.isIdle()) loop.nextTurn();
  burst(1);
  expect(loop.turns.expectedWaitMs).toBeGreaterThan(1_000);
  while (!loop.isIdle()) loop.nextTurn();
  loop.wait(1_001);
  burst(1);
  expect(loop.turns.expectedWaitMs).toBe(0);
});

test('while connections wait to be accepted, turns do that for some milliseconds and work in one', () => {
  const loop = eventLoop();
  for (const name of names('answer', 20)) loop.continue(name, 5);
  expect(loop.done).toHaveLength(2);
  loop.turns.onConnection();
  loop.nextTurn(); // others may wait from now on
  const done = loop.done.length;
  for (let accepted = 0; accepted < 15; accepted++) {
    loop.turns.onConnection();
    loop.wait(1);
    expect(loop.nextTurn()).toBe(0);
  }
  expect(loop.done).toHaveLength(done);
  for (let accepted = 0; accepted < 3; accepted++) {
    loop.turns.onConnection();
    loop.wait(1);
    loop.nextTurn();
  }
  expect(loop.done.length).toBeGreaterThan(done);
});

test('a turn in which no connection is accepted ends the accepting', () => {
  const loop = eventLoop();
  loop.turns.onConnection();
  loop.nextTurn();
  loop.begin('request', 1); // whether another connection is accepted in this turn is not known yet
  expect(loop.done).toEqual([]);
  loop.nextTurn();
  loop.nextTurn();
  expect(loop.done).toEqual(['request']);
});

test('work that throws does not keep the rest from its turn', () => {
  const loop = eventLoop();
  loop.begin('first', 30);
  const fail = () => {
    throw new Error('a defect');
  };
  loop.turns.begin(fail);
  loop.begin('third', 1);
  expect(() => loop.nextTurn()).toThrow('a defect'); // the callbacks after it are those of Node, and run all the same
  expect(loop.turns.waiting).toBe(1);
});
