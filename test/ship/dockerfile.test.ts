import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { execForm, instructionsOf, parseDockerfile, type Stage, variables } from '../../scripts/ship/dockerfile.ts';
import { readConfig } from '../../src/config.ts';
import { read } from '../docs/pages.ts';

// `npm run image:check` does what the Dockerfile says, and runs the result. Here is what it would not notice.

const stages = parseDockerfile(read('Dockerfile'));
const last = stages.at(-1) ?? fail();

function fail(): never {
  throw new Error('The Dockerfile has no stage.');
}

function only(stage: Stage, keyword: string): string {
  const [found, ...others] = instructionsOf(stage, keyword);
  if (!found || others.length > 0) throw new Error(`A stage has one ${keyword}.`);
  return found.rest;
}

test('all stages have the same slim image, of a version of Node with long support', () => {
  const images = new Set(stages.map(({ image }) => image));
  expect(images.size).toBe(1);
  const [, version] = /^node:(\d+)-\w+-slim$/.exec([...images].join('')) ?? [];
  expect(Number(version)).toBeGreaterThanOrEqual(20);
  expect(Number(version) % 2).toBe(0);
});

test('the image runs as a user with a number, as Kubernetes asks for, and not as root', () => {
  expect(only(last, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
});

test('no shell stands between the container and the gateway: signals reach it', () => {
  expect([...execForm(only(last, 'ENTRYPOINT')), ...execForm(only(last, 'CMD'))]).toEqual([
    'node',
    'dist/main.js',
    'serve',
  ]);
  const [, check = ''] = /CMD (.*)/.exec(only(last, 'HEALTHCHECK')) ?? [];
  expect(execForm(check)).toEqual(['node', 'dist/main.js', 'health']);
});

test('the settings of the image are valid, and others may call', () => {
  const environment = Object.fromEntries(variables(only(last, 'ENV')));
  expect(readConfig(environment)).toMatchObject({ HOST: '0.0.0.0', NODE_ENV: 'production' });
  expect(only(last, 'EXPOSE')).toBe(String(readConfig({}).PORT));
});

test('.dockerignore lets through what is copied, and nothing else', () => {
  const copied = stages.flatMap((stage) =>
    instructionsOf(stage, 'COPY').flatMap(({ options, rest }) =>
      options.has('from') ? [] : rest.split(' ').slice(0, -1),
    ),
  );
  const [first, ...allowed] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  expect(allowed).toEqual([...new Set(copied)].sort().map((name) => `!${name}`));
  for (const name of copied) expect(existsSync(name), name).toBe(true);
});

test('no script of a package runs in the image, and each file comes from a stage that exists', () => {
  const runs = stages.flatMap((stage) => instructionsOf(stage, 'RUN')).map(({ rest }) => rest);
  for (const install of runs.filter((run) => run.startsWith('npm ci'))) expect(install).toContain('--ignore-scripts');
  const names = stages.map(({ name }) => name);
  for (const { options } of instructionsOf(last, 'COPY')) expect([undefined, ...names]).toContain(options.get('from'));
});

test('an instruction that image:check would not do is refused', () => {
  expect(() => parseDockerfile('FROM x\nADD https://a.example /')).toThrow('No ADD is known here');
});
