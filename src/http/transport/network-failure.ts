import type { Api } from './api.ts';
import { GatewayError, UnavailableError, UnreachableError, type UpstreamCall } from '../errors.ts';

/**
 * Why there was no answer, in words that name the setting to look at. The cause itself is left behind: its
 * message may hold an address, and that of a refused header the header's value.
 */
export function networkFailure(error: unknown, api: Api, call: UpstreamCall): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = codeOf(error);
  const message = `The ${api.name} API ${reason(code, api.setting)}`;
  if (!mayHaveArrived(code)) return new UnreachableError(message, call);
  return new UnavailableError(`${message}${unknownOutcomeNotice(call.endpoint)}`, call);
}

/** What is added to the failure of a write whose outcome nobody knows. Takes `GET /app/deals.json`. */
export function unknownOutcomeNotice(endpoint: string): string {
  return endpoint.startsWith('GET ') ? '' : ' Whether the change was made is not known: read before you try again.';
}

/** A kept connection that the server closed before it answered anything. */
export function wasNeverAnswered(error: unknown): boolean {
  return CLOSED.includes(codeOf(error));
}

const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'];
const NO_HTTP = 'HTTPParserError';

const NOT_TRUSTED = /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/;
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|EPROTO|ERR_SSL|UND_ERR_CONNECT_TIMEOUT)/;

/** Once there is a connection, a request may have been carried out, whatever became of its answer. */
function mayHaveArrived(code: string): boolean {
  return !NOT_CONNECTED.test(code) && !NOT_TRUSTED.test(code);
}

/** A sentence about the API. */
function reason(code: string, setting: string): string {
  if (code === 'ECONNREFUSED') return `refuses connections: is the address in ${setting} right?`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has a host name that does not resolve: see ${setting}.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `does not speak TLS: is ${setting} an http address?`;
  if (NOT_TRUSTED.test(code)) return `has a TLS certificate that is not trusted (${code}).`;
  if (code === NO_HTTP) return `does not answer in HTTP: is ${setting} an https address?`;
  if (CLOSED.includes(code)) return 'closed the connection before it had answered in full.';
  return `cannot be reached (${code || 'no reason given'}): see ${setting}.`;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === NO_HTTP) return NO_HTTP; // it has no code of its own, or that of the parser
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
