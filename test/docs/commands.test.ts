import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { projectNames } from '../../vitest.config.ts';
import { fences, pagesOfDocs, read } from './pages.ts';

// Each command on a page exists: the script of npm, the file, the command of trivium. The README's are run by
// `npm run first-steps`, the others by the tests of what they start.

const packageFile = z.object({ scripts: z.record(z.string(), z.string()) });

/** Programs that are not part of the project: the tests of examples/federation run what they are for. */
const FOREIGN = ['rover', 'router', 'curl', 'npx wgc', 'npx hive-gateway', 'npx stryker', 'npx tsx'];

const commands = ['README.md', 'CONTRIBUTING.md', ...pagesOfDocs].flatMap((page) =>
  fences(read(page), 'sh')
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n').map(withoutComment))
    .filter((line) => line !== '')
    .map((line) => ({ page, line })),
);

function withoutComment(line: string): string {
  return line.replace(/\s+#.*$/, '').trim();
}

/** The command of a line without the settings before it, and without its input. */
function stepsOf(line: string): string[] {
  return line.split('&&').map((step) => step.trim().replace(/^(?:[A-Z_]+=(?:<[^>]*>|\S)*\s+)+/, ''));
}

/** Whether the projects and the files exist that a command of Vitest names. */
function namesTests(step: string): boolean {
  const projects = Array.from(step.matchAll(/--project '?!?([\w-]+)/g), ([, name = '']) => name);
  const files = step.match(/\S+\.test\.ts/g) ?? [];
  return projects.every((name) => projectNames.includes(name)) && files.every((file) => existsSync(file));
}

function existsForNpm(command: string, argument: string, folder: string): boolean {
  if (command === 'ci') return existsSync(join(folder, 'package-lock.json'));
  if (command === 'pack') return existsSync(join(folder, 'package.json'));
  if (command === 'install') return /^\.\/trivium-[\d.]+\.tgz$/.test(argument); // as `npm run package:check` does
  const { scripts } = packageFile.parse(JSON.parse(read(join(folder, 'package.json'))));
  return Object.hasOwn(scripts, command === 'run' ? argument : command);
}

/** Whether a step exists in a folder. */
function exists(step: string, folder: string): boolean {
  const [program = '', first = '', second = ''] = step.split(/\s+/);
  if (FOREIGN.some((foreign) => step.startsWith(foreign))) return true;
  if (program === 'npx' && first === 'vitest') return namesTests(step);
  if (program === 'npm') return existsForNpm(first, second, folder);
  if (program === 'node' && first === 'dist/main.js')
    return read('src/cli/command-line.ts').includes(`\n  ${second}: {`);
  return program === 'node' && existsSync(join(folder, first));
}

test('pages have commands', () => {
  expect(commands.length).toBeGreaterThan(8);
  expect(exists('npm run nothing', '.')).toBe(false);
  expect(exists('node dist/main.js nothing', '.')).toBe(false);
  expect(exists('npx vitest --project nothing', '.')).toBe(false);
  expect(exists("npx vitest run --project '!nothing'", '.')).toBe(false);
  expect(exists('npx vitest run test/nothing.test.ts', '.')).toBe(false);
});

test.each(commands)('$page: $line', ({ line }) => {
  let folder = '.';
  for (const step of stepsOf(line)) {
    if (step.startsWith('cd ')) folder = join(folder, step.slice(3).trim());
    else expect(exists(step, folder), step).toBe(true);
    expect(existsSync(folder), folder).toBe(true);
  }
});

test('nothing is installed or run by a bare name that the registry has no package of ours for', () => {
  const bare = /npx (?:--\S+ )*trivium|npm (?:i|install|add|exec)(?: -\S+)* trivium(?:-kits)?(?![\w./-])/;
  expect(['npx trivium', 'npm install --save trivium', 'npm i trivium-kits'].every((line) => bare.test(line))).toBe(
    true,
  );
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'kits/README.md',
    ...pagesOfDocs.filter((page) => !page.startsWith('docs/decisions')),
  ];
  expect(pages.filter((page) => bare.test(read(page)))).toEqual([]);
});
