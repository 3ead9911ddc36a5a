/**
 * Whether a value is a promise. An object that only has a key `then` is none: a record of upstream may have such a key, and
 * an operation such an alias.
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise;
}
