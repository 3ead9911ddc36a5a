import { CallerGoneError, NotCalledError, UnreachableError, type UpstreamCall } from '../../src/errors.ts';
import { json } from '../../src/formats/json.ts';
import { ReadCost } from '../../src/calls/read-cost.ts';
import { CredentialStates } from '../../src/calls/credential-states.ts';
import type { SessionOperation, SessionOptions, SharedApi } from '../../src/calls/exchange.ts';
import { PageLists } from '../../src/calls/cache/response-cache.ts';
import { createAsk, createRead } from '../../src/calls/read.ts';
import { createWrite } from '../../src/calls/write.ts';
import { UpstreamSession } from '../../src/calls/session.ts';
import { WriteLedger } from '../../src/calls/write-ledger.ts';
import type { Call } from '../../src/calls/transport/call.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import { CallBudget } from '../../src/calls/transport/call-budget.ts';
import { type Answer, type Deadlines, type Outgoing, responseHead } from '../../src/calls/transport/messages.ts';
import { LocalTurns } from '../../src/calls/preconditions/local-turns.ts';
import { Turns } from '../../src/calls/transport/turns.ts';
import { Upstream } from '../../src/calls/transport/upstream.ts';

export const API = { name: 'CRM', setting: 'CRM_URL' };

/** Errors of calls that were never sent. */
const NEVER_SENT = [CallerGoneError, NotCalledError, UnreachableError];

type Respond = (request: Outgoing, gone: Departure) => Answer | Promise<Answer>;

/** An upstream in this process: answers as the test says, and keeps what it was sent. */
export class FakeUpstream extends Upstream {
  readonly sent: (Outgoing & Deadlines)[] = [];
  readonly #respond: Respond;

  constructor(respond: Respond) {
    super(API, { url: undefined, timeoutMs: 1_000, connections: 1, maxWaiting: 10, turns: new Turns() });
    this.#respond = respond;
  }

  override open(request: Outgoing, call: UpstreamCall): Call {
    return Object.assign(super.open(request, call), {
      answer: async (gone: Departure, deadlines?: Deadlines) => this.#answerTo(request, gone, deadlines),
    });
  }

  async #answerTo(request: Outgoing, gone: Departure, deadlines?: Deadlines): Promise<Answer> {
    this.sent.push({ ...request, ...deadlines });
    try {
      const answer = await this.#respond(request, gone);
      request.onSent?.();
      return answer;
    } catch (error) {
      if (!NEVER_SENT.some((kind) => error instanceof kind)) request.onSent?.();
      throw error;
    }
  }

  /** Requests that it received, as `GET /path?query`. */
  get calls(): string[] {
    return this.sent.map(({ method, target }) => `${method} ${target}`);
  }
}

const NO_HEAD = responseHead([]);

/** A response with this text as its body. */
export function textAnswer(text: string, more: Partial<Answer> = {}): Answer {
  return {
    status: 200,
    ...NO_HEAD,
    contentType: 'application/json',
    packedBytes: undefined,
    headMs: 1,
    totalMs: 2,
    body: [Buffer.from(text)],
    ...more,
  };
}

export function jsonAnswer(body: unknown, more: Partial<Answer> = {}): Answer {
  return textAnswer(JSON.stringify(body), more);
}

type Api = SharedApi<unknown>;
type Own = Omit<SessionOptions<unknown>, 'api' | 'operation'>;

/** What a test changes of a session: of its API, of its operation, and its own. */
export type SessionChanges = Partial<Api & SessionOperation & Own>;

/** The options of a session over an upstream, with room for everything. */
export function sessionOptions(upstream: Upstream, changes: SessionChanges = {}): SessionOptions<unknown> {
  const { cache, calls, format = json } = changes;
  const common = { accept: format.accept, 'content-type': format.contentType };
  const api: Api = {
    format,
    upstream,
    credentials: new CredentialStates({ api: API.name, onChange: () => {} }),
    cache,
    calls,
    subjects: undefined,
    invalidate: () => undefined,
    headers: { common, packed: { ...common, 'accept-encoding': 'gzip' } },
    read: createRead({ cache, calls }),
    ask: createAsk(),
    write: createWrite(),
    isFieldName: () => false,
    maxRecord: { bytes: 1_000, setting: 'MAX_RECORD_BYTES' },
    maxList: { bytes: 3_000, setting: 'MAX_LIST_BYTES' },
    maxJoinedList: { bytes: 2_000, setting: 'MAX_JOINED_LIST_BYTES' },
    readsAtOnce: 10,
    readCost: new ReadCost(10),
    batchReads: 'auto',
  };
  const operation: SessionOperation = {
    budget: new CallBudget(100),
    gone: new Departure(),
    writes: new WriteLedger(),
    sessions: {},
    pages: new PageLists(),
    turns: new LocalTurns((text) => text),
    onSecret: () => {},
    onLateWrite: () => {},
  };
  const own: Own = { credential: 'X-CRM-Token', secrets: () => ['canary-secret'] };
  return { ...own, ...changes, api: { ...api, ...changes }, operation: { ...operation, ...changes } };
}

/** A session over an upstream that answers as the test says. */
export function fakeSession(respond: Respond, changes: SessionChanges = {}) {
  const upstream = new FakeUpstream(respond);
  const options = sessionOptions(upstream, changes);
  return { upstream, options, session: new UpstreamSession(options) };
}
