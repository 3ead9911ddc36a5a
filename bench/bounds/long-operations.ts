// Long arguments and hostile lists of upstream cost the operation that asked for them, and nobody else: all other requests
// are answered meanwhile. The suite counts the steps of such work, and `npm run bench:bounds` measures how long others wait.

/** An operation over a CRM whose every answer is one text. */
export interface LongOperation {
  readonly name: string;
  /** The rows, digits, characters or levels: few where steps are counted, many where time is measured. */
  readonly size: { readonly counted: number; readonly measured: number };
  readonly list: (size: number) => string;
  readonly query: string;
  readonly variables?: (size: number) => Readonly<Record<string, unknown>>;
  readonly data?: (size: number) => unknown;
  /** What the messages of all errors contain. */
  readonly errors?: (size: number) => readonly string[];
  /** The least number of turns of the event loop where each step of the work takes all of one. Default: none. */
  readonly turns?: number;
}

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_none, at) => make(at));

const rows = (count: number, row: (index: number) => object) =>
  JSON.stringify(times(count, (index) => ({ id: index + 1, ...row(index) })));

const ACCENTED = 'Zażółć gęślą jaźń ';

const hugeBounds = [
  ['a decimal', 'posts(filter: { spamScore: { min: $number } })'],
  ['the largest value of a decimal', 'deals(filter: { price: { max: $number } })'],
  ['an additional field', 'clients(filter: { customFields: { key: DECIMAL1, min: $number } })'],
  ['an alternative', 'posts(filter: { anyOf: [{ spamScore: { min: $number } }] })'],
].map(([name, field]): LongOperation => ({
  name: `${name} of many digits is refused, and the bound is told`,
  size: { counted: 1_001, measured: 100_000 },
  list: () => rows(1_000, (index) => ({ spam_score: index, price: index, decimal1: index })),
  query: `query ($number: Decimal) { ${field} { totalCount } }`,
  variables: (digits) => ({ number: `1${'0'.repeat(digits - 1)}` }),
  errors: () => ['1,000 digits'],
}));

const FIELDS = 20;
const wantedTexts = (count: number) => times(count, (index) => `a${index}@example.com`);

const longConditions = [
  ['addresses', 'emails', '[String!]', wantedTexts],
  ['tags', 'tags', '[String!]', wantedTexts],
  ['ids', 'userIds', '[ID!]', wantedTexts],
] as const;

const hostileLists = [
  ['numbers', { counted: 50_000, measured: 99_000 }, ',1', 190],
  ['lists', { counted: 50_000, measured: 99_000 }, ',[]', 190],
  ['long numbers', { counted: 5_000, measured: 99_000 }, ',12345678901234567', 25],
] as const;

const deepAnswers = [
  [
    'a list',
    (levels: number) => `[{"id":1},${'['.repeat(levels)}${']'.repeat(levels)}]`,
    ['Expected an object, got a list', '1 of 2 rows was left out'],
  ],
  [
    'an object',
    (levels: number) => `{"id":1,"a":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
    ['at most 256 levels', 'at most 256 levels'],
  ],
] as const;

export const LONG_OPERATIONS: readonly LongOperation[] = [
  ...hugeBounds,
  {
    name: 'a decimal of 1,000 digits is compared with many rows',
    size: { counted: 500, measured: 5_000 },
    list: (count) => rows(count, (index) => ({ price: `${'9'.repeat(999)}${index % 10}` })),
    query: `query ($min: Decimal) { deals(filter: { price: { min: $min } }, orderBy: { field: PRICE }) { totalCount } }`,
    variables: () => ({ min: `${'9'.repeat(999)}5` }),
    data: (count) => ({ deals: { totalCount: count / 2 } }),
    turns: 95,
  },
  {
    name: 'a decimal of upstream with very many digits is an error of its field',
    size: { counted: 10_000, measured: 1_000_000 },
    list: (digits) => rows(10, (index) => ({ price: index === 3 ? '1'.repeat(digits) : `${index}` })),
    query: '{ deals(first: 10, orderBy: { field: PRICE, direction: DESC }) { nodes { upstreamId price } } }',
    data: () => ({
      deals: {
        nodes: [9, 8, 7, 6, 5, 4, 2, 1, 0, null].map((price) => ({
          upstreamId: `${(price ?? 3) + 1}`,
          price: price === null ? null : `${price}`,
        })),
      },
    }),
    errors: () => ['1,000 digits'],
  },
  {
    name: 'eighty texts are looked for in rows with accents',
    size: { counted: 500, measured: 5_000 },
    list: (count) =>
      rows(count, (index) => ({
        title: `${ACCENTED}${index}`,
        content: `${ACCENTED.repeat(30)}koniec ${index}.`,
      })),
    query: `{ ${times(4, (alias) => {
      const alternatives = times(20, (at) => `{ text: "KONIEC ${alias + 1}${at}." }`);
      return `a${alias}: posts(filter: { anyOf: [${alternatives.join(' ')}] }) { totalCount }`;
    }).join(' ')} }`,
    data: () => Object.fromEntries(times(4, (alias) => [`a${alias}`, { totalCount: 20 }])),
    turns: 170,
  },
  {
    name: 'many rows are ordered',
    size: { counted: 2_048, measured: 40_000 },
    list: (count) => rows(count, (index) => ({ name: `Żółw ${(index * 7919) % count}`, price: `${index}.5` })),
    query: '{ deals(first: 2, orderBy: [{ field: NAME, direction: DESC }, { field: PRICE }]) { nodes { name } } }',
    data: (count) => ({ deals: { nodes: [1, 2].map((last) => ({ name: `Żółw ${count - last}` })) } }),
    turns: 340,
  },
  {
    name: 'words that nearly match everywhere are looked for',
    size: { counted: 20_000, measured: 1_000_000 },
    list: (length) => rows(4, () => ({ title: 'a'.repeat(length) })),
    query: 'query ($text: String) { posts(filter: { text: $text }) { totalCount } }',
    variables: () => ({ text: `${'a'.repeat(100)}b${'a'.repeat(99)}` }),
    data: () => ({ posts: { totalCount: 0 } }),
    turns: 5,
  },
  ...longConditions.map(([name, condition, type, wanted]): LongOperation => ({
    name: `a long list of ${name} is looked for by ${FIELDS} fields`,
    size: { counted: 2_000, measured: 100_000 },
    list: () =>
      rows(64, (index) => ({ email: `Ż${index}`, tags: ['ż'], title: 'Ż', user_id: 7, closed: index % 2 === 0 })),
    query: `query ($wanted: ${type}) { ${times(
      FIELDS,
      (at) => `a${at}: posts(filter: { ${condition}: $wanted, closed: ${at % 2 === 0} }, first: ${at}) { totalCount }`,
    ).join(' ')} }`,
    variables: (count) => ({ wanted: wanted(count) }),
    data: () => Object.fromEntries(times(FIELDS, (at) => [`a${at}`, { totalCount: 0 }])),
    turns: 45,
  })),
  ...hostileLists.map(([name, size, part, turns]): LongOperation => ({
    name: `a list of ${name} comes from upstream`,
    size,
    list: (count) => `[{"id":1}${part.repeat(count)}]`,
    query: '{ posts(first: 1) { totalCount } }',
    data: () => ({ posts: { totalCount: 1 } }),
    errors: (count) => [`${count} of ${count + 1} rows were left out`],
    turns,
  })),
  {
    name: 'rows of which every other one is unreadable come from upstream',
    size: { counted: 5_000, measured: 33_000 },
    list: (count) => `[${times(count, (index) => `{"id":${index}},{},[],null,`).join('')}{"id":"x"}]`,
    query: '{ posts(first: 1) { totalCount } }',
    data: (count) => ({ posts: { totalCount: count + 1 } }),
    errors: (count) => [`${3 * count} of ${4 * count + 1} rows`],
    turns: 75,
  },
  {
    name: 'rows with long numbers come from upstream',
    size: { counted: 5_000, measured: 100_000 },
    list: (count) => `[${times(count, (index) => `{"id":1234567${1e9 + index},"name":"a"},`).join('')}1]`,
    query: '{ posts(first: 1) { totalCount } }',
    data: (count) => ({ posts: { totalCount: count } }),
    errors: (count) => [`1 of ${count + 1} rows`],
    turns: 55,
  },
  {
    name: 'one number of very many digits comes from upstream',
    size: { counted: 300_000, measured: 30_000_000 },
    list: (digits) => `[{"id":1},${'1'.repeat(digits)}]`,
    query: '{ posts(first: 1) { totalCount } }',
    data: () => ({ posts: { totalCount: 1 } }),
    errors: () => ['1 of 2 rows'],
  },
  ...deepAnswers.map(([name, list, errors]): LongOperation => ({
    name: `${name} of very many levels is refused`,
    size: { counted: 250_000, measured: 1_500_000 },
    list,
    query: '{ posts(first: 1) { totalCount } deal(id: 1) { name } }',
    errors: () => errors,
  })),
];
