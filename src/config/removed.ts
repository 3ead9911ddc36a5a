/** The settings of earlier releases, each with a sentence that says what to use instead. */
export const removedSettings: ReadonlyMap<string, string> = new Map([['MAX_LAG_MS', 'MAX_WAIT_MS takes its place']]);
