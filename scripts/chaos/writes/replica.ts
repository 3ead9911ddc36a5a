import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, type GatewayProcess, startGateway } from '../trial.ts';
import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts';

/** How long a replica that was killed is away, in milliseconds. */
const AWAY_MS = 1_500;

/** A gateway on a port of its own, behind a load balancer, and before a proxy that cuts its connections to upstream. */
export class Replica {
  readonly port: number;
  readonly proxy: FaultProxy;
  readonly #settings: Readonly<Record<string, string>>;
  #gateway: GatewayProcess;
  /** Set while the replica is to be killed: called with whether it was. */
  #onKilled: ((wasKilled: boolean) => void) | undefined;

  private constructor(
    port: number,
    proxy: FaultProxy,
    settings: Readonly<Record<string, string>>,
    gateway: GatewayProcess,
  ) {
    this.port = port;
    this.proxy = proxy;
    this.#settings = settings;
    this.#gateway = gateway;
  }

  static async start(redisUrl: string, faults: Omit<FaultProxyOptions, 'onAnswered'>): Promise<Replica> {
    const port = await freePort();
    const replica: { started?: Replica } = {};
    const proxy = await startFaultProxy({
      ...faults,
      onAnswered: async (request) => replica.started?.onAnswered(request),
    });
    const upstream = `http://127.0.0.1:${proxy.port}`;
    const settings = {
      PORT: String(port),
      ACCOUNT_URL: upstream,
      CRM_URL: upstream,
      CRM_SHARES_TOKEN: 'true',
      REDIS_URL: redisUrl,
      HASH_SECRET: 'a secret that both replicas share',
      UPSTREAM_TIMEOUT_MS: '2000',
      OPERATION_TIMEOUT_MS: '5000',
    };
    replica.started = new Replica(port, proxy, settings, await startGateway(settings));
    return replica.started;
  }

  /**
   * Kills the process when upstream has carried out its next write, before it gets the answer. Starts it again later.
   *
   * @returns whether there was such a write before `spare`
   */
  async killAfterCommit(): Promise<boolean> {
    const wasKilled = await new Promise<boolean>((resolve) => (this.#onKilled = resolve));
    if (!wasKilled) return false;
    await delay(AWAY_MS);
    this.#gateway = await startGateway(this.#settings);
    return true;
  }

  /** It is not to be killed any more. */
  spare(): void {
    this.#onKilled?.(false);
    this.#onKilled = undefined;
  }

  private async onAnswered({ method }: IncomingMessage): Promise<void> {
    const onKilled = this.#onKilled;
    if (!onKilled || method === 'GET') return;
    this.#onKilled = undefined;
    await this.#gateway.stop();
    onKilled(true);
  }

  async stop(): Promise<void> {
    await this.#gateway.stop();
    await this.proxy.close();
  }
}
