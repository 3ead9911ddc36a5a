import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { dice } from './dice.ts';
import type { TestGateway } from './gateway.ts';
import { says, stubUpstream } from './stub-upstream.ts';

// A checker of histories: callers read a record and change it, and each change tells the value that it was made of. An update is
// lost where a change replaces a value that its caller has not seen.

/** A change as its caller knows it. */
export interface Change {
  /** The value that the caller had read. */
  readonly based: string;
  /** The value that it wrote: no other change writes it. */
  readonly wrote: string;
  readonly end: 'applied' | 'conflict' | 'refused' | 'unknown';
}

/** A change as upstream has carried it out: the value before it, and after it. */
export interface Applied {
  readonly from: string;
  readonly to: string;
}

const FIRST = 'first';

/**
 * The lost updates that callers can tell by themselves: of several applied changes of one value all but one.
 *
 * @returns the values that they wrote
 */
export function lostByHistory(history: readonly Change[]): string[] {
  const applied = history.filter(({ end }) => end === 'applied');
  const bases = new Set<string>();
  return applied.filter(({ based }) => bases.has(based) || !bases.add(based)).map(({ wrote }) => wrote);
}

/** The changes that replaced another value than the one that they were made of, those of unknown outcome too. */
export function lostByLog(history: readonly Change[], log: readonly Applied[]): Applied[] {
  const bases = new Map(history.map(({ wrote, based }) => [wrote, based]));
  return log.filter(({ from, to }) => bases.get(to) !== from);
}

/** What a history says that the log does not: changes that were told to be applied and were not, or the other way round, or twice. */
export function untrueEnds(history: readonly Change[], log: readonly Applied[]): Change[] {
  return history.filter(({ wrote, end }) => {
    const times = log.filter(({ to }) => to === wrote).length;
    if (end === 'unknown') return times > 1;
    return times !== (end === 'applied' ? 1 : 0);
  });
}

export interface RegisterOptions {
  /** The times of changes: each later than the one before, or whole seconds, of which ten changes share one. */
  readonly times?: 'fine' | 'seconds';
  readonly seed?: number;
  /** Of so many writes one is cut before its answer, and arrives late. 0 for none. */
  readonly lateOf?: number;
}

/** A late write arrives after so many milliseconds. */
const LATE_MS = 300;

const sent = z.object({ client: z.object({ name: z.string() }) });

/** A CRM with one client, whose name is the value. It takes a random time for each call, and keeps a log of the changes. */
export async function register({ times = 'fine', seed = 1, lateOf = 0 }: RegisterOptions = {}) {
  const log: Applied[] = [];
  const { roll } = dice(seed);
  let value = FIRST;
  let writes = 0;
  let pending = 0;
  const time = () => {
    const start = Date.UTC(2026, 2, 1);
    return new Date(start + (times === 'fine' ? log.length : Math.floor(log.length / 10) * 1_000)).toISOString();
  };
  const apply = (to: string) => {
    log.push({ from: value, to });
    value = to;
  };
  const handle = async (request: IncomingMessage): Promise<string | undefined> => {
    const to = request.method === 'PUT' ? sent.parse(await json(request)).client.name : undefined;
    await delay(roll(4));
    if (to !== undefined) {
      writes += 1;
      if (lateOf > 0 && writes % lateOf === 0) {
        pending += 1;
        void delay(LATE_MS).then(() => {
          apply(to);
          pending -= 1;
        });
        return undefined;
      }
      apply(to);
    }
    const answer = JSON.stringify({ id: 1, name: value, updated_at: time() });
    await delay(roll(4));
    return answer;
  };
  const { url } = await stubUpstream((request, response) => {
    void handle(request).then((answer) =>
      answer === undefined ? response.destroy() : says(answer)(request, response),
    );
  });
  return {
    url,
    log,
    /** Waits until a late write has arrived. */
    late: () => delay(LATE_MS),
    /** How many writes are on their way. */
    pending: () => pending,
  };
}

export interface CallersOptions {
  readonly callers: number;
  /** How many changes each caller makes, or finds to be of unknown outcome. */
  readonly changes: number;
  /** Whether changes have `ifUpdatedAt`. */
  readonly isGuarded: boolean;
  /** The time of a change in milliseconds, when it is less than the setting. */
  readonly timeoutMs?: number;
}

const READ = '{ client(id: 1) { name updatedAt } }';
const CHANGE = `mutation ($name: String!, $at: DateTime) {
  updateClient(id: 1, input: { name: $name }, ifUpdatedAt: $at) {
    __typename ... on ConflictError { current { ... on Client { name updatedAt } } }
  }
}`;

const readClient = z.object({ name: z.string(), updatedAt: z.string() });
const read = z.object({ client: readClient });
const changed = z.object({
  updateClient: z.object({ __typename: z.string(), current: readClient.optional() }).nullable(),
});

/** Lets callers read and change the record, each through the next of the gateways. After a conflict they go on with its record. */
export async function runCallers(
  gateways: readonly Pick<TestGateway, 'execute'>[],
  { callers, changes, isGuarded, timeoutMs }: CallersOptions,
): Promise<Change[]> {
  const history: Change[] = [];
  const headers = { 'x-crm-token': 'token' };
  const timed = { ...headers, ...(timeoutMs !== undefined && { 'x-trivium-timeout-ms': String(timeoutMs) }) };
  const run = async (caller: number) => {
    const { execute } = gateways[caller % gateways.length] ?? {
      execute: () => Promise.reject(new Error('no gateway')),
    };
    const readNow = async () => read.parse((await execute(READ, { headers })).data).client;
    let known = await readNow();
    for (let number = 0, attempt = 0; number < changes; attempt += 1) {
      const name = `caller ${caller}, change ${number}, attempt ${attempt}`;
      const variables = { name, ...(isGuarded && { at: known.updatedAt }) };
      const { data, errors } = await execute(CHANGE, { headers: timed, variables });
      const { updateClient: result } = changed.parse(data);
      const outcome = errors[0]?.extensions['outcome'];
      const failure = outcome === 'UNKNOWN' ? 'unknown' : 'refused';
      const end = result === null ? failure : result.__typename === 'Client' ? 'applied' : 'conflict';
      history.push({ based: known.name, wrote: name, end });
      if (end === 'applied' || end === 'unknown') number += 1;
      known = result?.current ?? (await readNow());
    }
  };
  await Promise.all(Array.from({ length: callers }, async (_none, caller) => run(caller)));
  return history;
}
