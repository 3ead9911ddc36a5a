import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from './pages.ts';

const PAGE = 'docs/lifecycle.md';

/** The files that a file of the sources imports from its own folder and from others. */
function importsOf(file: string): string[] {
  const names = [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) => name);
  return names.map((name) => join(dirname(file), name));
}

/** Files that make no step: names of calls, types, and what is said of bytes. */
const NO_STEPS = /\/(?:api|config|messages|call-observer|call-failures|requests|errors|slices|path|utf8)\.ts$/;

test.each(['src/edge/pipeline.ts', 'src/calls/read.ts', 'src/calls/write.ts', 'src/calls/transport/call.ts'])(
  'docs/lifecycle.md links what %s joins',
  (file) => {
    const linked = [...read(PAGE).matchAll(/\]\(\.\.\/(src\/[^)]+)\)/g)].map(([, target]) => target);
    const steps = importsOf(file).filter((step) => !NO_STEPS.test(step));
    expect(steps.length).toBeGreaterThan(3);
    expect(linked).toEqual(expect.arrayContaining([file, ...steps]));
  },
);

/** The steps that a file joins, in their order. */
function stepsOf(file: string): string[] {
  const [, list = '', last = ''] = /inOrder\(\s*\[(.*?)\],\s*(\w+)/s.exec(read(file)) ?? [];
  const lines = list.split('\n').map((line) => line.replace(/\/\/.*/, '').trim());
  const names = lines.map((line) => /^(?:\w+ && )?(\w+)/.exec(line)?.[1] ?? '');
  return [...names.filter((name) => name !== ''), last];
}

test.each([
  ['src/calls/read.ts', '## A read out', 'decoded'],
  ['src/calls/write.ts', '## A write out', 'outcome'],
])('docs/lifecycle.md shows the steps of %s in their order', (file, title, end) => {
  const [, section = ''] = read(PAGE).split(`${title}\n`);
  const [, drawn = ''] = /flowchart LR\n(.*?)\n```/s.exec(section) ?? [];
  const [table = ''] = /\| step [^]*?\n\n/.exec(section) ?? [];
  const steps = stepsOf(file);
  expect(steps.length).toBeGreaterThan(8);
  expect(drawn.trim().split(' --> ')).toEqual(['source([source])', ...steps, `${end}([${end}])`]);
  expect([...table.matchAll(/^\| (\w+)/gm)].map(([, name]) => name).slice(1)).toEqual(steps);
});

test('docs/lifecycle.md names the steps of a read that has a call of its own', () => {
  const [, list = ''] = /function createAsk.*?inOrder\(\[(.*?)\]/s.exec(read('src/calls/read.ts')) ?? [];
  const steps = list.split(', ').map((step) => `\`${step}\``);
  expect(steps.length).toBeGreaterThan(3);
  expect(read(PAGE)).toContain(`have a call of their own: ${steps.join(', ')}.`);
});
