import type { Config } from '../../src/config.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { Upstreams } from '../../src/apis/upstreams.ts';
import { testConfig } from '../support/gateway.ts';
import { type Capacity, SimulatedTime, SimulatedUpstream, type Trouble } from './simulation.ts';

/** The rows of a list. Each operation reads the list of posts, and the client of each post. */
const ROWS = 20;
const POSTS = rows((id) => ({ id, client_id: id }));
const CLIENTS = rows((id) => ({ id, name: `Client ${id}` }));

/** Below ROWS, so that `auto` tries a list of unknown size. */
const READS_AT_ONCE = 10;
const UPSTREAM_TIMEOUT_MS = 10_000;

/** The number of credentials, used in turn. */
const CREDENTIALS = 3;

/** When the fault starts, and for how long after its end operations start. In milliseconds. */
const TROUBLE_AT = 5_000;
const WATCHED_MS = 35_000;
/** Operations that start this long after the end of the fault are counted, in milliseconds. */
const RECOVERY_MS = 5_000;

const TROUBLES: readonly (readonly [Trouble, ms: number])[] = [
  ['stalls', 1_000],
  ['stalls', 5_000],
  ['stalls', 30_000],
  ['fails', 1_000],
  ['fails', 10_000],
  ['fails', 30_000],
  ['is slow', 30_000],
];

/** The load as a fraction of the capacity, and the fraction of the counted operations that must succeed. */
const LOADS = [
  [0.1, 0.99],
  [0.5, 0.99],
  [0.8, 0.95],
] as const;

const MODES = ['list', 'by-id', 'auto'] as const;

interface Scenario {
  readonly trouble: Trouble;
  readonly ms: number;
  readonly mode: Config['BATCH_READS'];
  readonly load: number;
  /** The fraction of the counted operations that must succeed. */
  readonly servedPart: number;
}

/** Every fault at every load in every mode. */
export const SCENARIOS: readonly Scenario[] = MODES.flatMap((mode) =>
  LOADS.flatMap(([load, servedPart]) => TROUBLES.map(([trouble, ms]) => ({ trouble, ms, mode, load, servedPart }))),
);

/**
 * Simulates one scenario.
 *
 * @returns how many operations started at least RECOVERY_MS after the fault, and how many of them succeeded completely within
 *   UPSTREAM_TIMEOUT_MS of simulated time
 */
export async function play({ trouble, ms, mode, load }: Scenario, connections: number, capacity: Capacity) {
  const time = new SimulatedTime();
  const upstream = new SimulatedUpstream(time, capacity, answer);
  const upstreams = new Upstreams(
    testConfig({
      CRM_URL: new URL('http://crm.test'),
      UPSTREAM_CONNECTIONS: connections,
      UPSTREAM_TIMEOUT_MS,
      READS_AT_ONCE,
      BATCH_READS: mode,
    }),
  );
  const calls = mode === 'by-id' ? 1 + ROWS : 2;
  const callsPerMs = Math.min(connections, capacity.workers) / capacity.ms;
  const recovered = TROUBLE_AT + ms + RECOVERY_MS;
  const end = TROUBLE_AT + ms + WATCHED_MS;
  let begun = 0;
  let served = 0;

  const operation = async (number: number) => {
    const since = time.now;
    const isWhole = await reads(upstreams, `token-${number % CREDENTIALS}`);
    if (since < recovered) return;
    begun += 1;
    if (isWhole && time.now - since <= UPSTREAM_TIMEOUT_MS) served += 1;
  };
  const running: Promise<void>[] = [];
  for (let at = 1; at < end; at += calls / (callsPerMs * load))
    time.at(at, () => void running.push(operation(running.length)));
  time.at(TROUBLE_AT, () => (upstream.trouble = trouble));
  time.at(TROUBLE_AT + ms, () => upstream.recover());
  await time.comes(end + 60_000); // OPERATION_TIMEOUT_MS
  await Promise.all(running);
  await upstreams.close();
  return { begun, served };
}

/** Runs one operation. Returns whether it read every record. */
async function reads(upstreams: Upstreams, token: string): Promise<boolean> {
  const { crm } = upstreams.context({
    headers: { 'x-crm-token': token },
    address: '',
    setCookie: () => {},
    onSecret: () => {},
    gone: new Departure(),
    onLateWrite: () => {},
  });
  try {
    const posts = await crm.posts();
    const clients = await crm.clientsById(Array.from(posts, ({ id }) => id));
    return clients.every((client) => client !== null && !(client instanceof Error));
  } catch {
    return false;
  }
}

function answer(path: string): string {
  const [, id] = /clients\/(\d+)\.json/.exec(path) ?? [];
  if (id !== undefined) return JSON.stringify({ id, name: `Client ${id}` });
  return path.startsWith('/app/clients.json') ? CLIENTS : POSTS;
}

function rows(row: (id: number) => object): string {
  return JSON.stringify(Array.from({ length: ROWS }, (_none, index) => row(index + 1)));
}
