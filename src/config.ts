import { availableParallelism } from 'node:os';
import { z } from 'zod';

const MiB = 1024 ** 2;

/** In CORS_ORIGINS: the pages that this machine serves, on any port. */
export const LOCALHOST = 'localhost';

/** The settings of the gateway. Each is an environment variable of the same name; an empty one counts as not set. */
export const settings = {
  PORT: wholeNumber(4000, 0, 65_535, 'Port of the GraphQL endpoint; 0 picks a free one.'),
  HOST: text('127.0.0.1', 'Address to listen on.'),
  WORKERS: processes('Number of processes that serve the port; auto: one per core. See docs/operations.md.'),
  ACCOUNT_URL: httpAddress('Base address of the account API. The sandbox starts instead when no API has an address.'),
  FLEX_URL: httpAddress('Base address of the flex API; by default ACCOUNT_URL.'),
  CRM_URL: httpAddress('Base address of the CRM and helpdesk API.'),
  CRM_SHARES_TOKEN: choice(
    ['false', 'true'],
    'false',
    'Whether the bearer token is also sent to a CRM of another origin than ACCOUNT_URL.',
  ),
  FORUM_URL: httpAddress('Base address of the suggestion forum.'),
  FORUM_SHARES_IDS: choice(
    ['true', 'false'],
    'true',
    'Whether a suggestion has the same id in the forum and in the CRM.',
  ),
  FLEX_COOKIES: cookieNames(
    'Names of the cookies that public methods of flex databases set and read, separated by commas.',
  ),
  TRUST_PROXY: wholeNumber(
    0,
    0,
    10,
    'Number of proxies before the gateway that add to X-Forwarded-For; 0 ignores the header.',
  ),
  SANDBOX_PORT: wholeNumber(
    4001,
    0,
    65_534,
    'Port of the sandbox that starts with the gateway; its forum takes the next port. 0 picks free ones.',
  ),
  UPSTREAM_TIMEOUT_MS: wholeNumber(
    10_000,
    1,
    600_000,
    'Deadline of an upstream call in milliseconds, including the wait for a connection.',
  ),
  OPERATION_TIMEOUT_MS: wholeNumber(
    60_000,
    1,
    3_600_000,
    'Time for all upstream calls of one operation in milliseconds. A caller asks for less by `X-Trivium-Timeout-Ms`.',
  ),
  UPSTREAM_CONNECTIONS: wholeNumber(
    128,
    1,
    10_000,
    'Maximum number of connections to one upstream; further calls wait.',
  ),
  UPSTREAM_QUEUE: wholeNumber(
    5_000,
    0,
    1_000_000,
    'Maximum number of calls that wait for a connection to one upstream. Each waits for half of UPSTREAM_TIMEOUT_MS at most.',
  ),
  READS_AT_ONCE: wholeNumber(
    32,
    1,
    10_000,
    'Maximum number of concurrent reads by id of one operation at one upstream.',
  ),
  BATCH_READS: choice(
    ['auto', 'list', 'by-id'],
    'auto',
    'How several records are read by id. With auto, measured times decide.',
  ),
  SHARE_READS: choice(
    ['auto', 'true', 'false'],
    'auto',
    'Whether concurrent identical reads share one call; auto: in one process.',
  ),
  MAX_UPSTREAM_CALLS: wholeNumber(500, 1, 100_000, 'Maximum number of upstream calls of one operation.'),
  MAX_LIST_BYTES: wholeNumber(64 * MiB, 1, 1024 * MiB, 'Maximum size of a list from upstream, in bytes.'),
  MAX_JOINED_LIST_BYTES: wholeNumber(
    16 * MiB,
    1,
    1024 * MiB,
    'Maximum size of a list that is read instead of records by id, in bytes.',
  ),
  MAX_RECORD_BYTES: wholeNumber(8 * MiB, 1, 1024 * MiB, 'Maximum size of any other upstream response, in bytes.'),
  MAX_XML_BYTES: wholeNumber(
    MiB,
    1,
    16 * MiB,
    'Maximum size of a response of the forum, in bytes. Parsing XML is slow.',
  ),
  MAX_REQUEST_BYTES: wholeNumber(2 * MiB, 1, 1024 * MiB, 'Maximum size of a GraphQL request, in bytes.'),
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
  KEEP_ALIVE_TIMEOUT_MS: wholeNumber(
    65_000,
    1,
    3_600_000,
    'How long a connection without a request is kept, in milliseconds; longer than a load balancer keeps it.',
  ),
  MAX_CONNECTIONS: wholeNumber(10_000, 1, 1_000_000, 'Maximum number of connections of callers.'),
  MAX_PIPELINED: wholeNumber(64, 1, 10_000, 'Maximum number of requests under way on one connection of HTTP/1.1.'),
  MAX_LAG_MS: wholeNumber(
    25,
    0,
    60_000,
    'Wait of requests for the event loop in milliseconds from which more are refused with 503; 0 refuses none.',
  ),
  MAX_TOKENS: wholeNumber(2_000, 1, 1_000_000, 'Maximum number of tokens in a GraphQL document.'),
  DOCUMENT_CACHE_BYTES: wholeNumber(
    16 * MiB,
    0,
    1024 * MiB,
    'Memory for the cache of parsed GraphQL documents, in bytes.',
  ),
  MAX_DEPTH: wholeNumber(12, 1, 1_000, 'Maximum depth of fields in an operation.'),
  MAX_ALIASES: wholeNumber(
    50,
    0,
    100_000,
    'Maximum number of aliases in an operation. Those of a fragment count at each spread.',
  ),
  MAX_DIRECTIVES: wholeNumber(
    50,
    0,
    100_000,
    'Maximum number of directives in an operation. Those of a fragment count at each spread.',
  ),
  MAX_COST: wholeNumber(
    200_000,
    1,
    1_000_000_000,
    'Maximum cost of an operation: about how many objects its response can have, see queries.md.',
  ),
  MAX_NODES: wholeNumber(
    100,
    1,
    10_000,
    'Maximum number of ids of one `nodes` field, and of keys of one `dashboardWidgets` field.',
  ),
  MAX_BULK: wholeNumber(100, 1, 10_000, 'Maximum number of items of one bulk mutation.'),
  BULK_TIMEOUT_MS: wholeNumber(
    30_000,
    1,
    600_000,
    'Time for one bulk mutation in milliseconds. Items that were not begun by then are not attempted.',
  ),
  MAX_ENTITIES: wholeNumber(
    2_000,
    1,
    100_000,
    'Maximum number of representations in the `_entities` fields of one operation, see SUBGRAPH.',
  ),
  MAX_PAGE_SIZE: wholeNumber(1_000, 1, 100_000, 'Maximum number of rows of one page of a connection.'),
  SUBGRAPH: choice(['false', 'true'], 'false', 'Whether the schema is served as a subgraph of Apollo Federation 2.'),
  CORS_ORIGINS: origins(
    'Origins of web pages that may call, separated by commas; localhost: of this machine, any port; the default over the sandbox.',
  ),
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
  SHUTDOWN_TIMEOUT_MS: wholeNumber(
    10_000,
    0,
    600_000,
    'Longest time from SIGTERM to the end, in milliseconds; a quarter of it at most is a grace period for callers.',
  ),
  NODE_ENV: text('', '`production` switches GraphiQL off, see GRAPHIQL, and suggestions of names in errors.'),
  API_TOKEN: text('', 'Only for `trivium doctor`: the token for the account and flex APIs.'),
  FORUM_AUTHORIZATION: text('', 'Only for `trivium doctor`: the credential for the forum, Basic <base64>.'),
  CRM_TOKEN: text(
    '',
    'Only for `trivium doctor`: the token for the CRM; by default API_TOKEN when it is shared with the CRM.',
  ),
};

const config = z.object(settings).readonly();

/** The checked settings, by name. */
export type Config = z.output<typeof config>;

/** Settings from the command line, as texts. They replace those of the environment. */
export type Flags = Readonly<Partial<Record<keyof typeof settings, string>>>;

/** An invalid setting. Its message is one line and never shows the value, which may be a secret. */
export class ConfigError extends Error {}

/**
 * Reads and checks all settings. No other code reads the values of the environment.
 *
 * @throws ConfigError for an invalid one, with its name and the values that it takes
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  flags: Flags = {},
): Config {
  const { success, data, error } = config.safeParse({ ...environment, ...flags });
  if (success) return data;
  const [issue] = error.issues;
  throw new ConfigError(`${issue?.path.join('.')} takes ${issue?.message}.`);
}

/** The names of all variables of the environment that are not empty. */
export function variableNames(): string[] {
  return Object.entries(process.env).flatMap(([name, text]) => (text ? [name] : []));
}

function setting<T>(about: string, fallback: T, takes: string, read: (given: string) => T | undefined) {
  return z
    .string()
    .optional()
    .transform((given = '', context): T => {
      const trimmed = given.trim();
      if (trimmed === '') return fallback;
      const value = read(trimmed);
      if (value === undefined) context.addIssue({ code: 'custom', message: takes });
      return value ?? fallback;
    })
    .meta({ description: about, default: fallback });
}

function text(fallback: string, about: string) {
  return setting(about, fallback, 'a text', (given) => given);
}

function wholeNumber(fallback: number, min: number, max: number, about: string) {
  return setting(about, fallback, `a whole number from ${min} to ${max}`, (given) => {
    const number = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

function processes(about: string) {
  const max = 256;
  return setting(about, 1, `a whole number from 1 to ${max}, or auto`, (given) => {
    if (given === 'auto') return Math.min(availableParallelism(), max);
    const number = /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN;
    return number >= 1 && number <= max ? number : undefined;
  });
}

function choice<const T extends string>(values: readonly T[], fallback: NoInfer<T>, about: string) {
  return setting<T>(`${about} One of ${values.join(', ')}.`, fallback, `one of ${values.join(', ')}`, (given) =>
    values.find((value) => value === given),
  );
}

function httpAddress(about: string) {
  const takes = 'an http or https address without a user, query or fragment';
  return setting<URL | undefined>(about, undefined, takes, (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const bare = url && !url.username && !url.password && !url.search && !url.hash;
    return bare && /^https?:$/.test(url.protocol) ? url : undefined;
  });
}

function cookieNames(about: string) {
  return setting<readonly string[]>(about, [], 'names of cookies, separated by commas', (given) => {
    const list = given.split(',').map((name) => name.trim());
    return list.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)) ? list : undefined;
  });
}

function origins(about: string) {
  const takes = 'origins such as https://app.example, or localhost, separated by commas';
  return setting<readonly string[]>(about, [], takes, (given) => {
    const list = given.split(',').map((origin) => origin.trim());
    return list.every((origin) => origin === LOCALHOST || isOrigin(origin)) ? list : undefined;
  });
}

/** Whether a text is an origin. A `*` is refused: URLs may contain it, but there are no wildcards here. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}
