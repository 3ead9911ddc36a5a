// The messages between the primary and its workers.

/** A worker accepts connections at this base URL, or is ready to get no more of them. */
export type FromWorker = { readonly listening: string } | { readonly wantsRelease: true };

/** A worker shall begin to end, or gets no more connections. */
export type ToWorker = { readonly end: true } | { readonly released: true };

/** @returns undefined for any other message */
export function readFromWorker(message: unknown): FromWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('listening' in message && typeof message.listening === 'string') return { listening: message.listening };
  return 'wantsRelease' in message ? { wantsRelease: true } : undefined;
}

/** @returns undefined for any other message */
export function readFromPrimary(message: unknown): ToWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('end' in message) return { end: true };
  return 'released' in message ? { released: true } : undefined;
}
