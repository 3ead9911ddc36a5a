// The messages between the primary and its workers.

/** A worker accepts connections at this base URL, is ready to get no more of them, or reports its metrics. */
export type FromWorker =
  | { readonly listening: string }
  | { readonly wantsRelease: true }
  | { readonly metrics: readonly object[] };

/** A worker shall begin to end, because all do or because another one takes its place, gets no more connections, or shall report its metrics. */
export type ToWorker = { readonly end: WorkerEnd } | { readonly released: true } | { readonly wantsMetrics: true };

export type WorkerEnd = 'all' | 'replaced';

/** @returns undefined for any other message */
export function readFromWorker(message: unknown): FromWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('listening' in message && typeof message.listening === 'string') return { listening: message.listening };
  if ('metrics' in message && isObjects(message.metrics)) return { metrics: message.metrics };
  return 'wantsRelease' in message ? { wantsRelease: true } : undefined;
}

/** @returns undefined for any other message */
export function readFromPrimary(message: unknown): ToWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('end' in message) return { end: message.end === 'replaced' ? 'replaced' : 'all' };
  if ('wantsMetrics' in message) return { wantsMetrics: true };
  return 'released' in message ? { released: true } : undefined;
}

function isObjects(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}
