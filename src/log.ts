import { type DestinationStream, type Logger, pino } from 'pino';

/** Keys whose values are redacted, up to three levels deep. */
const SECRETS = ['authorization', 'cookie', 'token', 'api_token', 'password'];

/** Creates the log, which writes JSON lines. The gateway logs no secrets; redaction is a second safeguard. */
export function createLog(level: string, destination: DestinationStream): Logger {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, redact: { paths, censor: '[redacted]' } }, destination);
}
