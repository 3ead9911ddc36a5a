// A gateway in a process of its own, for cases that may end it or hold it up. Its settings are the environment. It tells its
// address, and answers each message with what it measured since the last one.
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';

const TICK_MS = 5;

const mb = () => process.memoryUsage.rss() / 1024 ** 2;
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let last = { at: performance.now(), cpu: cpuMs() };
/** The longest time for which the event loop did not turn, in milliseconds. */
let blockedMs = 0;
/** The most memory that the process had. */
let peakMb = 0;

function look(): void {
  const now = { at: performance.now(), cpu: cpuMs() };
  // On a busy machine the clock counts the work of others, too. The CPU time counts all threads, those of collections, too.
  blockedMs = Math.max(blockedMs, Math.min(now.at - last.at, now.cpu - last.cpu) - TICK_MS);
  peakMb = Math.max(peakMb, mb());
  last = now;
}

const log = createLog('silent', { write: () => {} });
const gateway = await createGateway(readConfig(), { log });
setInterval(look, TICK_MS);

process.on('message', () => {
  look();
  const seen = { blockedMs, peakMb };
  globalThis.gc?.();
  last = { at: performance.now(), cpu: cpuMs() };
  blockedMs = 0;
  peakMb = mb();
  process.send?.({ ...seen, restMb: peakMb });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: gateway.url });
