import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { droppedLines } from '../../system.ts';
import type { Reading } from './readings.ts';

/** How often the lag of the event loop is measured, in milliseconds. It is a part of what is measured. */
const RESOLUTION_MS = 20;

interface Lag {
  readonly mean: number;
  readonly p99: number;
  readonly max: number;
}

/** The lag of the event loop, from now on, since it was read last. */
export class LagSinceRead {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delays.enable();
  }

  /** In seconds. Begins anew. */
  read(): Lag {
    const { mean, max } = this.#delays;
    const lag = { mean: secondsBeyond(mean), p99: secondsBeyond(this.#delays.percentile(99)), max: secondsBeyond(max) };
    this.#delays.reset();
    return lag;
  }

  stop(): void {
    this.#delays.disable();
  }
}

/** @param ns from one measurement to the next, NaN without any */
function secondsBeyond(ns: number): number {
  return Number.isNaN(ns) ? 0 : Math.max(0, ns / 1e9 - RESOLUTION_MS / 1000);
}

/** The metrics of the process. Names that other programs on Node have, too, are theirs. */
export const processReadings: readonly Reading<{ readonly lag: LagSinceRead }>[] = [
  {
    name: 'trivium_log_lines_dropped_total',
    help: 'Lines that standard output or standard error did not take.',
    read: () => droppedLines.count,
  },
  {
    name: 'trivium_event_loop_lag_seconds',
    help: 'Lag of the event loop since it was read last.',
    labels: ['stat'],
    read: ({ lag }) => Object.entries(lag.read()).map(([stat, value]) => ({ labels: { stat }, value })),
  },
  {
    name: 'trivium_event_loop_busy_seconds_total',
    help: 'Time in which the event loop did not wait: its rate is the load of a core.',
    read: () => performance.eventLoopUtilization().active / 1000,
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'CPU time, of user and system.',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_start_time_seconds',
    help: 'Begin of the process in seconds since 1970.',
    read: () => performance.timeOrigin / 1000,
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: 'Memory of objects that V8 keeps, with those that it has yet to collect.',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'nodejs_external_memory_bytes',
    help: 'Memory of buffers and other objects outside of the heap.',
    read: () => process.memoryUsage().external,
  },
];
