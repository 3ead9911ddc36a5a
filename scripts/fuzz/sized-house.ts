import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asyncProperty, check, uint8Array } from 'fast-check';
import { z } from 'zod';
import { acceptOf, type Operation, usualRequest } from './callers.ts';
import { listen, type Listening } from './loopback.ts';
import { type SizedName, sizedCases } from './sizes.ts';
import type { Finding, Runs } from './properties.ts';
import { Tape } from './tape.ts';

/** How long other requests may wait, such as `/health`, in milliseconds. */
const MAX_BLOCKED_MS = 200;
const LATE = 'The event loop did not turn';
const HELD_UP = 'The event loop was held up';
const GREW = 'The memory grew';

/** What six large answers may take, with the list that they show, beyond what the process has at rest. */
const MAX_GROWTH_MB = 300;

/** A process that says nothing for so long is ended. */
const PATIENCE_MS = 15_000;

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** An answer that is not read is made by then. */
const UNREAD_MS = 1_000;

/** How the callers of a case behave. */
interface Callers {
  readonly count: number;
  readonly accept: string;
  readonly read: boolean;
  /** Whether they ask for the cost, which takes another way through the gateway. */
  readonly cost: boolean;
}

/** An upstream that answers each call alike, and a gateway over it in a process of its own, which is started anew when it ends. */
export class SizedHouse {
  #upstream: Listening | undefined;
  #body = '';
  #gateway: GatewayProcess | undefined;
  readonly #settings: Readonly<Record<string, string>>;

  /** @param settings of the gateway, beside the addresses of its upstream */
  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#settings = settings;
  }

  async open(): Promise<void> {
    this.#upstream = await listen(({ url }, socket) => {
      if (/\/\d+\.json/.test(url)) return void socket.end(NOT_FOUND); // a row may be asked for alone
      const head = [
        'HTTP/1.1 200 OK',
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(this.#body)}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${this.#body}`);
    });
  }

  async close(): Promise<void> {
    this.#gateway?.end();
    await this.#upstream?.close();
  }

  /**
   * Runs a case. One that is somewhat late, or takes too much memory, is run again: a collection or another process adds to a
   * measurement, and makes callers late who would have shared a read. Nothing takes from it.
   *
   * @returns the bounds that the case breaks, in words; none when all is well
   */
  async observe(operation: Operation, body: string, callers: Callers): Promise<string[]> {
    let broken = await this.#observeOnce(operation, body, callers);
    for (let left = 2; left > 0 && broken.every(isMeasured); left -= 1) {
      if (broken.length === 0) return [];
      broken = await this.#observeOnce(operation, body, callers);
    }
    return broken;
  }

  async #observeOnce(operation: Operation, body: string, callers: Callers): Promise<string[]> {
    this.#body = body;
    this.#gateway ??= await GatewayProcess.start(this.#upstream?.url ?? '', this.#settings);
    const gateway = this.#gateway;
    const { restMb } = await gateway.measured();
    const asked = Array.from({ length: callers.count }, () => ask(gateway.url, operation, callers));
    const outcome = await Promise.race([
      Promise.all(asked.map(({ answered }) => answered)).then(() => gateway.measured()),
      gateway.died,
    ]).catch((error: unknown) => String(error));
    for (const { leave } of asked) leave();
    if (typeof outcome === 'string') {
      gateway.end();
      this.#gateway = undefined;
      return [outcome];
    }
    const [blockedMs, growthMb] = [Math.round(outcome.blockedMs), Math.round(outcome.peakMb - restMb)];
    return [
      ...(blockedMs > MAX_BLOCKED_MS
        ? [`${blockedMs < 5 * MAX_BLOCKED_MS ? LATE : HELD_UP} for ${blockedMs} ms.`]
        : []),
      ...(growthMb > MAX_GROWTH_MB ? [`${GREW} by ${growthMb} MB.`] : []),
      ...((await isHealthy(gateway.url)) ? [] : ['`/health` does not answer.']),
    ];
  }
}

class GatewayProcess {
  readonly url: string;
  /** Resolves with the reason when the process ends. */
  readonly died: Promise<string>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string, died: Promise<string>) {
    this.#child = child;
    this.url = url;
    this.died = died;
  }

  static async start(upstreamUrl: string, settings: Readonly<Record<string, string>>): Promise<GatewayProcess> {
    const apis = ['ACCOUNT', 'FLEX', 'CRM', 'FORUM'].map((api) => [`${api}_URL`, upstreamUrl]);
    const child = fork(fileURLToPath(new URL('gateway-process.ts', import.meta.url)), {
      execArgv: ['--expose-gc', '--import', 'tsx'],
      env: { ...Object.fromEntries(apis), PATH: process.env['PATH'], PORT: '0', MAX_WAIT_MS: '0', ...settings },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const said = child.stderr ? text(child.stderr) : Promise.resolve('');
    const died = once(child, 'exit').then(async () => `The process ended: ${(await said).slice(0, 1_000)}`);
    const [first]: unknown[] = await once(child, 'message');
    if (typeof first !== 'object' || !first || !('url' in first)) throw new Error('The gateway has no address.');
    const gateway = new GatewayProcess(child, String(first.url), died);
    await ask(gateway.url, { query: '{ __schema { types { name } } }' }, PLAIN).answered; // the first one compiles the code
    return gateway;
  }

  /** What it measured since the last call. @throws for one that is busy for too long */
  async measured() {
    this.#child.send('measure');
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const [told]: unknown[] = await once(this.#child, 'message', { signal: patience }).catch(() => {
      throw new Error(`It did not answer within ${PATIENCE_MS} ms.`);
    });
    return measured.parse(told);
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** What a gateway process measured, in milliseconds and MB. */
const measured = z.object({ blockedMs: z.number(), peakMb: z.number(), restMb: z.number() });

const PLAIN: Callers = { count: 1, accept: 'application/json', read: true, cost: false };

/** Sends an operation, and reads its response or not. What it says is of no matter here. */
function ask(url: string, operation: Operation, { accept, read, cost }: Callers) {
  const { hostname, port } = new URL(url);
  const { line, headers, body } = usualRequest(operation, accept);
  const socket = connect(Number(port), hostname);
  const more = ['Connection: close', ...(cost ? ['X-Trivium-Cost: 1'] : [])];
  socket.on('error', () => {}); // it may be cut
  if (read) socket.resume();
  else socket.pause();
  socket.write(Buffer.from([line, ...headers, ...more, '', body].join('\r\n')));
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => {});
  const sent = delay(UNREAD_MS);
  return { answered: read ? closed : sent, leave: () => socket.destroy() };
}

/** Whether a broken bound is one of a measurement that something else may have added to. */
const isMeasured = (rule: string) => rule.startsWith(LATE) || rule.startsWith(GREW);

async function isHealthy(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return fetch(`${url}/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Tries cases of one kind.
 *
 * @returns the first case that breaks a bound; undefined when each keeps them
 */
export async function trySizes(
  house: SizedHouse,
  property: SizedName,
  { seed, runs, path }: Runs,
): Promise<Finding | undefined> {
  let broken: readonly string[] = [];
  const holds = async (bytes: Uint8Array) => {
    const tape = new Tape(bytes);
    const { operation, body } = sizedCases[property](tape);
    const callers = { count: tape.pick([1, 3, 6]), accept: acceptOf(tape), read: !tape.once(4), cost: tape.once(4) };
    const rules = await house.observe(operation, body, callers);
    if (rules.length > 0) {
      const asked = `${callers.count} callers of ${callers.accept}${callers.read ? '' : ', who read nothing'}`;
      broken = [
        ...rules,
        `  ${asked}; upstream answers ${body.length} characters: ${body.slice(0, 200)}`,
        `  query: ${operation.query.slice(0, 1_000)}`,
      ];
    }
    return rules.length === 0;
  };
  // A case of all zeros is the plainest one: hostile ones have all their bytes.
  const tapes = uint8Array({ minLength: 16, maxLength: 16 });
  const options = { seed, numRuns: runs, endOnFailure: true, ...(path && { path }) };
  const details = await check(asyncProperty(tapes, holds), options);
  return details.failed
    ? { property, seed, path: details.counterexamplePath ?? '', report: broken.join('\n') }
    : undefined;
}
