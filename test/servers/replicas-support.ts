import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { running, type Running, temporaryFolder } from '../cli/trivium.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { freePort, startRedis, startServer } from './support.ts';

/** The configuration of HAProxy for replicas on one machine. */
export const CONFIG = 'deploy/haproxy.cfg';

export interface Sent {
  readonly startedAt: number;
  readonly endedAt: number;
  /** 0 without an answer. */
  readonly status: number;
  readonly body: unknown;
}

/** A CRM that creates deals. */
export async function dealsUpstream() {
  /** The names of the deals that it was asked to create. */
  const names: string[] = [];
  const { url } = await stubUpstream((incoming, response) => {
    void json(incoming).then((body) => {
      const { name } = Object(Object(body).deal);
      names.push(String(name));
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: names.length, name }));
    });
  });
  return { url, names };
}

/** Starts a gateway as a process. Its `ended` has what it has logged. */
export function startReplica(port: number, settings: Readonly<Record<string, string>>): Promise<Running> {
  return running(['serve'], /\/graphql\n/, { env: { PORT: String(port), TRUST_PROXY: '1', ...settings } });
}

/** Three replicas behind HAProxy with the committed configuration, over one CRM and one Redis. */
export async function startReplicas(crmUrl: string, settings: Readonly<Record<string, string>> = {}) {
  const redis = await startRedis();
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (port: number) =>
    startReplica(port, {
      ACCOUNT_URL: crmUrl, // whose token the CRM takes, at the same origin
      CRM_URL: crmUrl,
      REDIS_URL: redis.url,
      HASH_SECRET: 'a secret that all replicas share',
      ...settings,
    });
  const replicas = await Promise.all(ports.map(start));
  const { url, haproxy } = await startHaproxy(
    CONFIG,
    new Map<string, (own: number) => string>([
      ['127.0.0.1:8080', (own) => `127.0.0.1:${own}`],
      ...ports.map((port, index) => [`127.0.0.1:400${index + 1}`, () => `127.0.0.1:${port}`] as const),
    ]),
  );
  return {
    url,
    redis,
    haproxy,
    replicas,
    /** Starts the replica of this number again, on its port. */
    restart: (index: number) => start(ports[index] ?? 0),
  };
}

/**
 * Starts HAProxy on a free port, and waits until a replica is ready.
 *
 * @param file a configuration of `deploy`
 * @param places the parts of it that are replaced, each of which it has, by what they get for the port
 */
export async function startHaproxy(file: string, places: ReadonlyMap<string, (port: number) => string>) {
  const port = await freePort();
  let config = readFileSync(file, 'utf8');
  for (const [place, replacement] of places) {
    if (!config.includes(place)) throw new Error(`${file} has no ${place}.`);
    config = config.replace(place, replacement(port));
  }
  const changed = join(await temporaryFolder(), 'haproxy.cfg');
  await writeFile(changed, config);
  const url = `http://127.0.0.1:${port}`;
  const haproxy = await startServer('haproxy', ['-db', '-f', changed], async () => (await fetch(`${url}/ready`)).ok);
  return { url, haproxy };
}

/** A caller with connections that are kept alive. */
export class Caller {
  readonly #url: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(url: string, token: string, connections = 1) {
    this.#url = url;
    this.#token = token;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    onTestFinished(() => this.#agent.destroy());
  }

  send(query: string): Promise<Sent> {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json', 'x-crm-token': this.#token };
    return new Promise((resolve) => {
      const end = (status: number, body: unknown) => resolve({ startedAt, endedAt: performance.now(), status, body });
      request(`${this.#url}/graphql`, { method: 'POST', headers, agent: this.#agent }, (response) => {
        const { statusCode = 0 } = response;
        json(response).then(
          (body) => end(statusCode, body),
          () => end(statusCode === 200 ? 0 : statusCode, undefined),
        );
      })
        .on('error', () => end(0, undefined))
        .end(JSON.stringify({ query }));
    });
  }
}

export const createDeal = (name: string) =>
  `mutation { createDeal(input: { name: "${name}" }) { __typename ... on Deal { name } } }`;

/** Milliseconds of the CPU that a process has used so far. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const TICK_MS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** How many scripts a Redis has run. */
export async function scriptsRun(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.end('INFO commandstats\r\n');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await text(socket))?.[1]);
}
