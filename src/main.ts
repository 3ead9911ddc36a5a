#!/usr/bin/env node
import { oldNodeMessage } from './cli/node-version.ts';

// Node loads all modules before it runs the first one. An older Node would fail in one of them, with a stack: this file
// has no other static import.
const tooOld = oldNodeMessage(process.versions.node);
if (tooOld === undefined) {
  const { main } = await import('./cli/command-line.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}
