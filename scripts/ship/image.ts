// `npm run image:check`: does what the stages of the Dockerfile say, in folders in the place of images, since CI has no
// Docker. Then it measures what the last stage holds, and runs that as another user who may write none of it. With BUILT set
// the stage that builds takes dist/ as it is.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { execForm, type Instruction, instructionsOf, parseDockerfile, type Stage, variables } from './dockerfile.ts';
import { Program } from './program.ts';

/** The most that the image may hold beside its base, in bytes. */
const LIMIT = 90_000_000;

const sourceMap = z.object({ sources: z.array(z.string()) });

const folder = mkdtempSync(join(tmpdir(), 'image-'));
chmodSync(folder, 0o755); // the other user has to get in
try {
  const stages = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
  const built = stages.map(build);
  const [last, root] = [stages.at(-1), built.at(-1)];
  assert.ok(last && root, 'The Dockerfile has no stage.');
  measure(root);
  await run(last, root);
} finally {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
}

/** Does what a stage says. @returns the folder in the place of its file system */
function build(stage: Stage, number: number): string {
  const root = join(folder, String(number));
  console.log(`FROM ${stage.image}`);
  mkdirSync(root);
  for (const [at, instruction] of stage.instructions.entries()) {
    const workdir = join(root, workdirOf(stage.instructions.slice(0, at + 1)));
    mkdirSync(workdir, { recursive: true });
    if (instruction.keyword === 'COPY') copy(instruction, workdir);
    if (instruction.keyword !== 'RUN') continue;
    const command =
      stage.name === 'build' && process.env['BUILT'] ? withoutBuild(instruction, workdir) : instruction.rest;
    console.log(`RUN ${command}`);
    execFileSync('sh', ['-c', command], { cwd: workdir, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return root;
}

/** The command of the stage that builds, with dist/ copied instead. What it was built from has to be in the stage. */
function withoutBuild({ rest }: Instruction, workdir: string): string {
  if (rest === 'npm ci --ignore-scripts') return 'true';
  const command = rest.replace('npm run build', `cp -R '${resolve('dist')}' .`);
  assert.notEqual(command, rest, `RUN ${rest} does not build: unset BUILT.`);
  const missing = sourcesOf('dist').filter((source) => !existsSync(join(workdir, source)));
  assert.deepEqual(missing, [], 'The stage lacks sources of dist/.');
  return command;
}

/** The files of the project that a bundle was made from, by its source maps. */
function sourcesOf(bundle: string): string[] {
  const maps = readdirSync(bundle).filter((name) => name.endsWith('.map'));
  assert.ok(maps.length > 0, `${bundle} has no source maps: npm run build writes them.`);
  return maps
    .flatMap((name) => sourceMap.parse(JSON.parse(readFileSync(join(bundle, name), 'utf8'))).sources)
    .map((source) => join(bundle, source))
    .filter((source) => source.startsWith('src/'));
}

function workdirOf(instructions: readonly Instruction[]): string {
  return instructions.findLast(({ keyword }) => keyword === 'WORKDIR')?.rest ?? '/';
}

function copy({ options, rest }: Instruction, workdir: string): void {
  const from = options.get('from');
  const stages = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
  const root = from === undefined ? '.' : join(folder, String(stages.findIndex(({ name }) => name === from)));
  const names = rest.split(' ');
  const target = resolve(workdir, names.pop() ?? '');
  for (const name of names) {
    const source = join(root, name);
    const isFolder = statSync(source).isDirectory();
    cpSync(source, isFolder ? target : join(target, basename(name)), { recursive: true, verbatimSymlinks: true });
  }
}

function measure(root: string): void {
  const app = join(root, 'app');
  const sizes = readdirSync(app).map((name) => ({ name, bytes: bytesOf(join(app, name)) }));
  for (const { name, bytes } of sizes) console.log(`${name.padEnd(16)}${(bytes / 1e6).toFixed(1).padStart(6)} MB`);
  const sum = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${'sum'.padEnd(16)}${(sum / 1e6).toFixed(1).padStart(6)} MB of ${LIMIT / 1e6} MB`);
  assert.ok(sum < LIMIT, 'The image is too large.');
}

function bytesOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

/** Runs the image as its USER, who may write nothing of it. */
async function run(stage: Stage, root: string): Promise<void> {
  const only = (keyword: string) => instructionsOf(stage, keyword).at(-1)?.rest ?? '';
  const [uid = 0, gid = 0] = only('USER').split(':').map(Number);
  assert.notEqual(uid, 0, 'The image runs as root.');
  const user = process.getuid?.() === 0 ? { uid, gid } : {}; // only root can become another user
  const PORT = String(await freePort());
  const variablesOf = instructionsOf(stage, 'ENV').flatMap(({ rest }) => variables(rest));
  const options: SpawnOptions = {
    ...user,
    cwd: join(root, workdirOf(stage.instructions)),
    env: {
      PATH: process.env['PATH'],
      ...Object.fromEntries(variablesOf),
      ...{ PORT, SANDBOX: 'true', SANDBOX_PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000', GRAPHIQL: 'true', LOG_LEVEL: 'warn' },
    },
  };
  execFileSync('chmod', ['-R', 'a-w', root]);
  const writable = spawnSync('find', [root, '-writable'], { ...user, encoding: 'utf8' });
  // A file is writable for root whatever its mode is: this run is by another user, or says little.
  assert.equal(writable.stdout, '', 'The user of the image may write its files.');

  const [, health = ''] = /CMD (.*)/.exec(only('HEALTHCHECK')) ?? [];
  const isHealthy = () => {
    const [file = '', ...args] = execForm(health);
    return spawnSync(file, args, { ...options, stdio: 'ignore' }).status;
  };
  assert.equal(isHealthy(), 1, 'The health check holds although nothing runs.');
  const program = await Program.start([...execForm(only('ENTRYPOINT')), ...execForm(only('CMD'))], options);
  try {
    assert.equal(await program.status('/ready'), 200);
    assert.equal(isHealthy(), 0, 'The health check fails.');
    assert.match(
      await program.query('{ clients(first: 1) { nodes { name } } }'),
      /^\{"data":\{"clients":\{"nodes":\[\{"name"/,
    );
    assert.equal(await program.status('/graphql', { accept: 'text/html' }), 200, 'GraphiQL is not served.');
  } finally {
    assert.equal(await program.end(), 0, 'It did not end with 0 after SIGTERM.');
  }
  console.log(`It runs as user ${user.uid ?? process.getuid?.()}, is ready, answers, and SIGTERM ends it with 0.`);
}

/** A port that was free a moment ago: the health check asks at a port that it knows. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
