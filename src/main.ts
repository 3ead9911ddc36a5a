#!/usr/bin/env node
const MAJOR = 20;
const MINOR = 19;

/**
 * Tells that this version of Node is too old.
 *
 * @param version such as `18.20.8`
 * @returns one line, or undefined for a version that is new enough
 */
function oldNodeMessage(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return undefined;
  return `trivium needs Node ${MAJOR}.${MINOR} or newer; this is ${version}`;
}

// Each write handles its own error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Node loads all modules before it runs the first one. An older Node would fail in one of them, with a stack: this file
// has no static import.
const tooOld = oldNodeMessage(process.versions.node);
if (tooOld === undefined) {
  // Node would open an inspector, which reads all of the memory. Log rotation sends this signal to other servers.
  const inspector = await import('node:inspector');
  if (inspector.url() === undefined) process.on('SIGUSR1', () => {});

  const { isServing, main } = await import('./cli/command-line.ts');
  const args = process.argv.slice(2);
  process.exitCode = await main(args);
  // A server does not wait for the reader of what it has printed.
  if (isServing(args) || args[0] === 'sandbox') setTimeout(() => process.exit(), 100).unref();
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}
