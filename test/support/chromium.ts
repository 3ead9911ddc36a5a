import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { chromium, type Page } from 'playwright-core';

const project = resolve(import.meta.dirname, '../..');

/** Names in the PATH, and where macOS keeps them. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const apps = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'];

/** Of each start of Chromium. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no way off this machine, whatever a page asks for
];

/** The Chromium of this machine: what CHROMIUM names, else the first that is found. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...apps.map((app) => join('/Applications', app))].find((file) => existsSync(file));
}

export interface Graphiql {
  readonly page: Page;
  /** The address of every request that the page has made. */
  readonly requests: readonly string[];
  /** The errors in the console of the page. */
  readonly consoleErrors: readonly string[];
  /** The text of an editor, line by line. */
  shown(editor: 'query' | 'headers' | 'answer'): Promise<string>;
  close(): Promise<void>;
}

const editors = {
  query: '.graphiql-query-editor',
  headers: '.graphiql-editor-tool .graphiql-editor:not(.hidden)',
  answer: '.graphiql-response',
};

interface ServedGraphiql {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** GraphiQL in a headless Chromium. Served by a gateway with a sandbox of its own, unless given. */
export async function openGraphiql(executablePath: string, served?: ServedGraphiql): Promise<Graphiql> {
  const gateway = served ?? (await startGateway());
  const browser = await chromium.launch({ executablePath, args: chromiumFlags }).catch(async (error: unknown) => {
    await gateway.stop();
    throw error;
  });
  const close = async () => {
    await browser.close();
    await gateway.stop();
  };

  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
    const requests: string[] = [];
    page.context().on('request', (request) => requests.push(request.url()));
    page.on('websocket', (socket) => requests.push(socket.url()));
    const consoleErrors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
    page.on('pageerror', (error) => consoleErrors.push(error.message));
    // GraphiQL asks for the schema when it is ready to be used.
    const introspected = page.waitForResponse((response) => response.request().method() === 'POST');
    await Promise.all([page.goto(gateway.url), introspected]);

    const shown = async (editor: keyof typeof editors) => {
      const text = await page.locator(`${editors[editor]} .view-lines`).first().innerText();
      return text.replaceAll('\u00A0', ' ');
    };
    return { page, requests, consoleErrors, shown, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A gateway as a user starts it, on free ports, with no setting of this shell. */
async function startGateway(): Promise<ServedGraphiql> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: { PATH, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await gone;
  };

  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\S+\/graphql/.exec(line) ?? [];
    if (url) {
      child.stdout.resume();
      return { url, stop };
    }
  }
  throw new Error('The gateway ended before it said where it listens.');
}
