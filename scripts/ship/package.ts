// `npm run package:check`: packs the package as a publication would, installs it into an empty folder as a user would, and
// uses it there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../src/system.ts';
import { Program } from './program.ts';

// The settings of our .npmrc, which npm hands to its scripts, are not those of a user.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

const folder = mkdtempSync(join(tmpdir(), 'package-'));
try {
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['pack', '--pack-destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error', join(folder, tarball)];
  execFileSync('npm', args, { cwd: app, env, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(
    `${tarball} is installed, with ${readdirSync(join(app, 'node_modules')).length} folders in node_modules.`,
  );
  assert.ok(!existsSync(join(app, 'node_modules/rolldown')), 'It installs what builds it.');

  const npx = ['--no-install', 'trivium', '--version'];
  assert.equal(execFileSync('npx', npx, { cwd: app, env, encoding: 'utf8' }).trim(), version());
  resolves(app);
  await serves(app);
  console.log(`npx finds trivium ${version()}, it serves, and SIGTERM ends it with 0.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What programs may import is there, and nothing else. */
function resolves(app: string): void {
  const { resolve } = createRequire(join(app, 'index.js'));
  for (const name of ['schema.graphql', 'package.json']) assert.ok(existsSync(resolve(`trivium/${name}`)));
  assert.throws(() => resolve('trivium/dist/main.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
}

/**
 * It serves its sandbox, and GraphiQL, whose files are those of a package. Started is the file that npx starts: npx itself
 * does not pass SIGTERM on.
 */
async function serves(cwd: string): Promise<void> {
  const settings = { PORT: '0', SANDBOX_PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000', LOG_LEVEL: 'warn' };
  const program = await Program.start([join(cwd, 'node_modules/.bin/trivium'), 'serve'], {
    cwd,
    env: { ...env, ...settings },
  });
  try {
    assert.equal(await program.status('/ready'), 200);
    const answer = await program.query('{ clients(first: 1) { nodes { name } } }');
    assert.match(answer, /^\{"data":\{"clients":\{"nodes":\[\{"name"/);
    assert.equal(await program.status('/graphql', { accept: 'text/html' }), 200, 'GraphiQL is not served.');
  } finally {
    assert.equal(await program.end(), 0, 'It did not end with 0 after SIGTERM.');
  }
}
