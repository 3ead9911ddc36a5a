/** The upstream call that a failure belongs to. It names the template of the path, never the URL. */
export interface UpstreamCall {
  readonly api: string;
  readonly endpoint: string;
  readonly status?: number;
}

/** What a caller may branch on: the `extensions.code` of a GraphQL error. */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'CALLER_GONE'
  | 'FORBIDDEN'
  | 'QUERY_LIMIT_EXCEEDED'
  | 'UNAUTHENTICATED'
  | 'UPSTREAM_BAD_RESPONSE'
  | 'UPSTREAM_RATE_LIMITED'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE';

/** A failure whose message is meant for the caller: it holds no credential, no URL and no header. */
export abstract class GatewayError extends Error {
  abstract readonly code: ErrorCode;
  readonly upstream: UpstreamCall | undefined;

  constructor(message: string, upstream?: UpstreamCall, options?: ErrorOptions) {
    super(message, options);
    this.upstream = upstream;
  }
}

/** No credential, one that cannot be read, or one that upstream refused: its 401. */
export class UnauthenticatedError extends GatewayError {
  readonly code = 'UNAUTHENTICATED';
}

/** The caller is known, but may not do this: upstream's 403. */
export class ForbiddenError extends GatewayError {
  readonly code = 'FORBIDDEN';
}

/**
 * The record does not exist, or is hidden from the caller: upstream's 404 tells neither apart.
 * Where nothing turns absence into an answer, the endpoint itself is missing: a bad response.
 */
export class NotFoundError extends GatewayError {
  readonly code = 'UPSTREAM_BAD_RESPONSE';
}

/** Messages by field. The keys are upstream's own until a slice has turned them into GraphQL paths. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

type ValidationDetails = Partial<Pick<ValidationError, 'hasPaths' | 'availableTables'>>;

/** Input that upstream refused (400, 422), or that the gateway refuses before any call. */
export class ValidationError extends GatewayError {
  readonly code = 'BAD_USER_INPUT';
  readonly fields: FieldMessages;
  /** Whether the keys of `fields` are paths of the GraphQL input; else they are upstream's names. */
  readonly hasPaths: boolean;
  /** The tables that upstream offers in place of a missing or unknown one. */
  readonly availableTables: readonly string[] | undefined;

  constructor(message: string, fields: FieldMessages, upstream?: UpstreamCall, more: ValidationDetails = {}) {
    super(message, upstream);
    this.fields = fields;
    this.hasPaths = more.hasPaths ?? upstream === undefined;
    this.availableTables = more.availableTables;
  }
}

/**
 * A refusal of one field of the input, before any call.
 *
 * @param path the field's path below the input
 * @param reason a predicate, such as `takes 1 to 100`
 */
export function invalidInput(path: string, reason: string): ValidationError {
  return new ValidationError(`\`${path}\` ${reason}.`, { [path]: [reason] });
}

/** The operation asks for more than the gateway's limits allow. */
export class QueryLimitError extends GatewayError {
  readonly code = 'QUERY_LIMIT_EXCEEDED';
}

/** The caller closed the connection before it was answered: no call is made for it any more. Only the log tells. */
export class CallerGoneError extends GatewayError {
  readonly code = 'CALLER_GONE';
}

/** Upstream's 429. */
export class RateLimitedError extends GatewayError {
  readonly code = 'UPSTREAM_RATE_LIMITED';
  /** Seconds to wait, where upstream said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter: number | undefined, upstream: UpstreamCall) {
    super(message, upstream);
    this.retryAfter = retryAfter;
  }
}

/** The deadline passed before the whole answer was there. */
export class UpstreamTimeoutError extends GatewayError {
  readonly code = 'UPSTREAM_TIMEOUT';
}

/** No answer at all (no address, no connection), or a 5xx. */
export class UnavailableError extends GatewayError {
  readonly code = 'UPSTREAM_UNAVAILABLE';
}

/** No connection: nothing was sent. */
export class UnreachableError extends UnavailableError {}

/** An answer that cannot be what the API documents: HTML, broken JSON, another shape, too large, a redirect. */
export class BadResponseError extends GatewayError {
  readonly code = 'UPSTREAM_BAD_RESPONSE';
}

/** An answer of more bytes than a setting allows. */
export class TooLargeError extends BadResponseError {}

/** A name of upstream's as GraphQL spells it: `post_code` is `postCode`. */
export function camelCased(name: string): string {
  return name.replace(/_+([a-z0-9])?/g, (match, letter?: string) => letter?.toUpperCase() ?? match);
}

/**
 * For `.catch`: says where in the GraphQL input upstream's fields are. Undefined: it is just their name without
 * underscores.
 */
export function mapFieldPaths(pathOf: (field: string) => string | undefined) {
  return (error: unknown): never => {
    if (!(error instanceof ValidationError) || error.hasPaths) throw error;
    const fields = Object.entries(error.fields).map(([field, messages]) => [
      pathOf(field) ?? camelCased(field),
      messages,
    ]);
    const { availableTables } = error;
    throw new ValidationError(error.message, Object.fromEntries(fields), error.upstream, {
      hasPaths: true,
      availableTables,
    });
  };
}

/** Whatever was thrown, as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('Something else than an error was thrown.', { cause: error });
}

/** For `.catch`: absence is an answer, every other failure stays one. */
export function missingAsNull(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
