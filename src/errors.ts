/** The upstream call that failed. It names the template of the path, never the URL. */
export interface UpstreamCall {
  readonly api: string;
  readonly endpoint: string;
  readonly status?: number;
}

/**
 * The outcome of a write: upstream carried it out, upstream did not carry it out, or it is not known. A write that was
 * never sent is refused.
 */
export type WriteOutcome = 'APPLIED' | 'REFUSED' | 'UNKNOWN';

/** The `extensions.code` of a GraphQL error. Callers may branch on it. */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'CALLER_GONE'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_NOT_TAKEN'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_LIMIT_EXCEEDED'
  | 'IDEMPOTENCY_OUTCOME_UNKNOWN'
  | 'IDEMPOTENCY_UNAVAILABLE'
  | 'OVERLOADED'
  | 'QUERY_LIMIT_EXCEEDED'
  | 'UNAUTHENTICATED'
  | 'UPSTREAM_BAD_RESPONSE'
  | 'UPSTREAM_RATE_LIMITED'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE';

/**
 * A failure whose message is meant for the caller: it holds no credential, no URL and no header. It has no stack trace.
 * graphql-js would have it formatted, at 0.2 ms for each, and nobody reads where the gateway noticed an upstream's failure.
 */
export abstract class GatewayError extends Error {
  abstract readonly code: ErrorCode;
  readonly upstream: UpstreamCall | undefined;
  /** The end of a sentence of the message: the setting that an operator has to look at. Callers in production do not see it. */
  advice: string | undefined;

  constructor(message: string, upstream?: UpstreamCall, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.upstream = upstream;
  }
}

/**
 * Ends the message of an error with advice for the operator.
 *
 * @param advice such as `: see CRM_CA.`; in production the sentence ends with a full stop in its place
 */
export function advised<Failure extends GatewayError>(error: Failure, advice: string): Failure {
  error.message += advice;
  error.advice = advice;
  return error;
}

/**
 * Returns the message of an error for callers, in `errors` and in data.
 *
 * @param hidesAdvice whether advice for operators is removed, see `Context.hidesAdvice`
 */
export function shownMessage({ message, advice }: GatewayError, hidesAdvice: boolean): string {
  return hidesAdvice && advice !== undefined ? message.replace(advice, '.') : message;
}

/** The credential is missing or malformed, or upstream refused it with 401. */
export class UnauthenticatedError extends GatewayError {
  readonly code = 'UNAUTHENTICATED';
}

/** The request has no credential for the API. No call was made. */
export class NoCredentialError extends UnauthenticatedError {}

/** The caller is known but lacks the permission: upstream's 403. */
export class ForbiddenError extends GatewayError {
  readonly code = 'FORBIDDEN';
}

/**
 * The record does not exist, or is hidden from the caller: upstream answers 404 to both. Not documented (A250): 410 is the same.
 *
 * A data source that expects missing records turns this error into null, see `missingAsNull`. Otherwise the endpoint
 * itself is missing, hence the code of a bad response.
 */
export class NotFoundError extends GatewayError {
  readonly code = 'UPSTREAM_BAD_RESPONSE';
  /** Whether a web page told it: a proxy may have answered in the place of the API, so it proves nothing. */
  isOfWebPage: () => boolean = () => false;
}

/** The change contradicts the present state of the record: upstream's 409, or the record has changed since the caller read it. */
export class ConflictError extends GatewayError {
  readonly code = 'UPSTREAM_BAD_RESPONSE';
  /** The record as the gateway has read it. Undefined for upstream's 409. */
  readonly current: object | undefined;

  constructor(message: string, upstream?: UpstreamCall, current?: object) {
    super(message, upstream);
    this.current = current;
  }
}

/** Messages by field. The keys are upstream's names until `mapFieldPaths` turns them into paths of the GraphQL input. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** Writes messages by field as one text: the first three fields as `write` does, and the names of the others. */
export function inWords(fields: FieldMessages, write: (field: string, messages: readonly string[]) => string): string {
  const entries = Object.entries(fields);
  const others = entries.slice(3).map(([field]) => field);
  const full = entries.slice(0, 3).map(([field, messages]) => write(field, messages));
  return [...full, ...(others.length > 0 ? [`also ${others.join(', ')}`] : [])].join('; ');
}

type ValidationDetails = Partial<Pick<ValidationError, 'hasPaths' | 'availableTables'>>;

/** Upstream refused the input with 400 or 422, or the gateway refused it before any call. */
export class ValidationError extends GatewayError {
  readonly code = 'BAD_USER_INPUT';
  readonly fields: FieldMessages;
  /** True when the keys of `fields` are paths of the GraphQL input, false when they are upstream's names. */
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
 * Creates the error for one invalid field of the input. The gateway refuses such input before any call.
 *
 * @param path the field's path below the input
 * @param reason a predicate, such as `takes 1 to 100`
 */
export function invalidInput(path: string, reason: string): ValidationError {
  return new ValidationError(`\`${path}\` ${reason}.`, { [path]: [reason] });
}

/**
 * Returns the fields of an update. Upstream would take one without any, and note it as the last change of the record.
 *
 * @param path that of the input
 * @throws ValidationError where no field is given
 */
export function changesOf<Fields extends object>(fields: Fields, path = 'input'): Fields {
  if (Object.values(fields).some((value) => value !== undefined)) return fields;
  throw invalidInput(path, 'changes nothing: give at least one field');
}

/** The operation asks for more than the gateway's limits allow. */
export class QueryLimitError extends GatewayError {
  readonly code = 'QUERY_LIMIT_EXCEEDED';
}

/** The process holds as many answers of upstreams as it may. The next attempt may find room. */
export class AnswerMemoryError extends GatewayError {
  readonly code = 'OVERLOADED';

  constructor(upstream?: UpstreamCall) {
    super('The memory of the gateway for upstream responses is full: ask for less, or again in a moment', upstream);
    advised(this, ', or raise MAX_ANSWER_MEMORY_BYTES.');
  }
}

/** No connection to upstream could be made for lack of files. Nothing was sent, and upstream has not failed. */
export class OpenFilesError extends GatewayError {
  readonly code = 'OVERLOADED';
}

/** The caller closed the connection before the response, so no further call is made. Only the log shows this error. */
export class CallerGoneError extends GatewayError {
  readonly code = 'CALLER_GONE';
}

/** Upstream's 429. */
export class RateLimitedError extends GatewayError {
  readonly code = 'UPSTREAM_RATE_LIMITED';
  /** Seconds to wait; undefined when upstream gave no `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter: number | undefined, upstream: UpstreamCall) {
    super(message, upstream);
    this.retryAfter = retryAfter;
  }
}

/** The deadline passed before the whole response had arrived. */
export class UpstreamTimeoutError extends GatewayError {
  readonly code = 'UPSTREAM_TIMEOUT';
}

/** A timeout while the API answered other calls: the endpoint is slow, possibly for this credential only. */
export class LateEndpointError extends UpstreamTimeoutError {}

/** The deadline passed while the call waited for a free connection; it was never sent. */
export class QueuedTooLongError extends UpstreamTimeoutError {}

/** Upstream did not respond (no address, no connection), or answered 5xx. */
export class UnavailableError extends GatewayError {
  readonly code = 'UPSTREAM_UNAVAILABLE';
  /** Seconds to wait before the next attempt; undefined when nothing is known about it. */
  readonly retryAfter: number | undefined;

  constructor(message: string, upstream?: UpstreamCall, retryAfter?: number) {
    super(message, upstream);
    this.retryAfter = retryAfter;
  }
}

/** The gateway did not send the call: upstream has just failed too often, or too many calls wait for a connection. */
export class NotCalledError extends UnavailableError {}

/** The breaker of the API or endpoint is open, and another call tries it. */
export class BreakerOpenError extends NotCalledError {}

/** No connection was made, so nothing was sent. */
export class UnreachableError extends UnavailableError {}

/** The connection ended before the whole response had arrived. */
export class ConnectionLostError extends UnavailableError {}

/** The response cannot be what the API documents: HTML, broken JSON, another shape, too large, a redirect. */
export class BadResponseError extends GatewayError {
  readonly code = 'UPSTREAM_BAD_RESPONSE';
}

/** Upstream has taken a write, and does not say whether it was or will be carried out. */
export class UndecidedError extends BadResponseError {}

/** The response has more bytes than a setting, or the reader of a list, allows. */
export class TooLargeError extends BadResponseError {
  /** The size that the head of the response told. Undefined when it told none. */
  readonly expectedBytes: number | undefined;

  constructor(message: string, upstream?: UpstreamCall, expectedBytes?: number) {
    super(message, upstream);
    this.expectedBytes = expectedBytes;
  }
}

/** A list that is read instead of records by id took longer than it may. */
export class TooSlowError extends BadResponseError {}

/** The change was made, but a part of its result cannot be read. The code is that of the failed read, if there was one. */
export class UnreadResultError extends GatewayError {
  readonly code: ErrorCode;

  constructor(reason: string, failedRead?: GatewayError) {
    super(`The change was made, but ${reason}`, failedRead?.upstream);
    this.advice = failedRead?.advice;
    this.code = failedRead?.code ?? 'UPSTREAM_BAD_RESPONSE';
  }
}

/** A part of the answer was not read because a call failed. The code is that of the call. */
export class NotReadError extends GatewayError {
  readonly code: ErrorCode;

  constructor(reason: string, failure: GatewayError) {
    super(`${reason} ${failure.message}`, failure.upstream);
    this.advice = failure.advice;
    this.code = failure.code;
  }
}

/** Converts an upstream name to its GraphQL spelling: `post_code` becomes `postCode`. */
export function camelCased(name: string): string {
  return name.replace(/_+([a-z0-9])?/g, (match, letter?: string) => letter?.toUpperCase() ?? match);
}

/**
 * For `.catch`: renames the fields of a ValidationError from upstream's names to paths of the GraphQL input, and rethrows
 * it. Every other error is rethrown as it is.
 *
 * @param pathOf the path of an upstream field; for undefined the path is the field's name in camel case
 */
export function mapFieldPaths(pathOf: (field: string) => string | undefined) {
  return (error: unknown): never => {
    if (!(error instanceof ValidationError) || error.hasPaths) throw error;
    const fields = new Map<string, readonly string[]>();
    for (const [field, messages] of Object.entries(error.fields)) {
      const path = pathOf(field) ?? camelCased(field);
      fields.set(path, [...(fields.get(path) ?? []), ...messages]);
    }
    const { availableTables } = error;
    throw new ValidationError(error.message, Object.fromEntries(fields), error.upstream, {
      hasPaths: true,
      availableTables,
    });
  };
}

/** Returns a thrown Error as it is, and wraps any other thrown value in one. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A value that is not an Error was thrown.', { cause: error });
}

/** For `.catch`: turns a NotFoundError into null and rethrows every other error. */
export function missingAsNull(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
