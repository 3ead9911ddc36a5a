import cluster from 'node:cluster';
import { type FromWorker, isEndMessage } from './messages.ts';

/** The connection of a worker to the process that started it. */
export interface Primary {
  /**
   * Tells that the worker accepts connections at this base URL.
   *
   * @returns resolves when the worker shall end: it gets no new connection then
   */
  reportListening(url: string): Promise<void>;
  /** Closes the channel to the primary, which would keep a worker running that could not start. */
  leave(): void;
}

/** @returns undefined in a process that is no worker */
export function joinPrimary(): Primary | undefined {
  const { worker } = cluster;
  if (!worker) return undefined;
  const send = (message: FromWorker) => worker.isConnected() && worker.send(message);
  return {
    reportListening: async (url) => {
      // The primary has to stop handing out connections first. A connection on its way to a closed server would hang.
      // These handlers stay: a service manager signals all processes, and may do so again.
      process.on('SIGTERM', () => send({ wantsEnd: true }));
      process.on('SIGINT', () => send({ wantsEnd: true }));
      const end = new Promise<void>((resolve) => {
        process.on('message', (message) => isEndMessage(message) && resolve());
      });
      send({ listening: url });
      await end;
    },
    leave: () => worker.disconnect(),
  };
}
