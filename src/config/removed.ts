/** The settings of earlier releases, each with a sentence that says what to use instead. */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['MAX_LAG_MS', 'MAX_WAIT_MS takes its place'],
  ['WORKERS', 'one process is one gateway, so run several behind a proxy, see docs/scale.md'],
]);
