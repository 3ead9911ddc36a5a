import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { GatewayError, RateLimitedError, ValidationError } from '../../http/errors.ts';
import { fieldErrors } from '../../graphql/errors.ts';
import { stripValues } from './messages.ts';

/** At most this many errors of one operation are listed: a spoiled field in a long list would repeat itself. */
const MOST_ERRORS = 100;

/**
 * An error as a caller may see it: always with `extensions.code`. What nobody foresaw is masked and given to `report`.
 */
export function publicError(error: unknown, report: (unexpected: unknown) => void): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  if (located && isPublic(located)) return redactMessage(located);

  const cause = innermost(error);
  if (cause instanceof GatewayError) return errorAt(cause.message, extensionsOf(cause), located);
  if (cause instanceof GraphQLError) {
    // Of its extensions only the status is kept: what else is there may quote the request.
    const { status, headers } = cause.extensions.http ?? {};
    const extensions = { code: codeOf(cause, located), ...(status && { http: { status, headers } }) };
    const isTooLarge = cause.extensions['code'] === TOO_LARGE;
    const message = isTooLarge ? 'The request exceeds MAX_REQUEST_BYTES.' : stripValues(located ?? cause);
    return errorAt(message, extensions, located);
  }
  report(cause);
  return errorAt('Something went wrong in the gateway.', { code: 'INTERNAL_SERVER_ERROR' }, located);
}

/** Yoga's name for a body beyond MAX_REQUEST_BYTES. */
const TOO_LARGE = 'REQUEST_ENTITY_TOO_LARGE';

/** Yoga's names for requests that cannot be executed: the wrong method, no such operation. */
const yogaCodes = ['BAD_REQUEST', 'OPERATION_RESOLUTION_FAILURE', TOO_LARGE];

function isPublic({ originalError, extensions: { code } }: GraphQLError): boolean {
  return !originalError && typeof code === 'string' && !yogaCodes.includes(code);
}

/** An error of graphql's own without the values that its message quotes. */
export function redactMessage(error: GraphQLError): GraphQLError {
  const message = stripValues(error);
  return message === error.message ? error : errorAt(message, error.extensions, error);
}

/** Lists the errors of one operation, part by part: where there are too many, the last one counts the rest. */
export function errorLimiter() {
  let left = MOST_ERRORS;
  return (errors: readonly GraphQLError[]): readonly GraphQLError[] => {
    const shown = errors.slice(0, left);
    const rest = errors.length - shown.length;
    left -= shown.length;
    if (rest === 0) return errors;
    const extensions = { code: errors[shown.length]?.extensions['code'], omitted: rest };
    return [...shown, new GraphQLError(`${rest} more errors are not listed.`, { extensions })];
  };
}

/** An error of our making where the given one happened. */
function errorAt(
  message: string,
  extensions: Record<string, unknown>,
  located: GraphQLError | undefined,
): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = located ?? {};
  // `located.extensions` stay behind: graphql copies them from whatever was thrown
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

function extensionsOf(error: GatewayError): Record<string, unknown> {
  return {
    code: error.code,
    ...(error.upstream && { upstream: error.upstream }),
    ...(error instanceof RateLimitedError && error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...(error instanceof ValidationError && {
      fields: fieldErrors(error),
      ...(error.availableTables && { availableTables: error.availableTables }),
    }),
  };
}

/** graphql's own errors: syntax, variables and arguments before a field has run, values that a scalar refuses after. */
function codeOf(cause: GraphQLError, located: GraphQLError | undefined): string {
  const given = cause.extensions['code'];
  if (given === TOO_LARGE) return 'QUERY_LIMIT_EXCEEDED';
  if (typeof given === 'string' && !yogaCodes.includes(given)) return given;
  if (cause.message.startsWith('Syntax Error')) return 'GRAPHQL_PARSE_FAILED';
  const byScalar = located?.path !== undefined && cause.nodes === undefined;
  return byScalar ? 'UPSTREAM_BAD_RESPONSE' : 'BAD_USER_INPUT';
}

function innermost(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? innermost(error.originalError) : error;
}

/** Where an error goes that nobody foresaw: it is a mistake of the gateway's own. */
export function reportUnexpected(log: Logger) {
  // Its stack only: a foreign error may carry anything, a request's headers among it.
  return (error: unknown) =>
    log.error({ stack: error instanceof Error ? error.stack : typeof error }, 'unexpected error');
}
