import type { Worker } from 'node:cluster';
import type { OnDrift } from '../typed-flex/flex-schema.ts';

// The messages between the primary and its workers.

/**
 * A worker accepts connections at this base URL, is ready to get no more of them, reports its metrics, needs the text of
 * FLEX_SCHEMA, or has seen databases that differ from it.
 */
export type FromWorker =
  | { readonly listening: string }
  | { readonly wantsRelease: true }
  | { readonly metrics: readonly object[] }
  | { readonly wantsFlexSchema: true }
  | { readonly drift: Parameters<OnDrift>[0]; readonly databases: readonly string[] };

/**
 * A worker shall begin to end, because all do or because another one takes its place, gets no more connections, shall report its
 * metrics, or has this text of FLEX_SCHEMA.
 */
export type ToWorker =
  | { readonly end: WorkerEnd }
  | { readonly released: true }
  | { readonly wantsMetrics: true }
  | { readonly flexSchema: string };

export type WorkerEnd = 'all' | 'replaced';

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

/** @returns undefined for any other message */
export function readFromWorker(message: unknown): FromWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('listening' in message && typeof message.listening === 'string') return { listening: message.listening };
  if ('metrics' in message && isObjects(message.metrics)) return { metrics: message.metrics };
  if ('drift' in message && 'databases' in message && isTexts(message.databases)) {
    return { drift: message.drift === 'missing' ? 'missing' : 'changed', databases: message.databases };
  }
  if ('wantsFlexSchema' in message) return { wantsFlexSchema: true };
  return 'wantsRelease' in message ? { wantsRelease: true } : undefined;
}

/** @returns undefined for any other message */
export function readFromPrimary(message: unknown): ToWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('end' in message) return { end: message.end === 'replaced' ? 'replaced' : 'all' };
  if ('wantsMetrics' in message) return { wantsMetrics: true };
  if ('flexSchema' in message && typeof message.flexSchema === 'string') return { flexSchema: message.flexSchema };
  return 'released' in message ? { released: true } : undefined;
}

function isObjects(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
