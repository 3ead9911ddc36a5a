import { setTimeout as delay } from 'node:timers/promises';
import { dice } from '../../test/support/dice.ts';

/** Requests that were answered, by what became of them. */
export interface Counts {
  answered: number;
  withErrors: number;
  left: number;
}

/** Callers at the same time, each of whom waits a little between two requests: about 150 requests a second. */
const CALLERS = 16;
const PAUSE_MS = 80;

interface Request {
  readonly query: string;
  readonly token?: string;
  readonly accept?: string;
  /** Milliseconds after which the caller leaves. */
  readonly leavesAfter?: number;
}

const FORUM = `Basic ${Buffer.from('demo:demo').toString('base64')}`;

/** Sends mixed requests until a time, by several callers at once. */
export async function sendLoad(url: string, until: number): Promise<Counts> {
  const counts: Counts = { answered: 0, withErrors: 0, left: 0 };
  const caller = async (seed: number) => {
    const chance = dice(seed);
    while (performance.now() < until) {
      await sendOne(url, nextRequest(chance), counts);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_caller, seed) => caller(seed)));
  return counts;
}

function nextRequest({ roll, pick }: ReturnType<typeof dice>): Request {
  const unique = `${roll(1_000_000_000)}`;
  return pick<() => Request>(
    () => ({ query: '{ apiTokens { name tokenInfo } dashboards { name layout { key } } }' }),
    () => ({
      query: '{ clients(first: 20) { nodes { name posts { title } } } deals(first: 20) { nodes { client { name } } } }',
    }),
    () => ({
      query: `{ client(id: ${1 + roll(5)}) { name } deal(id: ${1 + roll(5)}) { name } forumPosts { nodes { title } } }`,
    }),
    () => ({ query: '{ clients { nodes { name } } ... @defer { forumTeam { login } } }', accept: 'multipart/mixed' }),
    () => ({
      query: '{ deals { nodes { name } } ... @defer { forumPosts { nodes { title } } } }',
      accept: 'text/event-stream',
    }),
    () => ({ query: '{ flexDbs { name } }' }),
    () => ({ query: '{ flexDbs { name } }', token: `guest-${unique}` }),
    () => ({ query: '{ apiTokens { name } }', token: `guest-${unique}` }),
    () => ({ query: `{ apiToken(id: ${unique}) { name } client(id: "..") { id } a${unique}: __typename }` }),
    () => ({ query: `{ nothing${unique} }` }),
    () => ({ query: `{ broken${unique}` }),
    () => ({
      query: 'mutation { createClient(input: { name: "" }) { __typename ... on ValidationError { message } } }',
    }),
    () => ({ query: 'mutation { updateClient(id: 1, input: { note: "soak" }) { __typename } }' }),
    () => ({ query: '{ flexDbs { name } clients { nodes { name } } }', leavesAfter: 1 + roll(40) }),
    () => ({
      query: '{ flexDbs { name } ... @defer { forumTeam { login } } }',
      accept: 'multipart/mixed',
      leavesAfter: 5,
    }),
  )();
}

async function sendOne(url: string, request: Request, counts: Counts): Promise<void> {
  const { query, token = 'demo-admin', accept = 'application/json', leavesAfter } = request;
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-forum-authorization': FORUM,
      },
      body: JSON.stringify({ query }),
      ...(leavesAfter !== undefined && { signal: AbortSignal.timeout(leavesAfter) }),
    });
    const text = await response.text();
    counts.answered += 1;
    if (text.includes('"errors"')) counts.withErrors += 1;
  } catch (error) {
    if (leavesAfter === undefined) throw error;
    counts.left += 1;
  }
}
