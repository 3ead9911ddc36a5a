// Does what the README says, word by word, in a clean clone of the last commit: its commands, its request by curl, and its
// app, which lists, creates and changes a client in a headless Chromium. Takes the ports that the README names.
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { findChromium } from '../test/support/chromium.ts';

type Command = ChildProcessByStdio<null, Readable, null>;

/** The longest that a command may take until it says what is waited for. */
const PATIENCE_MS = 300_000;

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium found: set CHROMIUM to the path of one.');

const env = { ...process.env, BUILT: '' }; // the clone builds for itself

const folder = mkdtempSync(join(tmpdir(), 'first-steps-'));
const started: Command[] = [];
try {
  execFileSync('git', ['clone', '--quiet', '.', folder]);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [startGateway = '', ask = '', startApp = ''] = fencesOfShell(readme);

  await saysUrl(start(startGateway), named(readme, /<(http:\/\/[\w.:]+\/graphql)>/));
  const answer = JSON.parse(execFileSync('bash', ['-c', ask], { cwd: folder, encoding: 'utf8' }));
  const { data } = z.strictObject({ data: z.object({ displayedDashboard: z.object({}) }) }).parse(answer);
  assert.ok(data.displayedDashboard);
  console.log('The request of the README is answered.');

  const app = named(readme, /<(http:\/\/localhost:\d+)>/);
  await saysUrl(start(startApp), app);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await useApp(await browser.newPage(), app);
  } finally {
    await browser.close();
  }
  console.log('The first steps of the README hold.');
} finally {
  await Promise.all(started.map(end));
  rmSync(folder, { recursive: true, force: true });
}

/** The commands of a page, in its order. */
function fencesOfShell(page: string): string[] {
  const opening = 'sh\n';
  return page.split('\n```').flatMap((part) => (part.startsWith(opening) ? [part.slice(opening.length)] : []));
}

/** The address that a page names. */
function named(page: string, address: RegExp): string {
  const found = address.exec(page)?.[1];
  assert.ok(found, 'The README names no such address.');
  return found;
}

/** Starts a command in the clone, in a process group of its own. */
function start(command: string): Command {
  console.log(`$ ${command.trim()}`);
  const child = spawn('bash', ['-c', `exec 2>&1\n${command}`], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return child;
}

/** Waits until a command prints an address. */
async function saysUrl({ stdout }: Command, url: string): Promise<void> {
  let said = '';
  for await (const [text] of on(stdout, 'data', { close: ['end'], signal: AbortSignal.timeout(PATIENCE_MS) })) {
    said += String(text);
    if (!said.includes(url)) continue;
    stdout.resume(); // a full pipe would hold the command up
    return;
  }
  throw new Error(`The command ended without the address ${url}:\n${said}`);
}

/** Logs in, and lists, creates and changes clients. */
async function useApp(page: Page, app: string): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const told = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();

  await page.goto(app);
  await button('Log in'); // the form has the demo token
  await page.locator('.rows li').first().waitFor();
  console.log(`The app lists ${await page.locator('.rows li').count()} clients.`);

  await page.getByRole('link', { name: 'New client' }).click();
  await fill('Name', 'First steps');
  await button('Create');
  await told('First steps was created.');
  console.log('It creates a client.');

  await fill('Name', 'Second steps');
  await button('Save');
  await told('Second steps was changed.');
  await page.locator('.rows li').filter({ hasText: 'Second steps' }).waitFor();
  console.log('It changes the client.');
}

/** Ends a command and all that it started. */
async function end(child: Command): Promise<void> {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-pid, 'SIGTERM');
  await ended;
}
