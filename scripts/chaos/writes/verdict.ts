import { z } from 'zod';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import type { Told } from './intents.ts';

const sentClient = z.object({ client: z.object({ name: z.string() }) });
const storedClients = z.array(z.object({ id: z.number(), name: z.string() }));

/** Counts the writes that a sandbox carries out. It keeps its last 10,000 calls: they have to be taken from it in time. */
export class Carried {
  readonly #sandbox: Sandbox;
  /** By the name of the intent. */
  readonly #times = new Map<string, number>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Takes the calls from the sandbox. */
  take(): void {
    for (const { method, status, body } of this.#sandbox.requests) {
      const isCarriedOut = (method === 'POST' || method === 'PUT') && status !== null && status < 300;
      const { data } = sentClient.safeParse(body);
      if (isCarriedOut && data) this.#times.set(data.client.name, this.timesOf(data.client.name) + 1);
    }
    this.#sandbox.forgetCalls();
  }

  timesOf(name: string): number {
    return this.#times.get(name) ?? 0;
  }
}

/** How a run ended. Each list holds what it should not hold, except `told`. */
export interface Verdict {
  readonly told: readonly Told[];
  /** Carried out more than once. */
  readonly twice: readonly Told[];
  /** Told APPLIED, and never carried out, or by the id of another record. */
  readonly lost: readonly Told[];
  /** Told no outcome. */
  readonly untold: readonly Told[];
  /** Told REFUSED, and carried out by an earlier attempt, by a code that does not speak of the last attempt alone. */
  readonly refusedYetApplied: readonly Told[];
}

/** The codes that say of the last attempt alone that it sent nothing: docs/outcomes.md. */
const OF_ONE_ATTEMPT = new Set(['IDEMPOTENCY_UNAVAILABLE', 'IDEMPOTENCY_LIMIT_EXCEEDED', 'OVERLOADED', 'RATE_LIMITED']);

/** Compares what the callers were told with what the sandbox has carried out. */
export async function judge(
  told: readonly Told[],
  carried: Carried,
  sandbox: Sandbox,
  token: string,
): Promise<Verdict> {
  carried.take();
  const response = await fetch(`${sandbox.urls.crm}/app/clients.json?api_token=${token}`);
  const stored = storedClients.parse(await response.json());
  const nameById = new Map(stored.map(({ id, name }) => [String(id), name]));
  const records = new Map<string, number>();
  for (const { name } of stored) records.set(name, (records.get(name) ?? 0) + 1);

  const times = ({ kind, name }: Told['intent']) =>
    kind === 'creation' ? Math.max(carried.timesOf(name), records.get(name) ?? 0) : carried.timesOf(name);
  const isAnother = ({ intent, id }: Told) =>
    intent.kind === 'creation'
      ? id !== undefined && nameById.get(id) !== intent.name
      : id !== undefined && id !== String(intent.target);
  return {
    told,
    twice: told.filter(({ intent }) => times(intent) > 1),
    lost: told.filter((one) => one.outcome === 'APPLIED' && (times(one.intent) === 0 || isAnother(one))),
    untold: told.filter(({ outcome }) => outcome === 'UNTOLD'),
    refusedYetApplied: told.filter(
      ({ intent, outcome, reason }) => outcome === 'REFUSED' && !OF_ONE_ATTEMPT.has(reason) && times(intent) > 0,
    ),
  };
}

/** How many intents had each outcome, with the reasons: `APPLIED 3, UNKNOWN 1 (UPSTREAM_TIMEOUT 1)`. */
export function tallyOf(told: readonly Told[]): string {
  const outcomes = count(told.map(({ outcome }) => outcome));
  const texts = outcomes.map(([outcome, times]) => {
    const reasons = count(
      told.filter((one) => one.outcome === outcome && one.reason !== '').map(({ reason }) => reason),
    );
    const details = reasons.map(([reason, times]) => `${reason} ${times}`).join(', ');
    return `${outcome} ${times}${details && ` (${details})`}`;
  });
  return texts.join(', ');
}

function count(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
