import type { Worker } from 'node:cluster';
import { z } from 'zod';

// The messages between the primary and its workers.

const report = z.array(z.custom<object>((metric) => typeof metric === 'object' && metric !== null)).readonly();

/**
 * A worker accepts connections at this base URL, asks whether more of them have come, is ready to get no more of them, reports
 * its metrics, needs the text of FLEX_SCHEMA, or has seen databases that differ from it.
 */
const fromWorker = z.union([
  z.object({ listening: z.string() }),
  z.object({ wantsConnections: z.literal(true) }),
  z.object({ wantsRelease: z.literal(true) }),
  z.object({ metrics: report }),
  z.object({ wantsFlexSchema: z.literal(true) }),
  z.object({ drift: z.enum(['changed', 'missing']), databases: z.array(z.string()).readonly() }),
]);

export type FromWorker = z.input<typeof fromWorker>;

/**
 * A worker shall begin to end, because all do or because another one takes its place, was handed the next of the connections that
 * have come, gets no more connections, shall report its metrics, or has this text of FLEX_SCHEMA.
 */
const toWorker = z.union([
  z.object({ end: z.enum(['all', 'replaced']) }),
  z.object({ connectionsHaveCome: z.literal(true) }),
  z.object({ released: z.literal(true) }),
  z.object({ wantsMetrics: z.literal(true) }),
  z.object({ flexSchema: z.string() }),
]);

export type ToWorker = z.input<typeof toWorker>;

export type WorkerEnd = 'all' | 'replaced';

/** @returns undefined for any other message */
export function readFromWorker(message: unknown): FromWorker | undefined {
  return fromWorker.safeParse(message).data;
}

/** Calls `act` with each message of the primary to this worker. @returns ends that */
export function onToldByPrimary(act: (told: ToWorker) => void): () => void {
  const onMessage = (message: unknown) => {
    const { data } = toWorker.safeParse(message);
    if (data) act(data);
  };
  process.on('message', onMessage);
  return () => process.off('message', onMessage);
}

/** @returns false when the worker cannot be told anything any more */
export function tell(worker: Worker, message: ToWorker): boolean {
  return worker.isConnected() && worker.send(message);
}

/**
 * Hands the worker no more connections, and tells it so. When called right after the events of the port, it is handed all
 * connections that the system has completed before: those that wait when the last worker leaves are reset.
 */
export function release(worker: Worker): void {
  if (worker.exitedAfterDisconnect) return;
  tell(worker, { released: true }); // after the connections that are on their way to the worker
  worker.disconnect();
}
