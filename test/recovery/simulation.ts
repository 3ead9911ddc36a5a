import type { Dispatcher } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { Connection } from '../../src/calls/transport/connection-pool.ts';

/** A discrete-event clock that replaces `setTimeout` and `performance.now` until the test ends. No real time is measured. */
export class SimulatedTime {
  #now = 0;
  /** The callbacks by the simulated millisecond at which they run. */
  readonly #due = new Map<number, Map<unknown, () => void>>();
  /** The millisecond of each pending timer. */
  readonly #times = new Map<unknown, number>();

  constructor() {
    const { setTimeout, clearTimeout } = globalThis;
    const setting = vi.spyOn(globalThis, 'setTimeout').mockImplementation((reach, ms = 0, ...args) => {
      const timer = setTimeout(() => {}, 2 ** 30).unref(); // a real one, as its users call its methods
      clearTimeout(timer);
      this.#set(timer, ms, () => reach(...args));
      return timer;
    });
    const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      this.#due.get(this.#times.get(timer) ?? -1)?.delete(timer);
      this.#times.delete(timer);
    });
    const reading = vi.spyOn(performance, 'now').mockImplementation(() => this.#now);
    onTestFinished(() => {
      for (const spy of [setting, clearing, reading]) spy.mockRestore();
    });
  }

  get now(): number {
    return this.#now;
  }

  /** Schedules a callback at this time, in the next millisecond at the earliest. */
  at(time: number, reach: () => void): void {
    this.#set({}, time - this.#now, reach);
  }

  #set(timer: object, ms: number, reach: () => void): void {
    const at = Math.max(Math.ceil(this.#now + ms), this.#now + 1);
    const due = this.#due.get(at) ?? new Map<unknown, () => void>();
    this.#due.set(at, due.set(timer, reach));
    this.#times.set(timer, at);
  }

  /** Advances to this time. Runs the callbacks of each millisecond, and waits for the promises that they settle. */
  async comes(end: number): Promise<void> {
    for (; this.#now < end; this.#now += 1) {
      const due = this.#due.get(this.#now);
      if (!due) continue;
      this.#due.delete(this.#now);
      for (const [timer, reach] of due) {
        this.#times.delete(timer);
        reach();
      }
      await settled();
    }
  }
}

/** Resolves when no promise reaction is pending. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A fault: responses are delayed to its end, have status 500, or take twice the time. */
export type Trouble = 'stalls' | 'fails' | 'is slow';

export interface Capacity {
  /** The number of requests that are processed concurrently; others wait at the upstream. */
  readonly workers: number;
  /** The processing time of a request, in milliseconds. */
  readonly ms: number;
}

interface Request {
  readonly path: string;
  readonly body: unknown;
  readonly handler: Dispatcher.DispatchHandler;
  isOver: boolean;
}

/** An upstream in simulated time. Replaces the connections of all pools until the test ends. */
export class SimulatedUpstream {
  trouble: Trouble | undefined;
  /** Returns the connect time of the next request, in milliseconds. */
  connectMs = (): number => 0;
  /** Called with the body of each request that was handed to a connection. */
  onReceive = (_body: unknown): void => {};
  readonly #time: SimulatedTime;
  readonly #capacity: Capacity;
  readonly #answer: (path: string) => string;
  readonly #waiting: Request[] = [];
  /** Requests whose responses a stall delays. */
  readonly #held: Request[] = [];
  #working = 0;

  constructor(time: SimulatedTime, capacity: Capacity, answer: (path: string) => string) {
    this.#time = time;
    this.#capacity = capacity;
    this.#answer = answer;
    const sending = vi.spyOn(Connection.prototype, 'send').mockImplementation(({ path, body }, handler) => {
      const request = { path, body, handler, isOver: false };
      const ms = this.connectMs();
      if (ms === 0) this.#receive(request);
      else time.at(time.now + ms, () => this.#receive(request));
    });
    onTestFinished(() => sending.mockRestore());
  }

  #receive(request: Request): void {
    request.handler.onConnect?.((error = new Error('The call was cancelled.')) => {
      if (request.isOver) return;
      request.isOver = true;
      queueMicrotask(() => request.handler.onError?.(error));
    });
    if (request.isOver) return;
    this.onReceive(request.body);
    this.#waiting.push(request);
    this.#work();
  }

  #work(): void {
    while (this.#working < this.#capacity.workers) {
      const request = this.#waiting.shift();
      if (!request) return;
      if (request.isOver) continue;
      this.#working += 1;
      const ms = this.trouble === 'is slow' ? 2 * this.#capacity.ms : this.#capacity.ms;
      this.#time.at(this.#time.now + ms, () => this.#end(request));
    }
  }

  #end(request: Request): void {
    if (this.trouble === 'stalls') return void this.#held.push(request);
    this.#working -= 1;
    if (!request.isOver) this.#respond(request);
    this.#work();
  }

  #respond(request: Request): void {
    const { path, handler } = request;
    const fails = this.trouble === 'fails';
    request.isOver = true;
    handler.onHeaders?.(fails ? 500 : 200, JSON_HEADERS, () => {}, '');
    handler.onData?.(Buffer.from(fails ? '{}' : this.#answer(path)));
    handler.onComplete?.([]);
  }

  /** Ends the fault. Sends the delayed responses. */
  recover(): void {
    this.trouble = undefined;
    for (const request of this.#held.splice(0)) this.#end(request);
  }
}

const JSON_HEADERS = [Buffer.from('content-type'), Buffer.from('application/json')];
