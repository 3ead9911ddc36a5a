import type { Api } from './api.ts';
import {
  advised,
  ConnectionLostError,
  GatewayError,
  TlsError,
  UnreachableError,
  type UpstreamCall,
} from '../errors.ts';

/**
 * Turns an error of undici into a GatewayError whose message names the setting to check. A GatewayError is returned as it
 * is. The error of undici is not kept as the cause: its message may hold an address or the value of a header.
 *
 * @param wasSent whether the request was sent on a connection
 */
export function networkFailure(error: unknown, api: Api, call: UpstreamCall, wasSent: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = codeOf(error);
  const [what, advice] = describeFailure(code, api.setting);
  const message = `The ${api.name} API ${what}`;
  const failure = isAboutCertificates(code)
    ? new TlsError(message, call)
    : mayHaveArrived(code, wasSent)
      ? new ConnectionLostError(message, call)
      : new UnreachableError(message, call);
  return advice === undefined ? failure : advised(failure, advice);
}

/** Whether the server closed the connection. Before any response this happens to connections that were kept open. */
export function isConnectionClosed(error: unknown): boolean {
  return CONNECTION_CLOSED.includes(codeOf(error));
}

const CONNECTION_CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'];
const NOT_HTTP = 'HTTPParserError';

/** A certificate of upstream that is not accepted here. */
const REFUSED_HERE = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** The alerts of TLS with which a server refuses a client certificate, or the lack of one. */
const REFUSED_THERE =
  /^ERR_SSL_.*(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED)|UNSUPPORTED_CERTIFICATE)$/;

const CONNECT_FAILED = /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|EPROTO|UND_ERR_CONNECT_TIMEOUT)/;

const isAboutCertificates = (code: string) => REFUSED_HERE.test(code) || REFUSED_THERE.test(code);

/** Whether upstream may have received the request: true for every failure after the connection was made. */
function mayHaveArrived(code: string, wasSent: boolean): boolean {
  if (code.startsWith('ERR_SSL')) return wasSent; // a handshake that fails, or a broken record later
  return !CONNECT_FAILED.test(code);
}

/** The rest of a sentence that begins with the name of the API, and the advice that ends it. */
function describeFailure(code: string, setting: string): readonly [what: string, advice?: string] {
  if (code === 'ECONNREFUSED') return ['refuses connections', `: is the address in ${setting} right?`];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return ['has a host name that does not resolve', `: see ${setting}.`];
  if (isAboutCertificates(code)) return describeCertificate(code, setting);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return ['does not speak TLS', `: is ${setting} an http address?`];
  if (code === NOT_HTTP) return ['does not answer in HTTP', `: is ${setting} an https address?`];
  if (CONNECTION_CLOSED.includes(code)) return ['closed the connection before it had answered in full.'];
  return [`cannot be reached (${code || 'no reason given'})`, `: see ${setting}.`];
}

function describeCertificate(code: string, setting: string): readonly [what: string, advice: string] {
  const prefix = setting.replace('_URL', '');
  if (REFUSED_THERE.test(code))
    return [`ends the TLS handshake (${code})`, `: if it demands a client certificate, see ${prefix}_CERT.`];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return ['has a TLS certificate for other host names', `: see ${setting}.`];
  if (code === 'CERT_HAS_EXPIRED') return ['has a TLS certificate that has expired', `, or that of ${prefix}_CA has.`];
  return [`has a TLS certificate that is not trusted (${code})`, `: see ${prefix}_CA.`];
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === NOT_HTTP) return NOT_HTTP; // its code is missing, or one of the parser's many
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
