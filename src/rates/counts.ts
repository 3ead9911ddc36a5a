/** Operations are counted in windows of so many seconds. The window of a key begins with its first operation. */
export const WINDOW_SECONDS = 60;

/** The count of a key. */
export interface Count {
  /** How many operations since the window began. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/** Counts the operations of several processes. */
export interface SharedCounts {
  /**
   * Counts one operation for each key.
   *
   * @returns the counts in the order of the keys; undefined when they cannot be had in time
   */
  count(keys: readonly string[]): Promise<readonly Count[] | undefined>;
}
