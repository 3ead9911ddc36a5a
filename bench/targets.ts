// What is measured: the compiled gateway as it is shipped, the floor, and the peers.
import { type Ask, gatewayJourneys, type Journeys, plainJourneys } from './wan/journeys.ts';
import { gatewayWorkloads } from './workloads/gateway.ts';
import { plainWorkloads } from './workloads/plain.ts';
import type { Workloads } from './workloads/workload.ts';

export interface Target {
  readonly name: string;
  /** Arguments of Node, from the root of the project. */
  readonly args: readonly string[];
  /** The environment beside PORT. */
  readonly env: (upstream: string, clients: number) => Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly workloads: (clients: number) => Workloads;
  /** What one user reads over a network; the floor has no such operations. */
  readonly journeys?: (ask: Ask) => Journeys;
}

const json = { 'content-type': 'application/json', accept: 'application/json' };

function gateway(name: string, settings: Readonly<Record<string, string>> = {}): Target {
  return {
    name,
    args: ['dist/main.js'],
    env: (upstream, clients) => ({
      ACCOUNT_URL: upstream,
      CRM_URL: upstream,
      FORUM_URL: upstream,
      MAX_PAGE_SIZE: String(Math.max(clients, 1000)),
      ...settings,
    }),
    headers: { ...json, authorization: 'Bearer tok', 'x-forum-authorization': 'Basic ZGVtbzpkZW1v' },
    workloads: gatewayWorkloads,
    journeys: gatewayJourneys,
  };
}

function peer(name: string): Target {
  return {
    name,
    args: [`bench/peers/${name}.mjs`],
    env: (upstream) => ({ UPSTREAM: upstream }),
    headers: json,
    workloads: plainWorkloads,
  };
}

export const TRIVIUM = gateway('trivium');
export const FLOOR = peer('floor');
export const TARGETS: readonly Target[] = [
  TRIVIUM,
  gateway('trivium-unshared', { SHARE_READS: 'false' }),
  FLOOR,
  { ...peer('mercurius'), journeys: plainJourneys },
  { ...peer('apollo'), journeys: plainJourneys },
];

/** Outside of the table the variants of the gateway itself are left out. */
export const COMPARED = TARGETS.filter(({ name }) => name !== 'trivium-unshared');
export const WAN_TARGETS = COMPARED.filter(({ journeys }) => journeys !== undefined);
