import cluster from 'node:cluster';
import type { RecordTurns } from '../http/session/record-turns.ts';
import type { OnDrift } from '../typed-flex/flex-schema.ts';
import type { SharedCounts } from '../rates/rates.ts';
import { PrimaryCounts } from './counts.ts';
import { type FromWorker, onToldByPrimary, type ToWorker, type WorkerEnd } from './ipc.ts';
import { PrimaryTurns } from './turns.ts';

/** The connection of a worker to the process that started it. */
export interface Primary {
  /** Counts the operations of all workers together. */
  readonly counts: SharedCounts;
  /** The turns of writes of all workers, by keyed hashes of their records. */
  readonly recordTurns: RecordTurns;
  /**
   * Tells that the worker accepts connections at this base URL.
   *
   * @returns resolves when the worker shall end, with the reason. It gets connections until it asks for its release
   */
  reportListening(url: string): Promise<WorkerEnd>;
  /**
   * Resolves once the primary has accepted the connections that were opened before the call, and has handed the next one to this
   * worker. It hands the others on as each arrives, so all have come when none has between two calls.
   */
  connectionsHaveCome(): Promise<void>;
  /** Resolves when the worker gets no more connections. A connection on its way to a closed server would hang. */
  requestRelease(): Promise<void>;
  /** Sends metrics to the primary each time that it asks for them. */
  reportMetrics(read: () => Promise<readonly object[]>): void;
  /** Sends metrics to the primary. */
  sendMetrics(metrics: readonly object[]): void;
  /** The text of FLEX_SCHEMA, which workers do not read themselves: they have the same types, also after its file has changed. */
  flexSchema(): Promise<string>;
  /** Tells the primary of databases that differ from FLEX_SCHEMA. */
  readonly reportDrift: OnDrift;
  /** Closes the channel to the primary, which would keep a worker running that could not start. */
  leave(): void;
}

/** @returns undefined in a process that is no worker */
export function joinPrimary(): Primary | undefined {
  const { worker } = cluster;
  if (!worker) return undefined;
  process.on('SIGHUP', () => {}); // the primary restarts the workers, also when all processes are signalled
  // After the last response Node disconnects a released worker, which fails where the primary has died before. Thrown in the
  // server's `close` event, the error would keep all others from it.
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_IPC_DISCONNECTED') throw error;
  });
  const send = (message: FromWorker) => worker.isConnected() && worker.send(message);
  const ask = async <T>(question: FromWorker, read: (told: ToWorker) => T | undefined) => {
    const answer = new Promise<T>((resolve) => {
      const stop = onToldByPrimary((told) => {
        const value = read(told);
        if (value === undefined) return;
        stop();
        resolve(value);
      });
    });
    send(question);
    return answer;
  };
  return {
    counts: new PrimaryCounts(worker),
    recordTurns: new PrimaryTurns(worker),
    reportListening: async (url) => {
      const end = new Promise<WorkerEnd>((resolve) => {
        // These handlers stay: a service manager signals all processes, and may do so again.
        process.on('SIGTERM', () => resolve('all'));
        process.on('SIGINT', () => resolve('all'));
        onToldByPrimary((told) => 'end' in told && resolve(told.end));
      });
      send({ listening: url });
      return end;
    },
    connectionsHaveCome: async () => {
      await ask({ wantsConnections: true }, (told) => 'connectionsHaveCome' in told || undefined);
    },
    requestRelease: async () => {
      await ask({ wantsRelease: true }, (told) => 'released' in told || undefined);
    },
    reportMetrics: (read) => {
      onToldByPrimary((told) => {
        if ('wantsMetrics' in told) void read().then((metrics) => send({ metrics }));
      });
    },
    sendMetrics: (metrics) => void send({ metrics }),
    flexSchema: async () =>
      ask({ wantsFlexSchema: true }, (told) => ('flexSchema' in told ? told.flexSchema : undefined)),
    reportDrift: (drift, databases) => void send({ drift, databases }),
    leave: () => worker.disconnect(),
  };
}
