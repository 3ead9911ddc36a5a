import { z } from 'zod';

const MiB = 1024 ** 2;

/** Every setting of the gateway: an environment variable of this name. An empty one counts as not set. */
export const settings = {
  PORT: whole(4000, 0, 65_535, 'Port of the GraphQL endpoint; 0 takes a free one.'),
  HOST: text('127.0.0.1', 'Address to listen on.'),
  ACCOUNT_URL: address('Base address of the account API. Without one, the sandbox starts and stands in for it.'),
  FLEX_URL: address('Base address of the flex API; by default ACCOUNT_URL.'),
  CRM_URL: address('Base address of the CRM and helpdesk API.'),
  CRM_SHARES_TOKEN: choice(
    ['false', 'true'],
    'false',
    'Whether the bearer token is sent to the CRM of another origin than ACCOUNT_URL.',
  ),
  FORUM_URL: address('Base address of the suggestion forum.'),
  FORUM_SHARES_IDS: choice(['true', 'false'], 'true', 'Whether a suggestion has one id in the forum and in the CRM.'),
  FLEX_COOKIES: names('Cookies that public methods of flex databases set and read, separated by commas.'),
  TRUST_PROXY: whole(0, 0, 10, 'How many proxies before the gateway add to X-Forwarded-For; 0 trusts nobody.'),
  SANDBOX_PORT: whole(
    4001,
    0,
    65_534,
    'Port of the sandbox that starts with the gateway, its forum on the next; 0: free ones.',
  ),
  UPSTREAM_TIMEOUT_MS: whole(10_000, 1, 600_000, 'Deadline of an upstream call, from the wait for a connection on.'),
  UPSTREAM_CONNECTIONS: whole(128, 1, 10_000, 'Connections to one upstream; calls beyond them wait.'),
  READS_AT_ONCE: whole(32, 1, 10_000, 'Reads by id that one operation has under way at once at one upstream.'),
  BATCH_READS: choice(
    ['auto', 'list', 'by-id'],
    'auto',
    'How several records are read by id; auto: by what was seen to cost less.',
  ),
  MAX_UPSTREAM_CALLS: whole(500, 1, 100_000, 'Upstream calls of one operation.'),
  MAX_LIST_BYTES: whole(64 * MiB, 1, 1024 * MiB, 'Size of an upstream answer that is a list.'),
  MAX_JOINED_LIST_BYTES: whole(16 * MiB, 1, 1024 * MiB, 'Size of a list that is read in place of records by id.'),
  MAX_RECORD_BYTES: whole(8 * MiB, 1, 1024 * MiB, 'Size of any other upstream answer.'),
  MAX_XML_BYTES: whole(MiB, 1, 16 * MiB, 'Size of an answer of the forum: to parse XML takes long.'),
  MAX_REQUEST_BYTES: whole(2 * MiB, 1, 1024 * MiB, 'Size of a GraphQL request.'),
  MAX_TOKENS: whole(2_000, 1, 1_000_000, 'Tokens of a GraphQL document.'),
  DOCUMENT_CACHE_BYTES: whole(
    16 * MiB,
    0,
    1024 * MiB,
    'Memory for parsed GraphQL documents, which are kept to be used again.',
  ),
  MAX_DEPTH: whole(12, 1, 1_000, 'Depth of the fields in an operation.'),
  MAX_ALIASES: whole(50, 0, 100_000, 'Aliases in an operation, those of its fragments counted at each use.'),
  MAX_DIRECTIVES: whole(50, 0, 100_000, 'Directives in an operation, counted likewise.'),
  MAX_NODES: whole(100, 1, 10_000, 'Ids that one `nodes` field takes.'),
  MAX_ENTITIES: whole(2_000, 1, 100_000, 'Representations that the `_entities` of one operation take, see SUBGRAPH.'),
  MAX_PAGE_SIZE: whole(1_000, 1, 100_000, 'Rows of one page of a connection.'),
  SUBGRAPH: choice(['false', 'true'], 'false', 'Whether the schema is served as a subgraph of Apollo Federation 2.'),
  CORS_ORIGINS: origins('Origins of the web pages that may call the gateway, separated by commas.'),
  GRAPHIQL: choice(['auto', 'true', 'false'], 'auto', 'GraphiQL for browsers; auto: unless NODE_ENV is production.'),
  LOG_LEVEL: choice(['silent', 'error', 'warn', 'info', 'debug'], 'info', 'Log on standard error.'),
  SHUTDOWN_TIMEOUT_MS: whole(10_000, 0, 600_000, 'How long requests in flight may take to end after SIGTERM.'),
  NODE_ENV: text('', '`production` switches GraphiQL off, see GRAPHIQL.'),
  API_TOKEN: text('', 'Only for `trivium doctor`: the token to try the upstreams with.'),
  FORUM_AUTHORIZATION: text('', 'Only for `trivium doctor`: the credential to try the forum with, Basic <base64>.'),
  CRM_TOKEN: text('', 'Only for `trivium doctor`: the token to try the CRM with, where it is another one.'),
};

const config = z.object(settings).readonly();

/** The settings, each under its own name and checked. */
export type Config = z.output<typeof config>;

/** A setting that cannot be used. Its message is one line, and never shows what was given: that may be a secret. */
export class ConfigError extends Error {}

/**
 * Reads every setting. Nothing else in the project looks at the environment.
 *
 * @throws ConfigError for a wrong one, with its name and what it takes
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const { success, data, error } = config.safeParse(environment);
  if (success) return data;
  const [issue] = error.issues;
  throw new ConfigError(`${issue?.path.join('.')} takes ${issue?.message}.`);
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

function whole(fallback: number, min: number, max: number, about: string) {
  return setting(about, fallback, `a whole number from ${min} to ${max}`, (given) => {
    const number = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

function choice<const T extends string>(values: readonly T[], fallback: NoInfer<T>, about: string) {
  return setting<T>(`${about} One of ${values.join(', ')}.`, fallback, `one of ${values.join(', ')}`, (given) =>
    values.find((value) => value === given),
  );
}

function address(about: string) {
  const takes = 'an http or https address without a user, query or fragment';
  return setting<URL | undefined>(about, undefined, takes, (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const bare = url && !url.username && !url.password && !url.search && !url.hash;
    return bare && /^https?:$/.test(url.protocol) ? url : undefined;
  });
}

function names(about: string) {
  return setting<readonly string[]>(about, [], 'names of cookies, separated by commas', (given) => {
    const list = given.split(',').map((name) => name.trim());
    return list.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)) ? list : undefined;
  });
}

function origins(about: string) {
  return setting<readonly string[]>(about, [], 'origins such as https://app.example, separated by commas', (given) => {
    const list = given.split(',').map((origin) => origin.trim());
    return list.every(isOrigin) ? list : undefined;
  });
}

/** A URL may hold a `*`, but it stands for nothing here: origins are compared as they are. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}
