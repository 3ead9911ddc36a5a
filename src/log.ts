import { type DestinationStream, type Logger, pino } from 'pino';

/** Keys whose values no line may show, at the depths at which errors and requests carry them. */
const SECRETS = ['authorization', 'cookie', 'token', 'api_token', 'password'];

/** The log: JSON lines. No line is written with a secret in it; should one ever get in, it is struck out. */
export function createLog(level: string, destination: DestinationStream): Logger {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, redact: { paths, censor: '[redacted]' } }, destination);
}
