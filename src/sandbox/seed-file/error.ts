/** A seed file that cannot be used. The message is one line, and holds no value of the file. */
export class SeedFileError extends Error {}
