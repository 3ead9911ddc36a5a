import type { Bound } from './bound.ts';
import { overUpstream } from './gateway.ts';
import { boundsOf, effectOf } from './others.ts';

// Requests that are small to send and large to read, without any credential and without a call to upstream.

/** A request of `/graphql`. */
interface HostileRequest {
  readonly name: string;
  /** The body, of about so many bytes. */
  readonly body: (bytes: number) => string;
  /** What its answer holds. */
  readonly answer: RegExp;
}

const times = (count: number, make: (index: number) => string, separator = ',') =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_none, index) => make(index)).join(separator);

/** Repeats a part up to a size. */
const filled = (bytes: number, part: string, separator = ',') =>
  times(bytes / (part.length + separator.length), () => part, separator);

const FILTER = 'query($v: ClientFilter) { clients(filter: $v) { totalCount } }';
const NODE = 'query($v: ID!) { node(id: $v) { id } }';
const CREATE = 'mutation($v: JSONObject!) { createFlexRecord(dbId: "1", input: { data: $v }) { __typename } }';

/** A body whose variable is written as it is. */
const variable = (query: string, json: string) => `{"query":${JSON.stringify(query)},"variables":{"v":${json}}}`;
const document = (query: string) => JSON.stringify({ query });

/** What is refused is refused by the name of its limit. */
const LIMIT = /MAX_REQUEST_VALUES|MAX_TOKENS|levels|keys|characters/;
const REFUSED = /"errors"/;

type Row = readonly [name: string, body: (bytes: number) => string, answer: RegExp];

const ROWS: readonly Row[] = [
  ['a filter of unknown keys', (n) => variable(FILTER, `{${times(n / 12, (at) => `"k${at}":1`)}}`), LIMIT],
  ['an ID that is an object of keys', (n) => variable(NODE, `{${times(n / 12, (at) => `"k${at}":1`)}}`), LIMIT],
  [
    'an enum of one long name',
    (n) =>
      variable('query($v: ClientOrderField!) { clients(orderBy: { field: $v }) { totalCount } }', `"${'x'.repeat(n)}"`),
    REFUSED,
  ],
  ['an unknown input field of a long name', (n) => variable(FILTER, `{"${'x'.repeat(n)}":1}`), REFUSED],
  [
    'an Int that is a list of lists',
    (n) => variable('query($v: Int) { clients(first: $v) { totalCount } }', `[${filled(n, '[]')}]`),
    LIMIT,
  ],
  ['alternatives of a filter', (n) => variable(FILTER, `{"anyOf":[${filled(n, '{}')}]}`), LIMIT],
  [
    'levels of lists in a variable that nobody uses',
    (n) => variable('{ __typename }', '['.repeat(n / 2) + ']'.repeat(n / 2)),
    LIMIT,
  ],
  ['lists in a variable that nobody uses', (n) => variable('{ __typename }', `[${filled(n, '[]')}]`), LIMIT],
  ['objects in a variable that nobody uses', (n) => variable('{ __typename }', `[${filled(n, '{}')}]`), LIMIT],
  ['data of objects', (n) => variable(CREATE, `{"a":[${filled(n, '{}')}]}`), LIMIT],
  ['data of lists', (n) => variable(CREATE, `{"a":[${filled(n, '[]')}]}`), LIMIT],
  [
    'items of a bulk mutation',
    (n) =>
      variable(
        'mutation($v: [CreateClientInput!]!) { createClients(input: $v) { __typename } }',
        `[${filled(n, '{}')}]`,
      ),
    LIMIT,
  ],
  [
    'a literal of an enum with a long name, 49 times',
    (n) =>
      document(
        `{ ${times(49, (at) => `a${at}: clients(orderBy: { field: ${'X'.repeat(n / 49)} }) { totalCount }`, ' ')} }`,
      ),
    LIMIT,
  ],
  ['an unknown argument of a long name', (n) => document(`{ clients(${'x'.repeat(n)}: 1) { totalCount } }`), LIMIT],
  ['an unknown field of a long name', (n) => document(`{ ${'x'.repeat(n)} }`), LIMIT],
  ['an unknown type of a long name', (n) => document(`query($v: ${'X'.repeat(n)}) { __typename }`), LIMIT],
  ['an unknown type condition of a long name', (n) => document(`{ ... on ${'X'.repeat(n)} { __typename } }`), LIMIT],
  [
    '900 unknown fields of long names',
    (n) => document(`{ ${times(900, (at) => `${'x'.repeat(n / 900 - 5)}${at}`, ' ')} }`),
    LIMIT,
  ],
  [
    'a block text of blank lines',
    (n) => document(`{ clients(filter: { text: """${'\n'.repeat(n / 2)}""" }) { totalCount } }`),
    LIMIT,
  ],
  ['newlines before an error', (n) => document(`{ ${'\n'.repeat(n / 2)} nothing }`), LIMIT],
  [
    '900 unknown fields',
    (n) => document(`{ ${times(900, (at) => `${'x'.repeat(Math.min(200, n / 900 - 5))}${at}`, ' ')} }`),
    REFUSED,
  ],
];

const BYTES = 2_000_000 - 1_000;

async function measured({ body, answer }: HostileRequest, callers: number) {
  const text = body(BYTES);
  return overUpstream(
    (_request, response) => void response.end('{}'),
    { LOG_LEVEL: 'error' },
    async (gateway) =>
      effectOf(gateway, async () => {
        const sent = Array.from({ length: callers }, async () => {
          const headers = { 'content-type': 'application/json' };
          return (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: text })).text();
        });
        for (const response of await Promise.all(sent))
          if (!answer.test(response) || response.length > 10_000) throw new Error(response.slice(0, 500));
      }),
  );
}

export const hostileRequests: readonly Bound[] = ROWS.flatMap(([name, body, answer]) =>
  boundsOf(`a request of 2 MB: ${name}`, async (callers) => measured({ name, body, answer }, callers)),
);
