// Costs of reading clients by their ids, over HTTP, through the gateway's own data source.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { Upstreams } from '../../src/apis/upstreams.ts';

/** The upstream in a process of its own. */
export class BenchUpstream {
  readonly #process: ChildProcess;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    this.#process = fork(fileURLToPath(new URL('upstream.ts', import.meta.url)), [`${port}`]);
  }

  async ready(): Promise<void> {
    await once(this.#process, 'message');
  }

  /** The base address of clients in a list of `size`, each response `latency` milliseconds late. */
  url(size: number, latency: number): string {
    return `http://127.0.0.1:${this.#port}/${size}/${latency}`;
  }

  /** How many lists were requested so far. */
  async listCalls(): Promise<number> {
    this.#process.send('count');
    const [count]: unknown[] = await once(this.#process, 'message');
    return Number(count);
  }

  close(): void {
    this.#process.disconnect();
  }
}

/** What one operation costs. */
export interface Cost {
  /** Milliseconds of the operation: the time in which this process worked or waited for upstream. */
  readonly ms: number;
  /** CPU milliseconds of this process. */
  readonly cpuMs: number;
}

/** Reads `count` clients by their ids, each time in an operation of its own. */
export class Reader {
  readonly #upstreams: Upstreams;
  readonly #ids: readonly string[];

  /** @param batchReads a value of BATCH_READS */
  constructor(url: string, count: number, batchReads: string) {
    // Operations of a benchmark are alike: sharing their reads would leave nothing to choose.
    const settings = { BATCH_READS: batchReads, SHARE_READS: 'false', UPSTREAM_TIMEOUT_MS: '60000' };
    this.#upstreams = new Upstreams(readConfig({ ACCOUNT_URL: url, CRM_URL: url, ...settings }));
    this.#ids = Array.from({ length: count }, (_none, index) => `${index + 1}`);
  }

  /** Runs `operations` operations, `atOnce` at a time. The time that other processes take on the CPU does not count. */
  async measure(operations: number, atOnce: number): Promise<Cost> {
    let left = operations;
    const run = async () => {
      while (left > 0) {
        left -= 1;
        await this.#operation();
      }
    };
    const cpuBefore = process.cpuUsage();
    const loopBefore = performance.eventLoopUtilization();
    await Promise.all(Array.from({ length: atOnce }, run));
    const { user, system } = process.cpuUsage(cpuBefore);
    const { idle } = performance.eventLoopUtilization(loopBefore);
    const cpuMs = (user + system) / 1000;
    return { ms: ((idle + cpuMs) * atOnce) / operations, cpuMs: cpuMs / operations };
  }

  async close(): Promise<void> {
    await this.#upstreams.close();
  }

  async #operation(): Promise<void> {
    const { crm } = this.#upstreams.context({
      headers: { authorization: 'Bearer bench' },
      address: '127.0.0.1',
      setCookie: () => {},
      onSecret: () => {},
      gone: new Departure(),
      onLateWrite: () => {},
    });
    const clients = await crm.clientsById(this.#ids);
    clients.forEach((client, index) => {
      if (client === null || client instanceof Error || client.id !== this.#ids[index])
        throw new Error('A client was not read.', { cause: client });
    });
  }
}
