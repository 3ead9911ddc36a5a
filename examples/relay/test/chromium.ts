import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApps = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no way off this machine
];

/** Starts the Chromium that CHROMIUM names, else the first of this machine. */
export function launchChromium(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macApps];
  const executablePath = process.env.CHROMIUM ?? files.find((file) => existsSync(file));
  if (!executablePath) throw new Error('No Chromium found: set CHROMIUM to the path of one.');
  return chromium.launch({ executablePath, args: flags });
}
