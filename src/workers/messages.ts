// The messages between the primary and its workers.

/** A worker accepts connections at this base URL, or has got a signal to end. */
export type FromWorker = { readonly listening: string } | { readonly wantsEnd: true };

/** A worker shall answer the requests in flight and end. */
export interface EndMessage {
  readonly end: true;
}

/** @returns undefined for any other message */
export function readFromWorker(message: unknown): FromWorker | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if ('listening' in message && typeof message.listening === 'string') return { listening: message.listening };
  return 'wantsEnd' in message ? { wantsEnd: true } : undefined;
}

export function isEndMessage(message: unknown): message is EndMessage {
  return typeof message === 'object' && message !== null && 'end' in message && message.end === true;
}
