// Long work gives the event loop back. Filtering, ordering or decoding thousands of rows, or a few large ones, would hold up
// all other requests; in slices of some milliseconds it does not. Slices of all operations share the time of a turn.

/** Work that yields wherever it may be interrupted: after some rows, or a large one. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All slices of one turn of the event loop end after this time, in milliseconds. The last step may make it longer. */
const TURN_MS = 10;

/**
 * Work that waits for one of the next turns, in the order in which it came. Each call does one slice of it, or lets it go on
 * once the call has returned: then it returns true.
 */
const waiting: (() => boolean)[] = [];

/** When the slices of this turn have to end. Undefined before its first slice. */
let turnEnd: number | undefined;
let isTurnDue = false;

/**
 * Does work in slices, and serves other requests in between.
 *
 * @returns the result itself when the work is done before the time of this turn is over, as most work is; else a promise
 * @throws what the work throws, or rejects with it
 */
export function inSlices<Result>(steps: Steps<Result>): Result | Promise<Result> {
  if (performance.now() < endOfTurn()) {
    const step = slice(steps);
    if (step.done) return step.value;
  }
  return new Promise((resolve, reject) => {
    const proceed = () => {
      try {
        const step = slice(steps);
        if (step.done) resolve(step.value);
        else waiting.push(proceed);
      } catch (error) {
        reject(error);
      }
      return false;
    };
    waiting.push(proceed);
    callNextTurn();
  });
}

/** A promise for one of the next turns when the time of this one is over. Undefined while it is not. */
export function pause(): Promise<void> | undefined {
  if (performance.now() < endOfTurn()) return undefined;
  return new Promise((resolve) => {
    waiting.push(() => {
      resolve();
      return true;
    });
    callNextTurn();
  });
}

/** Does all of some work now. For what is known to be short. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does steps of the work until it is done, or the time of this turn is over; at least one. */
function slice<Result>(steps: Steps<Result>): IteratorResult<undefined, Result> {
  const end = endOfTurn();
  for (;;) {
    const step = steps.next();
    if (step.done || performance.now() >= end) return step;
  }
}

function endOfTurn(): number {
  if (turnEnd === undefined) {
    turnEnd = performance.now() + TURN_MS;
    callNextTurn();
  }
  return turnEnd;
}

function callNextTurn(): void {
  if (isTurnDue) return;
  isTurnDue = true;
  setImmediate(onTurn);
}

/** Gives the waiting work its time. What comes after it in the same turn has its own. */
function onTurn(): void {
  isTurnDue = false;
  turnEnd = performance.now() + TURN_MS;
  let goesOn: boolean | undefined;
  do goesOn = waiting.shift()?.();
  while (!goesOn && waiting.length > 0 && performance.now() < turnEnd);
  if (goesOn) queueMicrotask(() => process.nextTick(endTurn)); // after all promises of what goes on
  else endTurn();
  if (waiting.length > 0) callNextTurn();
}

function endTurn(): void {
  turnEnd = undefined;
}
