import {
  asError,
  BadResponseError,
  type GatewayError,
  LateEndpointError,
  NotFoundError,
  RateLimitedError,
  TooLargeError,
  UnavailableError,
  ValidationError,
} from '../errors.ts';
import { paginationOf } from '../formats/pagination.ts';
import { byteLength } from '../formats/utf8.ts';
import { type Refusal, refusalOfRead } from '../formats/written.ts';
import type { CredentialState } from './credential-states.ts';
import { badResponse, claim, decodeInContext, type Exchange, inContext, isEmpty } from './exchange.ts';
import { decodedOnce } from './list-pages.ts';
import type { Parsed } from './requests.ts';
import type { Way } from './step.ts';
import type { HeldAnswer } from './transport/answer-memory.ts';
import { createRedactor } from './transport/redaction.ts';
import { refusalError } from './transport/refusal.ts';

/** A part of what was asked for (RFC 9110, 15.3.7). No request asks for one. Not documented (A252): a write with it was carried out. */
const PARTIAL = 206;

/** Turns each status but 2xx into an error, and tells breakers and the cache of the response. @throws GatewayError for a refusal */
export function accepted<Body, Attempt, Result>(
  next: Way<Exchange<Body, Attempt>, Result>,
): Way<Exchange<Body, Attempt>, Result> {
  return (exchange) => {
    const { session, answer, shared, lookup } = exchange;
    const { status } = answer;
    session.onAnswer?.(answer);
    exchange.call = { api: exchange.call.api, endpoint: exchange.call.endpoint, status };
    exchange.isFirst = claim(shared);
    const asked = shared ? shared.asked : lookup?.asked;
    if (status === 304) exchange.unchanged = asked;
    const isAccepted = (status >= 200 && status < 300) || exchange.unchanged !== undefined;
    if (exchange.isFirst && session.credentialState) judgeStatus(exchange, session.credentialState);
    if (!isAccepted) throw refused(exchange);
    lookup?.receive(answer, exchange.isFirst, exchange.unchanged, shared?.beganAt);
    return next(exchange);
  };
}

/** Tells the breaker of the endpoint that upstream has answered, and reads that may be joined how long that took. */
function judgeStatus<Body>(
  { session, answer, call, ticket }: Exchange<Body, unknown>,
  credentialState: CredentialState,
): void {
  if (answer.status >= 500) return;
  credentialState.succeeded(call.endpoint, ticket);
  session.api.calls?.learn(call.endpoint, answer.totalMs);
}

/** The error of a refusal, of which the first operation that handles it tells the breaker and the cache. */
function refused<Body>(exchange: Exchange<Body, unknown>): GatewayError {
  const { session, answer, call, request, ticket } = exchange;
  const failure = failureOf(exchange);
  const credentialState = exchange.isFirst ? session.credentialState : undefined;
  if (failure instanceof UnavailableError)
    credentialState?.failed(call.endpoint, ticket, failure.message, failure.retryAfter);
  else if (credentialState) session.api.cache?.dropRefused(credentialState, request, answer.status);
  return failure;
}

function failureOf<Body>(exchange: Exchange<Body, unknown>): GatewayError {
  const { answer, call, session } = exchange;
  const { format, upstream } = session.api;
  if (answer.status === 304)
    return badResponse(call, new BadResponseError('Expected an answer, got a 304 that nobody asked for.'));
  const { setting } = upstream.api;
  const error = refusalOf(exchange, { part: format.parseRefusal(answer, setting), status: answer.status });
  if (error instanceof NotFoundError)
    error.isOfWebPage = () => !isEmpty(answer) && fails(() => format.assertNotWebPage(answer, setting));
  return error;
}

/** The error of a refusal, by its status or its body. It holds no secret. */
export function refusalOf<Body>(exchange: Exchange<Body, unknown>, { part, status }: Refusal): GatewayError {
  const { session, answer, call, request } = exchange;
  const { api, credential, credentialState } = session;
  const redactor = createRedactor([...session.secrets(), ...(request.secrets ?? [])], api.isFieldName);
  const about = { api: api.upstream.api, credential, call, sent: request.body, redactor };
  const error = refusalError({ ...answer, status }, part, about);
  if (error instanceof RateLimitedError && error.retryAfter !== undefined) credentialState?.pause(error.retryAfter);
  return error;
}

/** Whether a check finds a bad response. */
function fails(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof BadResponseError) return true;
    throw error;
  }
}

/** Learns what a list takes, for the next choice between it and reads by id. Its records have to be decodable. */
export function measured<Body>(next: Way<Exchange<Body>, Parsed<Body>>): Way<Exchange<Body>, Parsed<Body>> {
  return (exchange) => (exchange.isList ? measuredList(exchange, next) : next(exchange));
}

async function measuredList<Body>(
  exchange: Exchange<Body>,
  next: Way<Exchange<Body>, Parsed<Body>>,
): Promise<Parsed<Body>> {
  const { session, request } = exchange;
  try {
    const list = await next(exchange);
    await decodedOnce(list, request.recordKey);
    const { answer, bytes, isFirst, parseCpuMs, unchanged } = exchange;
    const { headMs, totalMs } = answer;
    const measures = { bytes, headMs, transferMs: totalMs - headMs, parseCpuMs };
    if (isFirst && !unchanged) session.api.readCost.recordList(request.path.template, measures);
    return list;
  } catch (error) {
    learnFrom(error, exchange);
    throw error;
  }
}

/** Records the size of a list that `Content-Length` told, and avoids a list that is too large or too slow. */
function learnFrom<Body>(error: unknown, { session, request }: Exchange<Body>): void {
  const { api, credentialState } = session;
  const { template } = request.path;
  const isLarge = error instanceof TooLargeError;
  const expected = isLarge ? error.expectedBytes : undefined;
  if (expected !== undefined) api.readCost.recordSize(template, expected);
  // A known size decides: the list may be worth it for more ids.
  const isTooLarge = isLarge && !(expected !== undefined && expected <= api.maxJoinedList.bytes);
  if (isTooLarge || error instanceof LateEndpointError) credentialState?.avoidList(template);
}

/**
 * Parses the response to a read.
 *
 * @returns a promise only where the format needs one
 * @throws BadResponseError for a body that the format cannot parse, and for a part of an answer
 * @throws ValidationError for a refusal with a 2xx status
 */
export function parsed<Body>(exchange: Exchange<Body>): Parsed<Body> | Promise<Parsed<Body>> {
  return exchange.isList ? parsedList(exchange) : parse(exchange);
}

/** Parses a list, and adds its pagination metadata. A refusal of a list without parameters is a bad response: the caller gave no input. */
async function parsedList<Body>(exchange: Exchange<Body>): Promise<Parsed<Body>> {
  const { session, request, answer, unchanged } = exchange;
  const { path, isPart } = request;
  exchange.bytes = byteLength(answer.body); // parsing may empty it
  const parsing = process.cpuUsage(); // other processes do not count in it
  try {
    const list = await parse(exchange);
    const { user, system } = process.cpuUsage(parsing);
    exchange.parseCpuMs = (user + system) / 1000;
    if (unchanged || isPart) return list;
    const pagination = paginationOf(answer, list.body, () => session.api.upstream.addressOf(path));
    return pagination ? { ...list, pagination } : list;
  } catch (error) {
    if (!(error instanceof ValidationError) || (path.bare ?? path.path).includes('?')) throw error;
    const message = `The ${exchange.call.api} API: Expected a list, got a refusal: ${error.message}`;
    throw new BadResponseError(message, error.upstream);
  }
}

function parse<Body>(exchange: Exchange<Body>): Parsed<Body> | Promise<Parsed<Body>> {
  const { session, call, shared, answer, unchanged } = exchange;
  if (call.status === PARTIAL)
    throw badResponse(call, new BadResponseError('Expected all of the answer, got a part of it (206).'));
  if (unchanged) return { ...unchanged.parsed, call };
  const { api, operation } = session;
  const held = operation.budget.share(shared?.held);
  const parseNow = () => api.format.parse(answer, api.upstream.api.setting, held.hold);
  if (shared) {
    shared.held ??= held;
    shared.parsed ??= { body: resultOf(parseNow) };
  }
  const body = shared?.parsed ? shared.parsed.body : decodeInContext(call, parseNow);
  if (!(body instanceof Promise)) return unlessRefused(body, exchange, held);
  return body.then(
    (ended) => unlessRefused(ended, exchange, held),
    (error: unknown) => {
      throw inContext(call, error);
    },
  );
}

/** @throws ValidationError for a refusal with a 2xx status */
function unlessRefused<Body>(body: Body, exchange: Exchange<Body>, { bytes: memory }: HeldAnswer): Parsed<Body> {
  const refusal = refusalOfRead(body);
  if (refusal) throw refusalOf(exchange, refusal);
  return { body, call: exchange.call, memory };
}

/** Runs a parser. What it throws becomes a rejection. */
function resultOf<T>(parser: () => T | Promise<T>): T | Promise<T> {
  try {
    return parser();
  } catch (error) {
    return Promise.reject(asError(error));
  }
}
