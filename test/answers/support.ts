import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnswerMode, answerModes } from '../../src/sandbox/answers.ts';
import { gateway } from '../support/gateway.ts';
import { Names, withChange } from './values.ts';

/** A gateway over a fresh sandbox, filled by the seeds of a scenario. */
export type House = Awaited<ReturnType<typeof gateway>>;

/** An error as a caller reads it. */
export interface ShownError {
  /** The response names of the path, joined by dots; '' for an error of the whole operation. */
  readonly path: string;
  readonly message: string;
  readonly code: unknown;
  /** The outcome of the write; only errors of mutations have one. */
  readonly outcome?: unknown;
}

/** The result of an operation, and the number of upstream calls that it made. */
export interface Outcome {
  readonly data: unknown;
  readonly errors: readonly ShownError[];
  /** The paths of values that upstream did not send, joined by dots, in the order of the alphabet. */
  readonly notSent: readonly string[];
  readonly calls: number;
}

/** How an outcome differs from that of the mode `full`. */
export interface Difference {
  /** The new value by the path in the data, joined by dots. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** All errors, in the order of their paths. */
  readonly errors?: readonly ShownError[];
  /** All paths. */
  readonly notSent?: readonly string[];
  readonly calls?: number;
}

/** A mode, or a group of modes with the same differences. `unread` are the modes whose writes answer no record. */
type ModeName = AnswerMode | 'unread';

const unreadModes: readonly AnswerMode[] = ['bare:204', 'bare:ok', 'bare:status'];

/** One GraphQL operation of a scenario. */
export interface Step {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The bearer token; null sends no credential. Default: that of the user with all permissions. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The number of upstream calls in the mode `full`. */
  readonly calls: number;
  /** A part of the data in the mode `full`, as `toMatchObject` takes it. By default no root field is null. */
  readonly data?: object;
  /** The types of the refusals in the mode `full`, in the order of a bulk mutation's items. Default: none. */
  readonly refused?: readonly string[];
  /** The errors in the mode `full`. Default: none. */
  readonly errors?: readonly ShownError[];
  /** The paths that upstream does not send in the mode `full`. Default: none. */
  readonly notSent?: readonly string[];
  readonly differs?: Readonly<Partial<Record<ModeName, Difference>>>;
}

/** GraphQL operations that run one after the other. Each mode runs them over a fresh sandbox with the same seeds. */
export interface Scenario {
  /** The bearer token of every operation that names no other one; null sends none. */
  readonly token?: string | null;
  /** Headers of every operation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Creates records without calls. */
  readonly seed?: (house: House) => void | Promise<void>;
  /**
   * Lists uuids that exist, in the order of their creation. Scenarios write the first one as `uuid-1`, in queries,
   * variables and expected values. They are listed after each creation, so a deleted one keeps its name.
   */
  readonly uuids?: (house: House) => Promise<readonly string[]>;
  /** By a name that says what the operation does. */
  readonly steps: Readonly<Record<string, Step>>;
}

/** The time in every sandbox. */
const NOW = '2026-01-02T03:04:05.678Z';

/** The raw token of the user without permissions. */
export const MEMBER = 'member-token-of-the-scenario';

/** The selection of a refusal. */
export const REFUSAL = `__typename ... on MutationError { message } ... on ValidationError { fields { field messages } }`;

/** The error of a value that only the lost response of a write could tell. */
export function lost(path: string, reason = 'the response does not tell the id of the record.'): ShownError {
  return { path, message: `The change was made, but ${reason}`, code: 'UPSTREAM_BAD_RESPONSE', outcome: 'APPLIED' };
}

/** The difference where the lost response of a write would have told these fields of its payload. */
export function lostFields(field: string, ...names: readonly string[]): Difference {
  const paths = names.map((name) => `${field}.${name}`);
  return { data: Object.fromEntries(paths.map((path) => [path, null])), errors: paths.map((path) => lost(path)) };
}

/** Tests a scenario: in the mode `full` as the steps say, in every other mode but for the declared differences alike. */
export function testEveryMode(name: string, scenario: Scenario): void {
  let full: Promise<ReadonlyMap<string, Outcome>> | undefined;
  const outcomesOfFull = () => (full ??= outcomes(scenario, 'full'));

  describe(`${name}, in each way of answering`, () => {
    test('full: as the steps say', async () => expectFull(scenario, await outcomesOfFull()));

    test.each(answerModes.filter((mode) => mode !== 'full'))('%s: as full, but for the declared', async (mode) => {
      const [expected, found] = [await outcomesOfFull(), await outcomes(scenario, mode)];
      for (const [name, step] of Object.entries(scenario.steps)) {
        const given = expected.get(name);
        if (given) expect.soft(found.get(name), name).toEqual(withDifference(given, differenceOf(step, mode)));
      }
    });
  });
}

function expectFull({ steps }: Scenario, found: ReadonlyMap<string, Outcome>): void {
  for (const [name, { calls, data, refused = [], errors = [], notSent = [] }] of Object.entries(steps)) {
    const outcome = found.get(name);
    if (data) expect.soft(outcome?.data, name).toMatchObject(data);
    else if (errors.length === 0) expect.soft(Object.values(Object(outcome?.data)), name).not.toContain(null);
    const told = { ...outcome, data: refusals(outcome?.data) };
    expect.soft(told, name).toEqual({ data: refused, errors, notSent, calls });
  }
}

/** The types of the refusals in the payloads of mutations. */
function refusals(data: unknown): string[] {
  const members = Object.values(Object(data))
    .flat()
    .map((member) => String(Object(member).__typename));
  return members.filter((name) => name.endsWith('Error') || name === 'NotAttempted');
}

function differenceOf({ differs }: Step, mode: AnswerMode): Difference {
  return differs?.[mode] ?? (unreadModes.includes(mode) ? differs?.unread : undefined) ?? {};
}

function withDifference(full: Outcome, { data = {}, ...rest }: Difference): Outcome {
  const changed = Object.entries(data).reduce(
    (whole, [path, value]) => withChange(whole, path.split('.'), value),
    full.data,
  );
  return { ...full, ...rest, data: changed };
}

/** Runs the operations of a scenario. Returns the outcomes by the names of the steps. */
async function outcomes(scenario: Scenario, answers: AnswerMode): Promise<ReadonlyMap<string, Outcome>> {
  const house = await gateway({}, { answers, now: () => new Date(NOW) });
  const { sandbox, account } = house;
  sandbox.store.createUser({ account, name: 'Member', token: MEMBER });
  await scenario.seed?.(house);
  const names = new Names();
  names.add((await scenario.uuids?.(house)) ?? []);
  const found = new Map<string, Outcome>();
  for (const [name, step] of Object.entries(scenario.steps)) {
    sandbox.forgetCalls();
    const { token = scenario.token } = step;
    const headers = { ...scenario.headers, ...step.headers };
    const outcome = await outcomeOf(house, names, { ...step, ...(token !== undefined && { token }), headers });
    const calls = sandbox.calls().length;
    if (step.query.includes('create')) names.add((await scenario.uuids?.(house)) ?? []);
    found.set(name, names.shown({ ...outcome, calls }));
  }
  return found;
}

async function outcomeOf({ url, admin }: House, names: Names, step: Step): Promise<Outcome> {
  const { query, variables = {}, token = admin.token, headers } = names.real(step);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-trivium-not-sent': '1',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data = null, errors = [], extensions } = answer.parse(await response.json());
  return {
    data,
    errors: errors
      .map(({ path, extensions: { code, outcome }, message }) => ({
        path: path.join('.'),
        message,
        code,
        ...(outcome !== undefined && { outcome }),
      }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    notSent: extensions.notSent.map((path) => path.join('.')).toSorted(),
    calls: 0,
  };
}

const path = z.array(z.union([z.string(), z.number()])).default([]);
const answer = z.object({
  data: z.unknown(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path,
        extensions: z.object({ code: z.string(), outcome: z.string().optional() }),
      }),
    )
    .optional(),
  extensions: z.object({ notSent: z.array(path) }).default({ notSent: [] }),
});
