import {
  BadResponseError,
  ConnectionLostError,
  GatewayError,
  TooLargeError,
  UndecidedError,
  UpstreamTimeoutError,
  ValidationError,
  type WriteOutcome,
} from '../errors.ts';
import { refusalInResults, refusalOfWrite, type SentWrite } from '../formats/written.ts';
import { accepted, refusalOf } from './answered.ts';
import { decodeInContext, type Exchange, isEmpty, type WriteExchange } from './exchange.ts';
import type { KeyedStep } from './keyed-step.ts';
import { turnIfUnchanged } from './preconditions/precondition.ts';
import { admitted, budgeted, sent } from './sent.ts';
import { inOrder, type Way } from './step.ts';
import type { Finding, WriteAttempt, Written } from './write-attempt.ts';

type Write<Body> = Way<WriteExchange<Body>, Written<Body>>;

/** The way of a write. It is never joined, cached or repeated. */
export function createWrite<Body>(): Write<Body> {
  return inOrder(
    [
      keyed, // under an Idempotency-Key it is sent once
      unchanged, // with `ifUpdatedAt` its record is as the caller knows it, and nobody else changes it
      concluded, // its outcome; without a response its record is read once
      admitted, // refused when the caller has left or was asked to wait, or the breaker of the endpoint is open
      budgeted, // MAX_UPSTREAM_CALLS, OPERATION_TIMEOUT_MS
      invalidating, // what it may change is stale before it is sent, and again when it has ended
      sent,
      accepted, // or refused, by the status
    ],
    judged, // by the body
  );
}

/** Asks whether an earlier attempt under the key of the operation has carried the write out, and tells how this one ends. */
function keyed<Body>(next: Write<Body>): Write<Body> {
  return (exchange) => {
    const step = exchange.session.operation.keyed;
    return step ? underKey(exchange, step, next) : next(exchange);
  };
}

async function underKey<Body>(
  exchange: WriteExchange<Body>,
  step: KeyedStep,
  next: Write<Body>,
): Promise<Written<Body>> {
  const { attempt, call, request, session } = exchange;
  const beginning = step.begin({
    call,
    path: request.path.path,
    credential: request.takesNoKey ? undefined : session.credentialState?.credential(),
    upstream: session.api.upstream,
    created: attempt.created,
    kindOf: request.kindOf,
    evidence: attempt.evidence?.(),
  });
  const begun = beginning instanceof Promise ? await beginning : beginning;
  if (!begun.end) return { id: begun.id };
  try {
    const written = await next(exchange);
    const told = begun.end('APPLIED', written.id);
    if (told) await told;
    return written;
  } catch (error) {
    await begun.end(attempt.state.outcome, undefined);
    throw error;
  }
}

/** Waits for the turn of a record that must be unchanged, and holds it until the outcome of the write. */
function unchanged<Body>(next: Write<Body>): Write<Body> {
  return async (exchange) => {
    const { attempt, call, request, session } = exchange;
    const { precondition } = attempt;
    if (!precondition) return next(exchange);
    const leaveTurn = await turnIfUnchanged(precondition, request.path, session, call);
    try {
      return await next(exchange);
    } finally {
      leaveTurn(attempt.state.outcome);
    }
  };
}

/**
 * Records the outcome of a write that was sent, and makes its result. A response beyond the limit has a status of success, so the
 * write was carried out.
 *
 * @throws GatewayError for a write that was refused, or whose outcome is unknown
 */
function concluded<Body>(next: Write<Body>): Write<Body> {
  return async (exchange) => {
    let body: Body | undefined;
    try {
      ({ body } = await next(exchange));
    } catch (error) {
      if (!(error instanceof TooLargeError)) return afterFailure(error, exchange);
    }
    conclude('APPLIED', exchange);
    return exchange.attempt.read(body);
  };
}

/** @throws the error, unless a read shows the change */
async function afterFailure<Body>(error: unknown, exchange: WriteExchange<Body>): Promise<Written<Body>> {
  const { attempt, session } = exchange;
  if (attempt.state.outcome !== 'UNKNOWN') throw error; // it was not sent
  const mayLook = isUnanswered(error) && !session.operation.gone.happened;
  const finding = mayLook ? await confirmed(attempt) : undefined;
  if (finding && !('notice' in finding)) {
    conclude('APPLIED', exchange);
    return finding;
  }
  const outcome = isRefusal(error) ? 'REFUSED' : 'UNKNOWN';
  conclude(outcome, exchange);
  throw outcome === 'UNKNOWN' ? withNotice(error, finding?.notice) : error;
}

/** Reads the record of a write back. A failure of that read is ignored: the failure of the write is reported. */
async function confirmed<Body>({ confirm }: WriteAttempt<Body>): Promise<Finding | undefined> {
  return confirm?.().catch(() => undefined);
}

function conclude<Body>(outcome: WriteOutcome, { attempt: { state }, call, session }: WriteExchange<Body>): void {
  const { gone, onLateWrite } = session.operation;
  state.record(outcome);
  if (gone.happened || state.isLate) onLateWrite({ api: call.api, endpoint: call.endpoint }, outcome);
}

/** Whether the write may have arrived, but upstream did not answer, or not what became of it. */
function isUnanswered(error: unknown): boolean {
  return [UpstreamTimeoutError, ConnectionLostError, UndecidedError].some((kind) => error instanceof kind);
}

/** Whether upstream has refused a write that was sent. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { status = 0 } = error.upstream ?? {};
  return (status >= 400 && status < 500) || error instanceof ValidationError;
}

/** Adds to the error of a write with an unknown outcome what was found, and what to do. */
export function withNotice(error: unknown, notice: string | undefined): unknown {
  if (!(error instanceof GatewayError)) return error;
  const advice = 'Whether the change was made is not known: read before you try again.';
  error.message = [error.message, notice, advice].filter((part) => part !== undefined).join(' ');
  return error;
}

/** Makes stale what the write may change, before it is sent and when it has ended: a read may have come between. */
function invalidating<Body>(next: Write<Body>): Write<Body> {
  return async (exchange) => {
    const { session, call } = exchange;
    const { api, operation } = session;
    void api.invalidate(call.endpoint);
    try {
      return await next(exchange);
    } finally {
      session.forget();
      if (api.related !== undefined) operation.sessions[api.related]?.forget(); // it has read the same records
      const told = api.invalidate(call.endpoint);
      if (told) await told;
    }
  };
}

/** Several results (RFC 4918, 13). */
const RESULTS = 207;

/** Not documented (A251): 202 and 207 do not say whether the write was carried out (RFC 9110, 15.3.3; RFC 4918, 13). */
const UNDECIDED: ReadonlySet<number> = new Set([202, RESULTS]);

/**
 * Parses the response to a write that upstream carried out. Not documented (A10): the body, which may be empty, `"ok"`,
 * `ok`, `{"status":"ok"}` or a record. A body that cannot be parsed is searched for its one-time secret.
 *
 * @throws BadResponseError for a web page: the API itself was not reached
 * @throws ValidationError for a refusal with a 2xx status, UndecidedError for a status that says nothing of the change
 */
async function judged<Body>(exchange: WriteExchange<Body>): Promise<Written<Body>> {
  const { answer, attempt, call, session } = exchange;
  const { format, upstream } = session.api;
  decodeInContext(call, () => format.assertNotWebPage(answer, upstream.api.setting));
  const body = isEmpty(answer) ? undefined : await parsedOrSalvaged(exchange, attempt.judged);
  const judge = call.status === RESULTS ? refusalInResults : refusalOfWrite;
  const refusal = body === undefined ? undefined : judge(format.refusalIn(body), attempt.judged);
  if (refusal) throw refusalOf(exchange, refusal);
  if (UNDECIDED.has(answer.status)) {
    const message = `The ${call.api} API answered with ${answer.status}, which does not say that the change was made.`;
    throw new UndecidedError(message, call);
  }
  return { body };
}

async function parsedOrSalvaged<Body>(
  { answer, session }: Exchange<Body, unknown>,
  { once }: SentWrite,
): Promise<Body | undefined> {
  const { format, upstream } = session.api;
  try {
    return await format.parse(answer, upstream.api.setting);
  } catch (error) {
    if (error instanceof BadResponseError) return once === undefined ? undefined : format.salvage(answer, once);
    throw error;
  }
}
