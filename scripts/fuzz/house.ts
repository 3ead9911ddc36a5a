import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';
import { type HostileAnswer, hostileAnswer } from './answers.ts';
import { type CallerRequest, credentials } from './callers.ts';
import type { Corpus } from './corpus.ts';
import { type ApiName, type Endpoint, endpointOf } from './endpoints.ts';
import { type Arrived, listen } from './loopback.ts';
import { spellingIn } from './spellings.ts';
import { Tape } from './tape.ts';
import { type Response, send } from './wire.ts';

/** A request of the gateway to an API. */
export interface Call extends Arrived {
  readonly api: ApiName;
  /** Undefined where no row of the endpoint table fits. */
  readonly endpoint: Endpoint | undefined;
}

/** All that one request led to. */
export interface Observation {
  readonly response: Response | string | undefined;
  readonly calls: readonly Call[];
  readonly logs: readonly string[];
  /** The unhandled rejections and exceptions of the process. */
  readonly faults: readonly unknown[];
}

const APIS = ['account', 'flex', 'crm', 'forum'] as const;
const NOT_FOUND = { status: 404, contentType: 'application/json', body: '{"error":"Not found"}' };

/** A busy machine is late with answers. The gateway's own deadline is a small part of it. */
const ANSWER_WITHIN_MS = 8_000;

const settings = {
  PORT: '0',
  LOG_LEVEL: 'debug',
  FLEX_COOKIES: 'flex_key',
  TRUST_PROXY: '1',
  CORS_ORIGINS: 'https://app.example',
  UPSTREAM_TIMEOUT_MS: '300',
  OPERATION_TIMEOUT_MS: '2000',
  RECEIVE_TIMEOUT_MS: '500',
  SHUTDOWN_TIMEOUT_MS: '0',
};

/** Four upstream APIs that answer as a case says, and a fresh gateway over them for each case. */
export class House {
  readonly #corpus: Corpus;
  readonly #urls = new Map<ApiName, string>();
  readonly #servers: { close(): Promise<void> }[] = [];
  readonly #faults: unknown[] = [];
  #answers: readonly Uint8Array[] = [];
  #calls: Call[] = [];
  #cases = 0;
  /** The path below which the gateway of this case calls. A late call of an earlier gateway has another one. */
  #base = '';

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  /** Starts the upstreams. */
  async open(): Promise<void> {
    process.on('unhandledRejection', this.#onFault).on('uncaughtException', this.#onFault);
    for (const api of APIS) {
      const server = await listen((request, socket) =>
        this.#answer(api, request).then((answer) => {
          if (answer.ending === 'reset') socket.resetAndDestroy();
          else if (answer.ending === 'close') socket.end(answer.bytes);
          else socket.write(answer.bytes);
        }),
      );
      this.#servers.push(server);
      this.#urls.set(api, server.url);
    }
  }

  async close(): Promise<void> {
    process.off('unhandledRejection', this.#onFault).off('uncaughtException', this.#onFault);
    for (const server of this.#servers) await server.close();
  }

  /**
   * Sends one request to a fresh gateway.
   *
   * @param answers tapes of hostile answers. Which of them a call gets depends on its method and target alone.
   */
  async observe(request: CallerRequest, answers: readonly Uint8Array[]): Promise<Observation> {
    const logs: string[] = [];
    this.#answers = answers;
    this.#calls = [];
    this.#cases += 1;
    this.#base = `/case${this.#cases}`;
    this.#faults.length = 0;
    const addresses = APIS.map((api) => [`${api.toUpperCase()}_URL`, `${this.#urls.get(api)}${this.#base}`]);
    const config = readConfig({ ...settings, ...Object.fromEntries(addresses) });
    const log = createLog('debug', { write: (line) => void logs.push(line) });
    const gateway = await createGateway(config, { log });
    const response = await send(gateway.url, request, ANSWER_WITHIN_MS);
    await gateway.close();
    await new Promise((resolve) => setImmediate(resolve)); // behind which rejections are known to be unhandled
    return { response, calls: this.#calls, logs, faults: [...this.#faults] };
  }

  readonly #onFault = (fault: unknown): void => {
    this.#faults.push(fault);
  };

  async #answer(api: ApiName, arrived: Arrived): Promise<HostileAnswer> {
    if (!arrived.url.startsWith(`${this.#base}/`)) return { bytes: Buffer.alloc(0), ending: 'close' };
    const request = { ...arrived, url: arrived.url.slice(this.#base.length) };
    const [path = ''] = request.url.split('?');
    const endpoint = endpointOf(api, request.method, path);
    this.#calls.push({ ...request, api, endpoint });
    const faithful = (endpoint && this.#corpus.answers.get(endpoint)) ?? NOT_FOUND;
    const which = checksum(`${request.method} ${endpoint?.template ?? path}`) % Math.max(1, this.#answers.length);
    const text = [request.url, ...request.rawHeaders, request.body].join('\n');
    const secrets = Object.values(credentials).filter((secret) => spellingIn(text, secret) !== undefined);
    return hostileAnswer(new Tape(this.#answers[which] ?? new Uint8Array()), faithful, secrets);
  }
}

function checksum(text: string): number {
  let sum = 7;
  for (const byte of Buffer.from(text)) sum = (sum * 31 + byte) % 65_521;
  return sum;
}
