/** @returns the exit code */
export function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

/** Prints a line to standard error. @returns the given exit code */
export function printError(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}
