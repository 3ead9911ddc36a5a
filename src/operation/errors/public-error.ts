import { GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import type { Logger } from 'pino';
import { withoutStackTrace } from '../../execution/stack-traces.ts';
import {
  GatewayError,
  RateLimitedError,
  shownMessage,
  UnavailableError,
  ValidationError,
  type WriteOutcome,
} from '../../errors.ts';
import { fieldErrors } from '../../graph/errors.ts';
import { leastCertain, type WriteLedger } from '../../calls/write-ledger.ts';
import { redactedMessage } from './redacted-messages.ts';

/** A response lists this many errors of one operation at most: one bad field of a long list would repeat its error. */
const MAX_ERRORS = 100;

/**
 * Turns any error into one that the caller may see, always with `extensions.code`. Unexpected errors are masked.
 *
 * @param report called with each unexpected error
 * @param hidesAdvice whether messages leave out what only an operator can act upon, and names of the schema
 * @param schema whose names messages suggest otherwise
 */
export function publicError(
  error: unknown,
  report: (unexpected: unknown) => void,
  hidesAdvice: boolean,
  schema?: GraphQLSchema,
): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  const suggested = hidesAdvice ? undefined : schema;
  if (located && isPublic(located)) return redactMessage(located, suggested);

  const cause = innermostError(error);
  if (cause instanceof GatewayError) {
    return errorAt(shownMessage(cause, hidesAdvice), extensionsOf(cause), located);
  }
  if (cause instanceof GraphQLError) {
    // Of its extensions only the HTTP status and headers are kept: others may quote the request.
    const { status, headers } = cause.extensions.http ?? {};
    const extensions = { code: codeOf(cause, located), ...(status && { http: { status, headers } }) };
    return errorAt(redactedMessage((located ?? cause).message, suggested), extensions, located);
  }
  report(cause);
  return errorAt('Something went wrong in the gateway.', { code: 'INTERNAL_SERVER_ERROR' }, located);
}

/** Yoga's codes for requests that cannot be executed, such as a wrong method or an unknown operation. */
const yogaCodes = ['BAD_REQUEST', 'OPERATION_RESOLUTION_FAILURE'];

function isPublic({ originalError, extensions: { code } }: GraphQLError): boolean {
  return !originalError && typeof code === 'string' && !yogaCodes.includes(code);
}

/** Returns an error of graphql-js without the values that its message quotes, see `redactedMessage`. */
export function redactMessage(error: GraphQLError, schema: GraphQLSchema | undefined): GraphQLError {
  const message = redactedMessage(error.message, schema);
  return message === error.message ? error : errorAt(message, error.extensions, error);
}

/**
 * Creates a function that limits the errors of one operation, called for each part. A last error counts the omitted ones. The errors of
 * references are the last to be omitted.
 */
export function errorLimiter() {
  let left = MAX_ERRORS;
  return (errors: readonly GraphQLError[]): readonly GraphQLError[] => {
    const ordered = errors.toSorted((one, other) => Number(isOfReference(other)) - Number(isOfReference(one)));
    const shown = ordered.slice(0, left);
    const omitted = ordered.slice(left);
    left -= shown.length;
    if (omitted.length === 0) return errors;
    const outcome = leastCertain(omitted.map((error) => error.extensions['outcome']));
    const extensions = { code: omitted[0]?.extensions['code'], omitted: omitted.length, ...(outcome && { outcome }) };
    return [...shown, new GraphQLError(`${omitted.length} more errors are not listed.`, { extensions })];
  };
}

/** Whether an error is that of a reference in `_entities`. */
function isOfReference({ path = [], nodes: [node] = [] }: GraphQLError): boolean {
  return path.length === 2 && node?.kind === Kind.FIELD && node.name.value === '_entities';
}

/**
 * The one error of an operation in which more references failed than a response lists errors. It counts the ten most frequent causes.
 * Undefined where fewer failed. Else some would be null without an error, by which a subgraph says that the record is gone.
 */
export function failureOfReferences(errors: readonly GraphQLError[]): GraphQLError | undefined {
  const failed = errors.filter(isOfReference);
  if (failed.length <= MAX_ERRORS) return undefined;
  const counts = new Map<string, { code: unknown; message: string; count: number }>();
  for (const { message, extensions } of failed) {
    const key = `${extensions['code']} ${message}`;
    counts.set(key, { code: extensions['code'], message, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const causes = [...counts.values()].toSorted((one, other) => other.count - one.count).slice(0, 10);
  const what = `${failed.length} references failed, and at most ${MAX_ERRORS} errors are listed, so none is answered`;
  const inWords = causes.map(({ count, message }) => `${count} times ${message}`).join(' ');
  const [{ nodes = null, path = [] } = {}] = failed;
  const extensions = { code: causes[0]?.code, causes };
  return new GraphQLError(`${what}: ${inWords}`, { nodes, path: path.slice(0, 1), extensions });
}

/** Creates an error at the place of another one. */
export function errorAt(
  message: string,
  extensions: Record<string, unknown>,
  located: GraphQLError | undefined,
): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = located ?? {};
  // `located.extensions` are dropped: graphql-js copies them from the thrown error
  return withoutStackTrace(() => new GraphQLError(message, { nodes, source, positions, path, extensions }));
}

function extensionsOf(error: GatewayError): Record<string, unknown> {
  const mayRetry = error instanceof RateLimitedError || error instanceof UnavailableError;
  return {
    code: error.code,
    ...(error.upstream && { upstream: error.upstream }),
    ...(mayRetry && error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...(error instanceof ValidationError && {
      fields: fieldErrors(error),
      ...(error.availableTables && { availableTables: error.availableTables }),
    }),
  };
}

/** The code of an error of graphql-js: syntax, variables and arguments, or a value of upstream that a scalar refused. */
function codeOf(cause: GraphQLError, located: GraphQLError | undefined): string {
  const given = cause.extensions['code'];
  if (typeof given === 'string' && !yogaCodes.includes(given)) return given;
  if (cause.message.startsWith('Syntax Error')) return 'GRAPHQL_PARSE_FAILED';
  const byScalar = located?.path !== undefined && cause.nodes === undefined;
  return byScalar ? 'UPSTREAM_BAD_RESPONSE' : 'BAD_USER_INPUT';
}

function innermostError(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? innermostError(error.originalError) : error;
}

/**
 * Creates a function that logs unexpected errors, which are bugs of the gateway.
 *
 * @param requestId the request that meets them; undefined where it is not known
 */
export function reportUnexpected(log: Logger, requestId?: string) {
  // Only the stack is logged: other properties of an unknown error may hold the request's headers.
  return (error: unknown) =>
    log.error({ requestId, stack: error instanceof Error ? error.stack : typeof error }, 'unexpected error');
}

/** Counts errors by their codes, for the log. */
export function countByCode(errors: readonly Error[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const error of errors) {
    const code = String((error instanceof GraphQLError && error.extensions['code']) || 'GRAPHQL_VALIDATION_FAILED');
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/**
 * Adds `extensions.outcome` to an error of an executed mutation: the outcome of the write at its path. Below a payload the write
 * was carried out; a field that was not begun wrote nothing. Without a path it is about all writes.
 */
export function withOutcome(error: GraphQLError, writes: WriteLedger): GraphQLError {
  const { path = [] } = error;
  const known = path.length > 0 ? writes.outcomeAt(path) : writes.ofOperation;
  return copyWithOutcome(error, known ?? (path.length > 1 ? 'APPLIED' : 'REFUSED'));
}

/** Adds `extensions.outcome` to an error. */
export function copyWithOutcome(error: GraphQLError, outcome: WriteOutcome): GraphQLError {
  return errorAt(error.message, { ...error.extensions, outcome }, error);
}
