import { z } from 'zod';

/** A write that is meant once, however often it is sent. Its name is that of no other one. */
export interface Intent {
  readonly kind: 'creation' | 'update';
  /** The name that the client gets. */
  readonly name: string;
  /** The client to update: its id upstream. */
  readonly target?: number;
}

/** What the caller of an intent was told in the end. */
export interface Told {
  readonly intent: Intent;
  /** UNTOLD: the last answer was an error without an outcome. */
  readonly outcome: 'APPLIED' | 'REFUSED' | 'UNKNOWN' | 'UNTOLD';
  /** Why, when it was not applied: the code of the error, or the type of the refusal. */
  readonly reason: string;
  /** Of the record, upstream. */
  readonly id?: string;
}

/** Sends a mutation, again and again where that is needed. @returns the last answer; null when there was none */
export type Caller = (mutation: string, variables: Record<string, string>) => Promise<unknown>;

const RESULT = '{ __typename ... on Client { upstreamId } ... on MutationError { message } }';
const MUTATIONS = {
  creation: `mutation ($name: String!) { result: createClient(input: { name: $name }) ${RESULT} }`,
  update: `mutation ($id: ID!, $name: String!) { result: updateClient(id: $id, input: { name: $name }) ${RESULT} }`,
};

const answerShape = z.object({
  data: z
    .object({ result: z.object({ __typename: z.string(), upstreamId: z.string().optional() }).nullish() })
    .nullish(),
  errors: z.array(
    z.object({ extensions: z.object({ code: z.string().optional(), outcome: z.string().optional() }).optional() }),
  ),
});

/** Sends an intent, and tells what its caller was told. */
async function carryOut(intent: Intent, send: Caller): Promise<Told> {
  const { kind, name, target } = intent;
  const answer = await send(MUTATIONS[kind], { name, ...(target !== undefined && { id: String(target) }) });
  if (answer === null) return { intent, outcome: 'UNKNOWN', reason: 'no answer' }; // so the apps tell their users
  const { data, errors } = answerShape.parse(answer);
  const record = data?.result;
  if (record?.__typename === 'Client') {
    return {
      intent,
      outcome: 'APPLIED',
      reason: '',
      ...(record.upstreamId !== undefined && { id: record.upstreamId }),
    };
  }
  if (record) return { intent, outcome: 'REFUSED', reason: record.__typename };
  const reason = errors[0]?.extensions?.code ?? 'an error without a code';
  const outcomes = new Set(errors.map(({ extensions }) => extensions?.outcome));
  for (const outcome of ['UNKNOWN', 'APPLIED', 'REFUSED'] as const)
    if (outcomes.has(outcome)) return { intent, outcome, reason };
  return { intent, outcome: 'UNTOLD', reason };
}

/**
 * Intents in turns: a creation, an update, a creation …
 *
 * @param targets the ids of the clients to update, in turns
 */
export function intentsFor(count: { creations: number; updates: number }, targets: readonly number[]): Intent[] {
  const intents: Intent[] = [];
  for (let index = 0; index < Math.max(count.creations, count.updates); index += 1) {
    const target = targets[index % targets.length] ?? 0;
    if (index < count.creations) intents.push({ kind: 'creation', name: `Creation ${index}` });
    if (index < count.updates) intents.push({ kind: 'update', name: `Update ${index}`, target });
  }
  return intents;
}

interface Watch {
  /** Called after each intent. @param share of all intents that have been told */
  readonly onTold?: (share: number) => void;
  /** Whether another intent may be begun. */
  readonly hasTime?: () => boolean;
}

/** Carries intents out, several at a time: each caller sends one after the other. */
export async function carryOutAll(intents: readonly Intent[], callers: readonly Caller[], watch: Watch = {}) {
  const { onTold = () => {}, hasTime = () => true } = watch;
  const waiting = [...intents];
  const all: Told[] = [];
  const work = async (send: Caller) => {
    for (let intent = waiting.shift(); intent && hasTime(); intent = waiting.shift()) {
      all.push(await carryOut(intent, send));
      onTold(all.length / intents.length);
    }
  };
  await Promise.all(callers.map(work));
  return all;
}
