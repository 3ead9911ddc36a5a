// Drives the compiled gateway for minutes, and fails where it holds more and more: see README.md.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Child, type Held } from './child.ts';
import { growthOf } from './growth.ts';
import { sendLoad } from './load.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const runMs = Number(values.minutes) * 60_000;
const sampleMs = Math.max(1_000, runMs / 90);

/** A flex API that is slow as a rule, and fails, limits its callers or never answers now and then. */
const slow = createServer((request, response) => {
  const chance = Math.random();
  request.resume();
  if (chance < 0.01) return; // the gateway's deadline ends it
  if (chance < 0.02) return void request.socket.destroy();
  if (chance < 0.06) return void response.writeHead(503).end();
  if (chance < 0.1) return void response.writeHead(429, { 'retry-after': '1' }).end();
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'), chance * 300);
});
await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
const address = slow.address();
if (address === null || typeof address === 'string') throw new Error('The slow API has no port.');

const sandbox = await Child.start(['sandbox', '--port', '0'], {});
const [accountUrl = '', forumUrl = ''] = sandbox.banner.match(/http:\/\/[\d.:]+/g) ?? [];
const gateway = await Child.start([], {
  PORT: '0',
  ACCOUNT_URL: accountUrl,
  FLEX_URL: `http://127.0.0.1:${address.port}`,
  CRM_URL: accountUrl,
  FORUM_URL: forumUrl,
  UPSTREAM_TIMEOUT_MS: '2000',
  DOCUMENT_CACHE_BYTES: '1000000', // full within the first third
});
const [gatewayUrl = ''] = gateway.banner.match(/http:\/\/[\d.:]+/) ?? [];

const samples: Held[] = [];
const end = performance.now() + runMs;
const load = sendLoad(gatewayUrl, end);
while (performance.now() + sampleMs < end && gateway.runs) {
  await delay(sampleMs);
  samples.push(await gateway.measure());
}
const { answered, withErrors, left } = await load;
const exitCode = await gateway.end();
await sandbox.end();
slow.closeAllConnections();
slow.close();

const { table, grown } = growthOf(samples);
console.log(`${values.minutes} minutes: ${answered} answers (${withErrors} with errors), ${left} callers left.`);
console.log(`${table}\n`);
if (exitCode !== 0) console.log(`The gateway ended with ${exitCode}.`);
console.log(
  grown.length === 0 ? 'Nothing grew after the first third.' : `After the first third grew: ${grown.join(', ')}.`,
);
process.exitCode = grown.length === 0 && exitCode === 0 ? 0 : 1;
