import { BadResponseError, type GatewayError, type UpstreamCall } from '../errors.ts';
import { hasProblems, mapProblems } from '../problems.ts';

/**
 * Runs a decoder. Adds the call to the BadResponseError that it throws, and to the problems of the list that it returns.
 */
export function decodeInContext<T>(call: UpstreamCall, decode: () => T): T {
  try {
    const decoded = decode();
    return hasProblems(decoded) ? mapProblems(decoded, (problem) => badResponse(call, problem)) : decoded;
  } catch (error) {
    throw inContext(call, error);
  }
}

/** Adds the call to a BadResponseError. Returns any other error as it is. */
export function inContext(call: UpstreamCall, error: unknown): unknown {
  return error instanceof BadResponseError ? badResponse(call, error) : error;
}

function badResponse(call: UpstreamCall, error: GatewayError): BadResponseError {
  return new BadResponseError(`The ${call.api} API: ${error.message}`, call);
}
