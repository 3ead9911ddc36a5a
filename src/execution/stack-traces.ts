/**
 * Creates errors without a stack trace, which would take longer than all else about an expected error: V8 follows the promises
 * of an operation for it.
 */
export function withoutStackTrace<T>(create: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
