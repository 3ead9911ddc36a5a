import { type Config, readConfig } from '../config.ts';
import type { Finding } from './doctor.ts';
import { print, printError } from './output.ts';
import { misspelledSettings, misspellingMessage } from './setting-warnings.ts';
import { terminationSignal } from './termination.ts';
import { UsageError, type Values } from './usage.ts';

const DEFAULT_INTERVAL_S = 5;
const MAX_INTERVAL_S = 3_600;

/** `trivium doctor` */
export async function runDoctor(values: Values): Promise<number> {
  const intervalMs = checkedIntervalMs(values);
  const config = readConfig();
  for (const names of misspelledSettings()) printError(`${misspellingMessage(names)}.`, 0);
  if (![config.ACCOUNT_URL, config.FLEX_URL, config.CRM_URL, config.FORUM_URL].some(Boolean))
    return printError('There is nothing to try: set ACCOUNT_URL or CRM_URL, and API_TOKEN.', 2);
  if (values['watch']) return watchUntilSignal(config, intervalMs);
  if (values['contract']) {
    const { compareWithContract } = await import('./doctor.ts');
    return compareWithContract(config, values['json'] === true, values['writes'] === true);
  }
  const { doctor } = await import('./doctor.ts');
  const findings = await doctor(config);
  for (const finding of findings) print(`${lineOf(finding)}\n`);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

/** @throws UsageError for options that exclude each other */
function checkedIntervalMs({ watch, interval, contract, json, writes }: Values): number {
  if (watch && contract) throw new UsageError('doctor takes either --watch or --contract.');
  if (json && !contract) throw new UsageError('--json is for --contract.');
  if (writes && !contract) throw new UsageError('--writes is for --contract.');
  if (interval !== undefined && !watch) throw new UsageError('--interval is for --watch.');
  const seconds = interval === undefined ? DEFAULT_INTERVAL_S : Number(interval);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_INTERVAL_S) return seconds * 1_000;
  throw new UsageError(`--interval takes a whole number of seconds from 1 to ${MAX_INTERVAL_S}.`);
}

function lineOf({ api, ok, text }: Finding): string {
  return `${ok ? 'ok  ' : 'FAIL'}  ${api}: ${text}`;
}

async function watchUntilSignal(config: Config, intervalMs: number): Promise<number> {
  const ending = new AbortController();
  void terminationSignal().then(() => ending.abort());
  process.stdout.once('error', () => ending.abort()); // its reader has left
  const [{ doctor }, { watchUpstreams }] = await Promise.all([import('./doctor.ts'), import('./doctor-watch.ts')]);
  await watchUpstreams({
    // Connections of its own in each round: so the name, the connection and TLS are tried, too.
    check: () => doctor(config, ending.signal),
    intervalMs,
    end: ending.signal,
    print: (line) => print(`${line}\n`),
  });
  return 0;
}
