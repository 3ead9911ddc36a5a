import type { Bound } from './bound.ts';
import { overUpstream } from './gateway.ts';
import { effectOf } from './others.ts';

// Six callers of a large response at once: how long `/health` takes meanwhile, and the most memory that the gateway holds.

const MB = 1_000_000;
const CALLERS = 6;

const aliased = (field: string, count: number) =>
  Array.from({ length: count }, (_none, index) => `c${index}: ${field}`).join(' ');
const posts = (aliases: number) => `{ posts(first: 100) { nodes { ${aliased('content', aliases)} } } }`;
const rowsOf = (count: number, content: string) =>
  JSON.stringify(Array.from({ length: count }, (_none, index) => ({ id: index + 1, content })));
const manyKeys = () => {
  const data = Object.fromEntries(Array.from({ length: 20_000 }, (_none, index) => [`key ${index}`, 'x'.repeat(80)]));
  return JSON.stringify(Array.from({ length: 7 }, (_none, index) => ({ id: `${index + 1}`, data })));
};

const BEYOND = /MAX_RESPONSE_BYTES/;
const WHOLE = /\]\}\}/;

const LOADS: readonly [name: string, list: () => string, query: string, response: RegExp][] = [
  ['12 MB under 49 aliases', () => rowsOf(100, 'x'.repeat(0.12 * MB)), posts(49), BEYOND],
  ['8 MB under 3 aliases', () => rowsOf(100, 'x'.repeat(0.08 * MB)), posts(3), WHOLE],
  ['one list of 30 MB', () => rowsOf(100, 'x'.repeat(0.3 * MB)), posts(1), WHOLE],
  ['5 MB of escapes', () => rowsOf(100, '\u0001'.repeat(0.05 * MB)), posts(1), WHOLE],
  ['one text of 5 MB of escapes', () => rowsOf(1, '\u0001'.repeat(5 * MB)), posts(1), WHOLE],
  ['24 MB of quotes', () => rowsOf(100, '"'.repeat(0.24 * MB)), posts(1), BEYOND],
  [
    'flexible records under 49 aliases',
    manyKeys,
    `{ flexDb(id: "1") { records(first: 7) { nodes { ${aliased('data', 49)} } } } }`,
    BEYOND,
  ],
];

async function sixAtOnce([name, list, query, expected]: (typeof LOADS)[number], inParts: boolean) {
  const text = list();
  const upstream: Parameters<typeof overUpstream>[0] = (request, response) => {
    const body = request.url === '/flex/dbs/1.json' ? '{"id":1}' : text;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
  return overUpstream(upstream, { LOG_LEVEL: 'error' }, async (gateway) => {
    const accept = inParts ? 'multipart/mixed' : 'application/json';
    const operation = inParts ? `{ __typename ... @defer ${query} }` : query;
    return effectOf(gateway, async () => {
      const sent = Array.from({ length: CALLERS }, async () => gateway.send(operation, { headers: { accept } }));
      for (const response of await Promise.all(sent))
        if (!expected.test(response)) throw new Error(`${name}: ${response.slice(0, 200)}`);
    });
  });
}

export const largeResponses = [false, true].flatMap((inParts) =>
  LOADS.flatMap((load): Bound[] => {
    const name = `six responses at once of ${load[0]}${inParts ? ', in parts' : ''}`;
    const figure = async () => sixAtOnce(load, inParts);
    return [
      { name: `${name}: others wait`, limit: 200, unit: 'ms', measure: async () => (await figure()).healthMs },
      { name: `${name}: memory`, limit: 400, unit: 'MB', measure: async () => (await figure()).peakMb },
    ];
  }),
);
