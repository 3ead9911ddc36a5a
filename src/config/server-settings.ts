import { basePath, choice, headerNames, MiB, origins, text, wholeNumber } from './setting.ts';

/** The settings of the server: where it listens, how it ends, what browsers and logs see. */
export const serverSettings = {
  PORT: wholeNumber(4000, 0, 65_535, 'Port of the GraphQL endpoint; 0 picks a free one.'),
  HOST: text('127.0.0.1', 'Address to listen on.'),
  BASE_PATH: basePath(
    'Path below which all is served, such as `/a/b`, where a proxy leaves it in the path. See docs/scale.md.',
  ),
  SANDBOX_PORT: wholeNumber(
    4001,
    0,
    65_534,
    'Port of the sandbox that starts with the gateway; its forum takes the next port. 0 picks free ones.',
  ),
  SANDBOX: choice(
    ['auto', 'true', 'false'],
    'auto',
    'Whether the sandbox is served when no API has an address; auto: unless NODE_ENV is production.',
  ),
  TRUST_PROXY: wholeNumber(
    0,
    0,
    10,
    'Number of proxies before the gateway that add to X-Forwarded-For; 0 ignores the header.',
  ),
  RECEIVE_TIMEOUT_MS: wholeNumber(
    15_000,
    1,
    600_000,
    'Time for the headers of a request, and for each pause in its body, in milliseconds.',
  ),
  SEND_TIMEOUT_MS: wholeNumber(
    30_000,
    1,
    600_000,
    'How long an answer is kept of which the caller takes no byte, in milliseconds.',
  ),
  MAX_UNREAD_BYTES: wholeNumber(
    192 * MiB,
    1,
    1024 * MiB,
    'Memory for answers that callers have not read yet, in bytes; beyond it those are cut that wait longest.',
  ),
  RESPONSE_COMPRESSION: choice(
    ['true', 'false'],
    'true',
    'Whether answers above a kilobyte are compressed for callers that accept gzip. See docs/security.md.',
  ),
  KEEP_ALIVE_TIMEOUT_MS: wholeNumber(
    65_000,
    1,
    3_600_000,
    'How long a connection without a request is kept, in milliseconds; longer than a load balancer keeps it.',
  ),
  MAX_CONNECTIONS: wholeNumber(10_000, 1, 1_000_000, 'Maximum number of connections of callers.'),
  MAX_PIPELINED: wholeNumber(64, 1, 10_000, 'Maximum number of requests under way on one connection of HTTP/1.1.'),
  MAX_WAIT_MS: wholeNumber(
    1_000,
    0,
    60_000,
    'Longest time that a request waits to begin, in milliseconds; one that would wait longer is refused with 503; 0 refuses none.',
  ),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(
    10_000,
    0,
    600_000,
    'Longest time from SIGTERM to the end, in milliseconds; a quarter of it at most is a grace period for callers.',
  ),
  CORS_ORIGINS: origins(
    'Origins of web pages that may call, separated by commas; localhost: of this machine, any port; the default over the sandbox.',
  ),
  CORS_HEADERS: headerNames('Further headers that web pages of CORS_ORIGINS may send, separated by commas.'),
  GRAPHIQL: choice(
    ['auto', 'true', 'false'],
    'auto',
    'Whether GraphiQL, `/` and `/schema.graphql` are served; auto: unless NODE_ENV is production.',
  ),
  TRACE: choice(
    ['auto', 'true', 'false'],
    'auto',
    'Whether callers may see their upstream calls in `extensions.trace`; auto: with the sandbox.',
  ),
  LOG_LEVEL: choice(['silent', 'error', 'warn', 'info', 'debug'], 'info', 'Level of the log on standard error.'),
  NODE_ENV: text('', '`production` switches GraphiQL off, see GRAPHIQL, and suggestions of names in errors.'),
};
