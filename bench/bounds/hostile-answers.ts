import type { Bound } from './bound.ts';
import { overUpstream } from './gateway.ts';
import { boundsOf, effectOf } from './others.ts';

// Answers of upstream that are short for what they hold.

/** An answer to a read, of about so many bytes. */
interface HostileAnswer {
  readonly name: string;
  readonly query: string;
  readonly bytes: number;
  readonly answer: (bytes: number) => string;
}

/** Repeats a part up to a size, between a begin and an end. */
function filled(bytes: number, part: (index: number) => string, begin = '[', end = ']'): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const next = part(index);
    parts.push(next);
    size += next.length + 1;
  }
  return `${begin}${parts.join(',')}${end}`;
}

const MB = 1_000_000;
const CLIENTS = '{ clients { totalCount } }';
const CLIENT = '{ client(id: 1) { name } }';
const RECORD = '{ flexDb(id: "1") { records(first: 8) { nodes { id data } } } }';
const IDS = '{ flexDb(id: "1") { records(first: 8) { nodes { id } } } }';

const lists: HostileAnswer[] = (
  [
    ['lists', () => '[]'],
    ['objects', () => '{}'],
    ['lists in lists', () => '[[[[]]]]'],
    ['numbers', () => '1'],
    ['texts', () => '"a"'],
    ['ids', (at: number) => `{"id":${at}}`],
    ['rows with a key of their own', (at: number) => `{"id":${at},"k${at}":1}`],
    ['rows of lists', (at: number) => `{"id":${at},"data":[[],[],[],[],[],[],[],[]]}`],
    ['long numbers', (at: number) => `{"id":${at},"n":12345678901234567}`],
  ] as const
).flatMap(([name, part]) =>
  [8, 60].map((size) => ({
    name: `a list of ${name}, ${size} MB`,
    query: CLIENTS,
    bytes: size * MB,
    answer: (bytes: number) => filled(bytes, part),
  })),
);

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ...lists,
  {
    name: 'a row of lists, 60 MB',
    query: CLIENTS,
    bytes: 60 * MB,
    answer: (bytes) => `[{"id":1,"data":${filled(bytes, () => '[]')}}]`,
  },
  {
    name: 'an object of keys in the place of a list, 8 MB',
    query: CLIENTS,
    bytes: 8 * MB,
    answer: (bytes) => filled(bytes, (at) => `"k${at}":1`, '{', '}'),
  },
  {
    name: 'an object of lists in the place of a list, 60 MB',
    query: CLIENTS,
    bytes: 60 * MB,
    answer: (bytes) => `{"id":1,"data":${filled(bytes, () => '[]')}}`,
  },
  {
    name: 'a record of lists, 8 MB',
    query: CLIENT,
    bytes: 7.9 * MB,
    answer: (bytes) => `{"id":1,"data":${filled(bytes, () => '[]')}}`,
  },
  {
    name: 'a record of keys, 8 MB',
    query: CLIENT,
    bytes: 7.9 * MB,
    answer: (bytes) => filled(bytes, (at) => `"k${at}":1`, '{"id":1,', '}'),
  },
  ...[IDS, RECORD].flatMap((query) =>
    (
      [
        ['objects', 2 * MB, (bytes: number) => filled(bytes, () => '{}')],
        ['lists', 2 * MB, (bytes: number) => filled(bytes, () => '[]')],
        ['keys', 2 * MB, (bytes: number) => filled(bytes, (at) => `"k${at}":1`, '{', '}')],
        ['levels', 0.4 * MB, (bytes: number) => nested(bytes / 2)],
      ] as const
    ).map(([name, bytes, data]) => ({
      name: `eight rows whose data are ${name}, ${query === IDS ? 'by their ids' : 'with their data'}`,
      query,
      bytes,
      answer: (each: number) =>
        `[${Array.from({ length: 8 }, (_none, at) => `{"id":"${at + 1}","data":{"a":${data(each)}}}`).join(',')}]`,
    })),
  ),
];

async function measured({ query, bytes, answer }: HostileAnswer, callers: number) {
  const text = Buffer.from(answer(bytes));
  return overUpstream(
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.url === '/flex/dbs/1.json' ? '{"id":1}' : text);
    },
    { LOG_LEVEL: 'error' },
    async (gateway) =>
      effectOf(gateway, async () => {
        const ask = async (caller: number) =>
          gateway.send(query, { headers: { authorization: `Bearer token${caller}` } });
        await Promise.all(Array.from({ length: callers }, async (_none, caller) => ask(caller)));
      }),
  );
}

export const hostileAnswers: readonly Bound[] = HOSTILE_ANSWERS.flatMap((hostile) =>
  boundsOf(`an answer: ${hostile.name}`, async (callers) => measured(hostile, callers)),
);
