import { settingsByApi } from './apis.ts';
import { choice, cookieNames, httpAddress, text, wholeNumber, MiB } from './setting.ts';

const { FORUM_URL, ...addresses } = settingsByApi({ URL: ({ address }) => httpAddress(address) });

/** The settings of the upstream APIs: their addresses, and the bounds of calls to them. */
export const upstreamSettings = {
  ...addresses,
  CRM_SHARES_TOKEN: choice(
    ['false', 'true'],
    'false',
    'Whether the bearer token is also sent to a CRM of another origin than ACCOUNT_URL.',
  ),
  FORUM_URL,
  FORUM_SHARES_IDS: choice(
    ['true', 'false'],
    'true',
    'Whether a suggestion has the same id in the forum and in the CRM.',
  ),
  FLEX_COOKIES: cookieNames(
    'Names of the cookies that public methods of flex databases set and read, separated by commas.',
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
  UPSTREAM_CONNECTION_MAX_AGE_MS: wholeNumber(
    300_000,
    0,
    86_400_000,
    'Maximum age of a connection to an upstream in milliseconds: then one to its present address replaces it. 0: none.',
  ),
  UPSTREAM_QUEUE: wholeNumber(
    5_000,
    0,
    1_000_000,
    'Maximum number of calls that wait for a connection to one upstream. Each waits for half of UPSTREAM_TIMEOUT_MS at most.',
  ),
  UPSTREAM_COMPRESSION: choice(
    ['auto', 'on', 'off'],
    'auto',
    'Whether reads ask for gzip. With auto, unless measured times say that it is slower.',
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
    ['true', 'false'],
    'true',
    'Whether equal reads under way share a call; with REDIS_URL only where kept answers are used, too.',
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
  MAX_ANSWER_MEMORY_BYTES: wholeNumber(
    256 * MiB,
    MiB,
    16 * 1024 * MiB,
    'Maximum memory of all answers of upstreams at once, estimated, in bytes. A read beyond it fails: OVERLOADED.',
  ),
  MAX_XML_BYTES: wholeNumber(
    MiB,
    1,
    16 * MiB,
    'Maximum size of a response of the forum, in bytes. Parsing XML is slow.',
  ),
  API_TOKEN: text('', 'Only for `trivium doctor` and `trivium flex`: the token for the account and flex APIs.'),
  FORUM_AUTHORIZATION: text('', 'Only for `trivium doctor`: the credential for the forum, Basic <base64>.'),
  CRM_TOKEN: text(
    '',
    'Only for `trivium doctor`: the token for the CRM; by default API_TOKEN when it is shared with the CRM.',
  ),
};
