import type { Api } from './api.ts';
import {
  advised,
  ConnectionLostError,
  GatewayError,
  OpenFilesError,
  UnreachableError,
  type UpstreamCall,
} from '../../errors.ts';

/**
 * Turns an error of undici into a GatewayError whose message names the setting to check. A GatewayError is returned as it
 * is. The error of undici is not kept as the cause: its message may hold an address or the value of a header.
 *
 * @param wasSent whether the request was sent on a connection: upstream may have received it then, whatever the code says, as a
 *   connection that was made can end with a code that looks like one of none
 */
export function networkFailure(error: unknown, api: Api, call: UpstreamCall, wasSent: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = codeOf(error);
  if (!wasSent && OPEN_FILES.has(code)) {
    const error = new OpenFilesError(`The gateway has too many open files to call the ${api.name} API (${code})`, call);
    return advised(error, ': raise its limit on open files, see ulimit -n.');
  }
  const [what, advice] = describeFailure(code, api.setting, wasSent);
  const message = `The ${api.name} API ${what}`;
  const failure = wasSent ? new ConnectionLostError(message, call) : new UnreachableError(message, call);
  return advice === undefined ? failure : advised(failure, advice);
}

/** Whether the server closed the connection. Before any response this happens to connections that were kept open. */
export function isConnectionClosed(error: unknown): boolean {
  return CONNECTION_CLOSED.includes(codeOf(error));
}

/** Whether a certificate of one of the two sides is not accepted. */
export function isAboutCertificates(error: unknown): boolean {
  return isCertificateCode(codeOf(error));
}

/** Whether the failure is one of upstream as a whole: no connection, or the end of one. An answer that is not HTTP is none, nor is a lack of files. */
export function isDown(error: unknown, wasSent: boolean): boolean {
  const code = codeOf(error);
  if (!wasSent) return !OPEN_FILES.has(code);
  return CONNECTION_CLOSED.includes(code) || SYSTEM_ERROR.test(code) || isCertificateCode(code);
}

const CONNECTION_CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'];
/** The limit on open files of the process, and that of the machine. */
const OPEN_FILES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

const NOT_HTTP = 'HTTPParserError';
/** The reason of the parser, one of its own texts, of an answer that does not begin as HTTP does: TLS, for one, or another protocol. */
const OTHER_BEGINNING = 'Expected HTTP/';

/** A certificate of upstream that is not accepted here. */
const REFUSED_HERE = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** The alerts of TLS with which a server refuses a client certificate, or the lack of one. */
const REFUSED_THERE =
  /^ERR_SSL_.*(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED)|UNSUPPORTED_CERTIFICATE)$/;

/** Such as ETIMEDOUT and EHOSTUNREACH. */
const SYSTEM_ERROR = /^E[A-Z]+$/;

const isCertificateCode = (code: string) => REFUSED_HERE.test(code) || REFUSED_THERE.test(code);

/** The rest of a sentence that begins with the name of the API, and the advice that ends it. */
function describeFailure(code: string, setting: string, wasSent: boolean): readonly [what: string, advice?: string] {
  if (isCertificateCode(code)) return describeCertificate(code, setting);
  if (code === OTHER_BEGINNING)
    return ['answered with what is no HTTP', `: is ${setting} an https address, or that of another server?`];
  if (code === NOT_HTTP) return ['answered with broken HTTP.'];
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return ['answered with more than 16 KiB of headers.'];
  if (CONNECTION_CLOSED.includes(code)) return ['closed the connection before it had answered in full.'];
  if (wasSent) return [`did not answer in full before the connection ended (${code || 'no reason given'}).`];
  if (code === 'ECONNREFUSED') return ['refuses connections', `: is the address in ${setting} right?`];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return ['has a host name that does not resolve', `: see ${setting}.`];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return ['does not speak TLS', `: is ${setting} an http address?`];
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
  if (!(error instanceof Error)) return '';
  if (error.name === NOT_HTTP) return error.message.includes(`(${OTHER_BEGINNING}`) ? OTHER_BEGINNING : NOT_HTTP;
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
