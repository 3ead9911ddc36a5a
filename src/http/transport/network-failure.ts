import type { Api } from './api.ts';
import { ConnectionLostError, GatewayError, UnreachableError, type UpstreamCall } from '../errors.ts';

/**
 * Turns an error of undici into a GatewayError whose message names the setting to check. A GatewayError is returned as it
 * is. The error of undici is not kept as the cause: its message may hold an address or the value of a header.
 */
export function networkFailure(error: unknown, api: Api, call: UpstreamCall): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = codeOf(error);
  const message = `The ${api.name} API ${describeFailure(code, api.setting)}`;
  return mayHaveArrived(code) ? new ConnectionLostError(message, call) : new UnreachableError(message, call);
}

/** Whether the server closed the connection. Before any response this happens to connections that were kept open. */
export function isConnectionClosed(error: unknown): boolean {
  return CONNECTION_CLOSED.includes(codeOf(error));
}

const CONNECTION_CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'];
const NOT_HTTP = 'HTTPParserError';

const UNTRUSTED_CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/;
const CONNECT_FAILED = /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|EPROTO|ERR_SSL|UND_ERR_CONNECT_TIMEOUT)/;

/** Whether upstream may have received the request: true for every failure after the connection was made. */
function mayHaveArrived(code: string): boolean {
  return !CONNECT_FAILED.test(code) && !UNTRUSTED_CERTIFICATE.test(code);
}

/** The rest of a sentence that begins with the name of the API. */
function describeFailure(code: string, setting: string): string {
  if (code === 'ECONNREFUSED') return `refuses connections: is the address in ${setting} right?`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has a host name that does not resolve: see ${setting}.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `does not speak TLS: is ${setting} an http address?`;
  if (UNTRUSTED_CERTIFICATE.test(code)) return `has a TLS certificate that is not trusted (${code}).`;
  if (code === NOT_HTTP) return `does not answer in HTTP: is ${setting} an https address?`;
  if (CONNECTION_CLOSED.includes(code)) return 'closed the connection before it had answered in full.';
  return `cannot be reached (${code || 'no reason given'}): see ${setting}.`;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === NOT_HTTP) return NOT_HTTP; // its code is missing, or one of the parser's many
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
