import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import { HELD, type heldDeadlines } from '../support/deadlines.ts';
import { gatewayOver, type Result } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import type { Case, Written } from './json-answers.ts';
import { type Mutation, rootField } from './mutations.ts';

/** How an API writes its records. */
export interface Wire {
  /** What was written by this request. */
  readonly written: (path: string, body: string) => Written;
  /** The answer to a read, with the fields of the record; undefined when it is gone. */
  readonly read: (path: string, fields: object | undefined) => string | undefined;
  readonly type: string;
  readonly encode: (body: unknown) => string;
}

/** The mutations of one operation, and what upstream answers to them. */
interface Run {
  readonly answer: Case;
  /** What the write sent, once it has come. */
  sent?: Written;
  /** The writes that have come, as `METHOD /path`. */
  readonly writes: string[];
}

const GENERIC = { name: 'old', title: 'old', content: 'old', data: { name: 'old' }, table_name: null };

/**
 * An upstream that answers each operation as its credential says: `run-7` in a header, the query, the body, or the code of a
 * database.
 */
async function answeringUpstream({ written, read, type, encode }: Wire, more: Partial<Config>) {
  const runs: Run[] = [];
  const held: ServerResponse[] = [];

  const answerRead = ({ answer, sent }: Run, path: string, response: ServerResponse) => {
    const fields = sent && answer.later === 'changed' ? { ...GENERIC, ...sent.fields } : GENERIC;
    const body = read(path, sent && answer.later === 'gone' ? undefined : fields);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body ?? '');
  };

  const answerWrite = (run: Run, call: string, sent: Written, response: ServerResponse) => {
    const { status = 200, body, text: plain, fault, type: own = type } = run.answer;
    run.sent = sent;
    run.writes.push(call);
    if (fault === 'hangs') return void held.push(response);
    if (fault === 'cut') return void response.destroy();
    if (fault === 'cut in its body') {
      response.writeHead(201, { 'content-type': type, 'content-length': '1000' });
      return void response.write('{"id":11,', () => response.destroy());
    }
    const content = body ? encode(body(sent)) : (plain ?? '');
    response.writeHead(status, { 'content-type': own, ...(status < 400 && status >= 300 && { location: '/' }) });
    response.end(status === 204 || status === 304 ? undefined : content);
  };

  const { url } = await stubUpstream((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const path = request.url ?? '';
      const run = runs[runNumber(request, body)];
      if (!run) throw new Error(`No run for ${path}.`);
      if (request.method === 'GET' || path.endsWith('/get')) answerRead(run, path, response);
      else answerWrite(run, `${request.method} ${path}`, written(path, body), response);
    });
  });

  const settings: Partial<Config> = {
    FLEX_URL: new URL(url),
    CRM_URL: new URL(url),
    FORUM_URL: new URL(url),
    CRM_SHARES_TOKEN: 'true',
    MAX_ALIASES: 1_000,
    MAX_COST: 1_000_000,
    ...HELD,
    ...more,
  };

  /** Runs mutations in one operation. Returns their outcomes by their fields. */
  const run = async (
    gateway: Awaited<ReturnType<typeof gatewayOver>>,
    answer: Case,
    mutations: readonly Mutation[],
  ) => {
    const number = runs.push({ answer, writes: [] }) - 1;
    const code = `run-${number}`;
    const query = `mutation { ${mutations.map((mutation) => rootField(mutation, code)).join(' ')} }`;
    const forum = `Basic ${Buffer.from(`${code}:x`).toString('base64')}`;
    const result = await gateway.execute(query, { token: code, headers: { 'x-forum-authorization': forum } });
    const writes = runs[number]?.writes ?? [];
    expect(writes, answer.name).toHaveLength(mutations.length);
    return new Map(mutations.map(({ field }, index) => [field, outcomeOf(result, field, writes[index] ?? '')]));
  };

  return { open: async () => gatewayOver(url, settings), run, hanging: () => held.length };
}

/** The number of calls that fail before a gateway stops to make them. */
const FEW = 8;

/** Runs each mutation with each answer. Returns the outcomes by the names of the answers and the fields. */
export async function outcomes(
  wire: Wire,
  answers: readonly Case[],
  mutations: readonly Mutation[],
  deadlines: ReturnType<typeof heldDeadlines>,
  settings: Partial<Config> = {},
) {
  const { open, run, hanging } = await answeringUpstream(wire, settings);
  const found = new Map<string, ReadonlyMap<string, string>>();
  let expectedHanging = 0;
  const common = await open();
  const complete = answers.filter(({ fault }) => fault === undefined);
  await Promise.all(complete.map(async (answer) => found.set(answer.name, await run(common, answer, mutations))));

  for (const answer of answers.filter(({ fault }) => fault !== undefined)) {
    const groups = mutations.filter((_mutation, index) => index % FEW === 0);
    const running = groups.map(async (_first, group) => {
      const gateway = await open();
      const few = mutations.slice(group * FEW, (group + 1) * FEW);
      return Promise.all(few.map((mutation) => run(gateway, answer, [mutation])));
    });
    if (answer.fault === 'hangs')
      await deadlines.comeWhen(mutations.length, hanging, (expectedHanging += mutations.length));
    const each = (await Promise.all(running)).flat(2);
    found.set(answer.name, new Map(each.flatMap((outcome) => [...outcome])));
  }
  return found;
}

/** The expected outcomes, in the same shape. */
export function expectedOutcomes(answers: readonly Case[], mutations: readonly Mutation[]) {
  const expectedOf = ({ expected }: Case) => new Map(mutations.map((each) => [each.field, expected(each)]));
  return new Map(answers.map((answer) => [answer.name, expectedOf(answer)]));
}

function runNumber({ headers, url = '' }: IncomingMessage, body: string): number {
  const { authorization = '' } = headers;
  const login = authorization.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
  const [, number] = /run-(\d+)/.exec([authorization, login, url, body].join(' ')) ?? [];
  return Number(number ?? -1);
}

/**
 * The state of a change, with what tells it: `APPLIED 11` with the id in the payload, `REFUSED NotFoundError` with the member of
 * the union, `UNKNOWN UPSTREAM_TIMEOUT` with the code of the error.
 */
function outcomeOf({ data, errors }: Result, field: string, write: string): string {
  const value: unknown = Object(data)[field];
  const payload: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof payload !== 'object' || payload === null) {
    const error = errors.find(({ path }) => path?.[0] === field);
    return error ? failureOf(error, write) : JSON.stringify(errors);
  }
  const { __typename: type, id, deletedId, apiToken } = Object(payload);
  if (/^(Validation|Forbidden|NotFound|Conflict)Error$/.test(type)) return `REFUSED ${type}`;
  if (apiToken === null) return 'APPLIED ?';
  const global: unknown = id ?? deletedId ?? apiToken?.id;
  return typeof global === 'string' ? `APPLIED ${global.split(':').at(-1)}` : 'APPLIED';
}

/** An error names the write that failed, and says so when nobody knows what became of it. */
function failureOf({ extensions, message }: Result['errors'][number], write: string): string {
  const { outcome, code, upstream } = extensions;
  if (outcome === 'APPLIED') return 'APPLIED ?';
  const named = String(Object(upstream).endpoint).replace(/:\w+/g, '[^/]+');
  expect(write).toMatch(new RegExp(`^${named}([?]|$)`));
  if (outcome === 'UNKNOWN') expect(message, write).toContain('not known');
  return `${outcome} ${code}`;
}
