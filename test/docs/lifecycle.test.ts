import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from './pages.ts';

/** The files that a file of the sources imports from its own room and from others. */
function importsOf(file: string): string[] {
  const names = [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) => name);
  return names.map((name) => join(dirname(file), name));
}

/** Files that make no step: names of calls, types, and what is said of bytes. */
const NO_STEPS = /\/(?:api|messages|call-observer|call-failures|requests|session-options|errors|slices|path|utf8)\.ts$/;

test.each(['src/edge/pipeline.ts', 'src/calls/read-cache.ts', 'src/calls/exchange.ts', 'src/calls/transport/call.ts'])(
  'docs/lifecycle.md links what %s joins',
  (file) => {
    const linked = [...read('docs/lifecycle.md').matchAll(/\]\(\.\.\/(src\/[^)]+)\)/g)].map(([, target]) => target);
    const steps = importsOf(file).filter((step) => !NO_STEPS.test(step));
    expect(steps.length).toBeGreaterThan(3);
    expect(linked).toEqual(expect.arrayContaining([file, ...steps]));
  },
);
