import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { accountGateway } from '../account/support.ts';

/** `count` selections, each under an alias of its own. */
const aliased = (count: number, selection: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');

/** Runs an operation under these limits: returns the codes of its errors, the settings they name, and its calls. */
async function under(settings: Partial<Config>, query: string) {
  const { execute, sandbox } = await accountGateway(settings);
  const { data, errors } = await execute(query);
  return {
    data,
    refusals: errors.map(({ message, extensions }) => `${extensions['code']} ${/MAX_[A-Z_]+/.exec(message)?.[0]}`),
    calls: sandbox.calls(),
  };
}

const DISPLAYED = 'GET /toolkit/dashboards/widgets.json';
const nested = '{ displayedDashboard { current { layout { config { limit } } } } }';

interface Case {
  readonly setting: 'MAX_DEPTH' | 'MAX_ALIASES' | 'MAX_DIRECTIVES';
  readonly what: string;
  readonly size: number;
  readonly query: string;
}

const cases: readonly Case[] = [
  { setting: 'MAX_DEPTH', what: 'fields in fields', size: 5, query: nested },
  {
    setting: 'MAX_DEPTH',
    what: 'fields in fragments',
    size: 5,
    query: `{ ...a } fragment a on Query { displayedDashboard { ... { ...b } } }
      fragment b on DisplayedDashboard { current { layout { ...c } } } fragment c on DashboardTile { config { limit } }`,
  },
  {
    setting: 'MAX_DEPTH',
    what: 'deepest of several',
    size: 4,
    query: '{ displayedDashboard { context current { layout { key } } choices { id } } }',
  },
  {
    setting: 'MAX_ALIASES',
    what: 'aliases',
    size: 3,
    query: `{ ${aliased(3, 'displayedDashboard { layout { key } }')} }`,
  },
  {
    setting: 'MAX_ALIASES',
    what: 'aliases of a fragment, wherever it is spread',
    size: 6,
    query: `{ displayedDashboard { layout { ...two } current { layout { ...two } } choices { layout { ...two } } } }
      fragment two on DashboardTile { ${aliased(2, 'key')} }`,
  },
  {
    setting: 'MAX_DIRECTIVES',
    what: 'directives on fields, fragments and spreads',
    size: 4,
    query: `{ displayedDashboard @include(if: true) { ... @skip(if: false) { layout { key @include(if: true) } ...a @include(if: true) } } }
      fragment a on DisplayedDashboard { context }`,
  },
  {
    setting: 'MAX_DIRECTIVES',
    what: 'directives of a fragment, wherever it is spread',
    size: 2,
    query: `{ displayedDashboard { layout { ...a } current { layout { ...a } } } }
      fragment a on DashboardTile { key @include(if: true) }`,
  },
];

test.each(cases)('$setting counts the $what', async ({ setting, size, query }) => {
  expect(await under({ [setting]: size - 1 }, query)).toEqual({
    data: undefined,
    refusals: [`QUERY_LIMIT_EXCEEDED ${setting}`],
    calls: [],
  });
  expect(await under({ [setting]: size }, query)).toMatchObject({ refusals: [], calls: [DISPLAYED] });
});

test('MAX_TOKENS limits the tokens of a document, before it is parsed', async () => {
  const query = '{ displayedDashboard { layout { key } } }';

  expect(await under({ MAX_TOKENS: 9 }, query)).toMatchObject({ refusals: [], calls: [DISPLAYED] });
  expect(await under({ MAX_TOKENS: 8 }, query)).toEqual({
    data: undefined,
    refusals: ['QUERY_LIMIT_EXCEEDED MAX_TOKENS'],
    calls: [],
  });
});

test('MAX_UPSTREAM_CALLS limits the calls of one operation: what goes beyond fails alone', async () => {
  const query = '{ a: apiToken(id: 1) { id } b: dashboards { id } c: displayedDashboard { layout { key } } }';

  const { data, refusals, calls } = await under({ MAX_UPSTREAM_CALLS: 2 }, query);

  expect(refusals).toEqual(['QUERY_LIMIT_EXCEEDED MAX_UPSTREAM_CALLS']);
  expect(calls).toHaveLength(2);
  expect(Object.values(data ?? {}).filter((value) => value === null || value.layout === null)).toHaveLength(1);
  expect(await under({ MAX_UPSTREAM_CALLS: 3 }, query)).toMatchObject({ refusals: [], calls: { length: 3 } });
});

test('the calls of one operation do not count for the next one', async () => {
  const { execute } = await accountGateway({ MAX_UPSTREAM_CALLS: 1 });

  for (const _time of [1, 2, 3]) expect((await execute('{ apiTokens { id } }')).errors).toEqual([]);
});

/** Fragments that each spread the next one twice: two to the power of their number at the end. */
const bomb = (last: string, spread: (name: string) => string) => {
  const fragments = Array.from(
    { length: 40 },
    (_, index) => `fragment f${index} on Query { ${spread(`f${index + 1}`)} }`,
  );
  return `{ ...f0 } ${fragments.join(' ')} fragment f40 on Query { ${last} }`;
};

test.each([
  ['MAX_ALIASES', bomb('a: apiTokens { id }', (name) => `...${name} ...${name}`)],
  ['MAX_DIRECTIVES', bomb('apiTokens { id }', (name) => `...${name} @include(if: true) ...${name}`)],
])('an exponential bomb of fragments is refused at once: %s', async (setting, query) => {
  expect(await under({}, query)).toEqual({ data: undefined, refusals: [`QUERY_LIMIT_EXCEEDED ${setting}`], calls: [] });
});

test('a fragment that spreads itself is not valid, and does not hang', async () => {
  const query = '{ ...a } fragment a on Query { x: apiTokens { id } ...b } fragment b on Query { ...a ...a }';

  const { data, refusals, calls } = await under({}, query);

  expect(data).toBeUndefined();
  expect(new Set(refusals)).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED undefined']));
  expect(calls).toEqual([]);
});

test("GraphiQL's introspection query is within the limits", async () => {
  const query = getIntrospectionQuery({
    schemaDescription: true,
    inputValueDeprecation: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    oneOf: true,
  });

  const { data, refusals } = await under({}, query);

  expect(refusals).toEqual([]);
  expect(data).toMatchObject({ __schema: { queryType: { name: 'Query' } } });
});

test('aliases of an introspection count: its answer would grow by the power of their depth', async () => {
  const query = `{ __schema { ${aliased(20, 'types { ...a }')} } }
    fragment a on __Type { ${aliased(20, 'fields { ...b }')} } fragment b on __Field { ${aliased(20, 'name')} }`;

  expect(await under({}, query)).toEqual({
    data: undefined,
    refusals: ['QUERY_LIMIT_EXCEEDED MAX_ALIASES'],
    calls: [],
  });
});

const named = (count: number) => `{ ${aliased(count, '__type(name: "Client") { name }')} }`;
const spread = (count: number, selection: string) =>
  `{ ${'...a '.repeat(count)} } fragment a on Query { ${selection} }`;

test.each([
  ['__schema', 3, (count: number) => `{ ${aliased(count, '__schema { queryType { name } }')} }`],
  ['__schema', 3, (count: number) => spread(count, '__schema { queryType { name } }')],
  ['__type', 10, named],
  ['__type', 10, (count: number) => spread(count, '... { __type(name: "Client") { name } }')],
])(
  'an operation selects `%s` at most %i times, those of fragments counted at each spread',
  async (field, limit, query) => {
    const { execute } = await accountGateway();
    expect(await execute(query(limit))).toMatchObject({ errors: [] });

    const { data, errors } = await execute(query(limit + 1));

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message:
          `The operation selects \`${field}\` ${limit + 1} times, and ${limit} is the limit: ` +
          'select more below one of them, or send several operations.',
        extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
      },
    ]);
  },
);

test('fragments that are not used do not count', async () => {
  const { data, errors } = await (
    await accountGateway({ MAX_ALIASES: 1 })
  ).execute(
    `query A { a: displayedDashboard { context } } fragment unused on Query { ${aliased(9, 'apiTokens { id }')} }`,
  );

  // they are not valid, but within the limits
  expect(data).toBeUndefined();
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['GRAPHQL_VALIDATION_FAILED']);
});

test('every limit that an operation exceeds is named', async () => {
  const query = `{ ${aliased(2, 'displayedDashboard @include(if: true) { layout @include(if: true) { key } }')} }`;

  const { refusals } = await under({ MAX_DEPTH: 2, MAX_ALIASES: 1, MAX_DIRECTIVES: 3 }, query);

  expect(refusals).toEqual(
    ['MAX_DEPTH', 'MAX_ALIASES', 'MAX_DIRECTIVES'].map((name) => `QUERY_LIMIT_EXCEEDED ${name}`),
  );
});

test('a ring of fragments in which validation would get lost is refused', async () => {
  const spread = (index: number) => `...f${index % 120}`;
  const ring = Array.from({ length: 120 }, (_, index) => {
    return `fragment f${index} on Post { parent { ${spread(index + 1)} ${spread(index + 7)} } id }`;
  });

  const { data, refusals, calls } = await under({}, `{ posts { nodes { ...f0 } } } ${ring.join(' ')}`);

  expect({ data, calls }).toEqual({ data: undefined, calls: [] });
  expect(refusals).toEqual(['QUERY_LIMIT_EXCEEDED MAX_TOKENS']);
});
