import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { running, type Running } from '../cli/trivium.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { freePort, startRedis, startServer } from './support.ts';

const CONFIG = new URL('../../deploy/haproxy.cfg', import.meta.url);

export interface Sent {
  readonly startedAt: number;
  readonly endedAt: number;
  /** 0 without an answer. */
  readonly status: number;
  readonly body: unknown;
}

/** Three replicas behind HAProxy with the committed configuration, over one upstream and one Redis. */
export async function startReplicas(settings: Readonly<Record<string, string>>) {
  const names: string[] = [];
  const upstream = await stubUpstream((incoming, response) => {
    void json(incoming).then((body) => {
      const { name } = Object(Object(body).deal);
      names.push(String(name));
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: names.length, name }));
    });
  });
  const redis = await startRedis();
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (port: number): Promise<Running> =>
    running(['serve'], /\/graphql\n/, {
      env: {
        PORT: String(port),
        ACCOUNT_URL: upstream.url,
        CRM_URL: upstream.url,
        REDIS_URL: redis.url,
        HASH_SECRET: 'a secret that all replicas share',
        TRUST_PROXY: '1',
        ...settings,
      },
    });
  const replicas = await Promise.all(ports.map(start));
  const { url, haproxy } = await startHaproxy(ports);
  return {
    url,
    redis,
    haproxy,
    replicas,
    /** Starts the replica of this number again, on its port. */
    restart: (index: number) => start(ports[index] ?? 0),
    /** The names of the deals that upstream was asked to create. */
    names,
  };
}

async function startHaproxy(ports: readonly number[]) {
  const port = await freePort();
  const config = ports.reduce(
    (text, replica, index) => text.replace(`127.0.0.1:400${index + 1}`, `127.0.0.1:${replica}`),
    readFileSync(CONFIG, 'utf8').replace('127.0.0.1:8080', `127.0.0.1:${port}`),
  );
  const folder = await mkdtemp(join(tmpdir(), 'trivium-haproxy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  const url = `http://127.0.0.1:${port}`;
  const haproxy = await startServer('haproxy', ['-db', '-f', file], async () => (await fetch(`${url}/ready`)).ok);
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
