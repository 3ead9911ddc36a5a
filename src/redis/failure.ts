/**
 * Names a failure of Redis for the log.
 *
 * @returns an error code such as `ECONNREFUSED`, the first word of a Redis error such as `READONLY`, `closed`
 *   for undefined, else `failed`: messages may hold addresses, keys and values
 */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'closed';
  if ('code' in error && typeof error.code === 'string' && CODE.test(error.code)) return error.code;
  if (error.name !== 'ReplyError') return 'failed';
  return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? 'failed';
}

/** Codes of TLS have a slash from OpenSSL 3.2 on: `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`. */
const CODE = /^[A-Z][A-Z0-9_/]{1,60}$/;
