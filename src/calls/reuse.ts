import { TooLargeError, TooSlowError, UpstreamTimeoutError } from '../errors.ts';
import { type CachedResponse, conditionOf, type ResponseCache } from './cache/response-cache.ts';
import { type Exchange, generationOf } from './exchange.ts';
import { decodedOnce } from './list-pages.ts';
import type { Get, Parsed } from './requests.ts';
import type { Way } from './step.ts';

type Read<Body> = Way<Exchange<Body>, Parsed<Body>>;

/**
 * Answers a read by the identical one that its operation has requested before, until it writes. A list for a later page of a
 * connection may be one of an earlier operation: it answers no other read.
 */
export function remembered<Body>(next: Read<Body>): Read<Body> {
  return (exchange) => {
    const { session, request, callLimit, isList } = exchange;
    const limit = isList ? exchange.limit : undefined;
    const { memory } = session;
    const isOfPage = request.continues !== undefined;
    const found = memory.requested(request, limit);
    if (found && (!found.isEarlier || isOfPage)) return found.reading;
    if (!isList) memory.noteRead(request);
    const reading = Promise.resolve(next(exchange));
    const isCapped = callLimit !== exchange.limit;
    memory.add(request, limit, { reading, isComplete: false, isEarlier: isOfPage }, (error) =>
      failedByOwnLimits(error, request, isCapped),
    );
    return reading;
  };
}

/**
 * Whether a read failed by a limit that a later read of the same path may not have. Any other failure is the result for the whole
 * operation.
 *
 * @param isCapped whether its limit of bytes was below that of the endpoint
 */
function failedByOwnLimits(error: unknown, { timeoutMs }: Get, isCapped: boolean): boolean {
  if (error instanceof TooLargeError) return isCapped;
  return error instanceof TooSlowError || (error instanceof UpstreamTimeoutError && timeoutMs !== undefined);
}

/** Answers a read by what an earlier operation of the same credential has read, or has upstream asked whether that still holds. */
export function cached<Body>(cache: ResponseCache<Body>) {
  return (next: Read<Body>): Read<Body> =>
    (exchange) => {
      const { session, isList } = exchange;
      const ready = cache.trusts(isList) ? session.credentialState?.generations?.ready() : undefined;
      return ready ? ready.then(() => answer(exchange, cache, next)) : answer(exchange, cache, next);
    };
}

function answer<Body>(
  exchange: Exchange<Body>,
  cache: ResponseCache<Body>,
  next: Read<Body>,
): Parsed<Body> | Promise<Parsed<Body>> {
  const { session, request, callLimit } = exchange;
  const generation = generationOf(session, exchange.call.endpoint);
  exchange.generation = generation;
  if (!session.credentialState || !generation) return next(exchange);
  const lookup = cache.lookup(session.credentialState, request, callLimit, generation);
  const { hit } = lookup;
  if (hit) return use(exchange, cache, hit);
  exchange.lookup = lookup;
  const validator = lookup.asked?.validator;
  if (validator) exchange.headers = { ...exchange.headers, ...conditionOf(validator) };
  const list = request.continues === undefined ? undefined : lookup.pages;
  return list ? continued(exchange, cache, list, next) : next(exchange);
}

/** Goes on in the list that a page was cut from before, unless it lacks the row that the page goes on from. */
async function continued<Body>(
  exchange: Exchange<Body>,
  cache: ResponseCache<Body>,
  list: CachedResponse<Body>,
  next: Read<Body>,
): Promise<Parsed<Body>> {
  const { request } = exchange;
  const rows = await decodedOnce(list.parsed, request.recordKey);
  const isWhole = rows.missing?.nextPage === undefined; // else its other pages would be newer than the first
  if (!isWhole || !rows.some(({ id }) => id === request.continues)) return next(exchange);
  exchange.lookup = undefined;
  return use(exchange, cache, list);
}

function use<Body>(
  { session, request }: Exchange<Body>,
  cache: ResponseCache<Body>,
  found: CachedResponse<Body>,
): Parsed<Body> {
  cache.use(found);
  session.trace?.findKept(found.parsed.call, request.path, found.bytes);
  return found.parsed;
}
