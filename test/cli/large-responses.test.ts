import { once } from 'node:events';
import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { peakBytes } from '../support/memory.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { running } from './trivium.ts';

// Large responses take no more memory than their bound, and nobody waits for them: the compiled gateway.

const MB = 1_000_000;
const ALIASES = 49;

/** A free port, and a grace period of 250 ms for the callers, who keep their connections open. */
const QUICK_END = { PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000' };

/** The compiled gateway over an upstream that answers all reads but that of a database with the last text it was given. */
async function gatewayOverText() {
  let text = '';
  const upstream = await stubUpstream((asked, response) =>
    says(asked.url === '/flex/dbs/1.json' ? '{"id":1}' : text)(asked, response),
  );
  const { banner, pid, signal, ended } = await running(['serve'], /http:\/\/\S+\/graphql/, {
    env: {
      ...QUICK_END,
      ACCOUNT_URL: upstream.url,
      CRM_URL: upstream.url,
      CRM_SHARES_TOKEN: 'true',
      LOG_LEVEL: 'error',
    },
  });
  const [url = ''] = /http:\/\/[^\s/]+/.exec(banner) ?? [];
  const end = async () => {
    signal('SIGTERM');
    return (await ended).code;
  };
  return {
    url,
    pid,
    answers: (rows: readonly object[]) => (text = JSON.stringify(rows)),
    peak: () => peakBytes(pid),
    end,
  };
}

type Gateway = Awaited<ReturnType<typeof gatewayOverText>>;

const postsOf = (bytes: number) =>
  Array.from({ length: 100 }, (_none, index) => ({ id: index + 1, content: 'x'.repeat(bytes / 100) }));

const aliased = (field: string, count: number) =>
  Array.from({ length: count }, (_none, index) => `c${index}: ${field}`).join(' ');
const posts = (count: number) => `{ posts(first: 100) { nodes { ${aliased('content', count)} } } }`;

interface Received {
  readonly bytes: number;
  readonly begin: string;
}

/** Sends an operation, and counts the bytes of its response. */
async function send(url: string, query: string, headers: Record<string, string> = {}, method = 'POST') {
  const body = JSON.stringify({ query });
  const path = method === 'GET' ? `/graphql?query=${encodeURIComponent(query)}` : '/graphql';
  const given = { authorization: 'Bearer token', 'content-type': 'application/json', 'x-requested-with': 'x' };
  return new Promise<Received>((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers: { ...given, ...headers } }, (response) => {
      let [bytes, begin] = [0, ''];
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (begin.length < 2_000) begin += chunk.toString('latin1').slice(0, 2_000);
      });
      response.on('end', () => resolve({ bytes, begin }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : body);
  });
}

/**
 * Asks for `/health` in a thread of its own, until it is told to end. Counts no time in which the thread or the gateway waited
 * for a core that others had, and no more than the gateway worked meanwhile: other processes are not its fault.
 */
const PROBE = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const { pid, url } = workerData;
  const isOver = new Int32Array(workerData.isOver);
  const isLinux = process.platform === 'linux';
  const waitedMs = (thread) => isLinux ? Number(readFileSync('/proc/' + thread + '/schedstat', 'utf8').split(' ')[1]) / 1e6 : 0;
  const now = () => performance.now() - waitedMs('thread-self') - waitedMs(pid);
  const workedMs = () => {
    if (!isLinux) return Infinity;
    const [, user, system] = /^(?:.*\\)) (?:\\S+ ){11}(\\d+) (\\d+)/.exec(readFileSync('/proc/' + pid + '/stat', 'utf8'));
    return 10 * (Number(user) + Number(system));
  };
  let slowest = 0;
  (async () => {
    while (isOver[0] === 0) {
      const [start, worked] = [now(), workedMs()];
      await (await fetch(url)).text();
      slowest = Math.max(slowest, Math.min(now() - start, workedMs() - worked + 10 || Infinity));
    }
    parentPort.postMessage(slowest);
  })();
`;

/** The longest that `/health` took to answer while six callers sent an operation at once, and what these received. */
async function sixAtOnce({ url, pid }: Gateway, sendOne: () => Promise<Received>) {
  const isOver = new SharedArrayBuffer(4);
  const probe = new Worker(PROBE, { eval: true, workerData: { url: `${url}/health`, pid, isOver } });
  const received = await Promise.all(Array.from({ length: 6 }, sendOne));
  Atomics.store(new Int32Array(isOver), 0, 1);
  const [healthMs] = await once(probe, 'message');
  return { received, healthMs };
}

const FAR_BEYOND = [12 * MB, ALIASES, 200] as const;
const JUST_BELOW = [8 * MB, 3, 24 * MB] as const;
const ONE_LARGE_LIST = [30 * MB, 1, 30 * MB] as const;

test.each([
  ['directly', {}, 'POST', [FAR_BEYOND, JUST_BELOW, ONE_LARGE_LIST]],
  ['by GET', { accept: 'application/json' }, 'GET', [ONE_LARGE_LIST]],
  ['in parts', { accept: 'multipart/mixed' }, 'POST', [FAR_BEYOND, ONE_LARGE_LIST]],
] as const)(
  'six callers at once, answered %s, keep it under 400 MB, and nobody waits for them',
  { timeout: 60_000 },
  async (way, headers, method, loads) => {
    const gateway = await gatewayOverText();
    const { url, answers, peak, end } = gateway;
    for (const [bytes, aliases, expected] of loads) {
      answers(postsOf(bytes));
      const query = way === 'in parts' ? `{ __typename ... @defer ${posts(aliases)} }` : posts(aliases);
      const { received, healthMs } = await sixAtOnce(gateway, () => send(url, query, headers, method));
      for (const one of received) expect(one.bytes).toBeGreaterThanOrEqual(expected);
      expect(healthMs).toBeLessThan(200);
    }
    expect(peak()).toBeLessThan(400 * MB);
    expect(await end()).toBe(0);
  },
);

test.each(['directly', 'in parts'])(
  'flexible records under many aliases end within the bound, %s',
  { timeout: 60_000 },
  async (way) => {
    const gateway = await gatewayOverText();
    const { url, answers, peak, end } = gateway;
    const entries = Array.from({ length: 20_000 }, (_none, index) => [`key ${index}`, 'x'.repeat(80)]);
    const data = Object.fromEntries(entries);
    answers(Array.from({ length: 7 }, (_none, index) => ({ id: `${index + 1}`, data })));
    const selection = `{ flexDb(id: "1") { records(first: 7) { nodes { ${aliased('data', ALIASES)} } } } }`;
    const [query, headers] =
      way === 'directly' ? [selection, {}] : [`{ __typename ... @defer ${selection} }`, { accept: 'multipart/mixed' }];
    const { received, healthMs } = await sixAtOnce(gateway, () => send(url, query, headers));
    for (const { begin } of received) expect(begin).toContain('MAX_RESPONSE_BYTES');
    expect(healthMs).toBeLessThan(200);
    expect(peak()).toBeLessThan(400 * MB);
    expect(await end()).toBe(0);
  },
);

test.each([
  ['escapes', 5 * MB, 100, '\u0001', 5 * MB],
  ['one long text of escapes', 5 * MB, 1, '\u0001', 5 * MB],
  ['quotes beyond the bound', 24 * MB, 100, '"', 200],
])(
  'six callers of a response of %s wait for each other, and nobody else does',
  { timeout: 60_000 },
  async (...load) => {
    const [, characters, rows, character, expected] = load;
    const gateway = await gatewayOverText();
    const { url, answers, peak, end } = gateway;
    const content = character.repeat(characters / rows);
    answers(Array.from({ length: rows }, (_none, index) => ({ id: index + 1, content })));
    const { received, healthMs } = await sixAtOnce(gateway, () => send(url, posts(1)));
    for (const one of received) expect(one.bytes).toBeGreaterThanOrEqual(expected);
    expect(healthMs).toBeLessThan(200);
    expect(peak()).toBeLessThan(400 * MB);
    expect(await end()).toBe(0);
  },
);
