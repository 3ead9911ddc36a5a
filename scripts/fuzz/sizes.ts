import type { Operation } from './callers.ts';
import type { Tape } from './tape.ts';

/** A case of hostile sizes: what callers ask for, and what upstream answers to each call. */
export interface SizedCase {
  readonly operation: Operation;
  readonly body: string;
}

const MB = 1024 ** 2;

/** Characters that take one byte or several, in UTF-8 or as JSON, and such as are folded. */
const TEXTS = ['x', 'é', 'ẳ', '\u0001', '😀', '"', 'e\u0301\u0301'] as const;

/** A size up to a limit: the smallest one on an empty tape, and often the limit itself. */
const sizeOf = (tape: Tape, limit: number) => Math.ceil(limit / tape.pick([1000, 1, 1, 10, 1, 2]));

const textOf = (tape: Tape, length: number) => tape.pick(TEXTS).repeat(length).slice(0, length);

/** `count` selections, each under an alias of its own. */
const aliased = (count: number, selection: string) =>
  Array.from({ length: count }, (_none, index) => `a${index}: ${selection}`).join(' ');

const rowsOf = (count: number, fields: object) =>
  JSON.stringify(Array.from({ length: count }, (_none, index) => ({ id: index + 1, title: 'x', ...fields })));

/** The kinds of cases. */
export const sizedCases = {
  /** One large text of many rows, under many aliases. */
  'large texts': (tape) => {
    const rows = tape.pick([10, 1000, 100]);
    const content = textOf(tape, sizeOf(tape, (11 * MB) / rows));
    const selected = `title ${aliased(tape.pick([1, 49, 10, 49]), 'content')}`;
    const later = tape.once(4) ? `... @defer { nodes { ${selected} } }` : `nodes { ${selected} }`;
    return {
      operation: { query: `{ posts(first: ${rows}) { totalCount ${later} } }` },
      body: rowsOf(rows, { content }),
    };
  },
  /** Objects with many keys, or deep in each other. */
  'large JSON': (tape) => {
    const depth = sizeOf(tape, 3_000);
    const deep = `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
    const keys = Array.from({ length: sizeOf(tape, 20_000) }, (_none, index) => [`key${index}`, index]);
    const data = tape.once(2) ? deep : JSON.stringify(Object.fromEntries(keys));
    const row = `{"id":"1","data":${data}}`;
    const aliases = aliased(tape.pick([1, 49, 10, 49]), 'data');
    const query = `{ flexDb(id: "FlexDb:1") { records(first: 20) { nodes { ${aliases} } } } }`;
    return { operation: { query }, body: `[${Array.from({ length: tape.pick([1, 20]) }, () => row).join(',')}]` };
  },
  /** Many rows, most of which cannot be read. */
  'many rows': (tape) => {
    const row = tape.pick(['{"id":1}', '1', '[]', '{}', 'null', '[[[[[[]]]]]]', '{"id":null}', '"x"']);
    const count = sizeOf(tape, (10 * MB) / (row.length + 1));
    const query = tape.pick([
      '{ clients(first: 100) { nodes { name } } }',
      '{ deals { totalCount } }',
      '{ apiTokens { name } }',
    ]);
    return { operation: { query }, body: `[${`${row},`.repeat(count)}{"id":2}]` };
  },
  /** Numbers of upstream with many digits. */
  'many digits of upstream': (tape) => {
    const digits = '7'.repeat(sizeOf(tape, 8 * MB));
    const number = tape.pick(['1', digits, `0.${digits}`, `-${digits}.5`, `1e${digits}`, `"${digits}"`]);
    const long = Array.from({ length: sizeOf(tape, 200_000) }, () => '12345678901234567890').join(',');
    const deal = tape.once(3) ? `{"id":1,"price":1,"x":[${long}]}` : `{"id":1,"price":${number}}`;
    const query = tape.pick([
      '{ deals { nodes { price } } }',
      '{ deals(orderBy: [{ field: PRICE, direction: ASC }]) { nodes { price } } }',
    ]);
    return { operation: { query }, body: `[${deal},{"id":2,"price":3}]` };
  },
  /** Numbers of arguments with many digits, compared with each row. */
  'many digits of callers': (tape) => {
    const digits = '7'.repeat(sizeOf(tape, 100_000));
    const min = tape.pick([digits, `0.${digits}`, `${digits}.${digits}`, `1e${digits.slice(0, 5)}`, `-${digits}`]);
    const query = 'query Q($min: Decimal) { posts(filter: { spamScore: { min: $min } }) { totalCount } }';
    return { operation: { query, variables: { min } }, body: rowsOf(1000, { spam_score: '0.5' }) };
  },
  /** Many alternatives, and long ones, for rows with long texts. */
  'many alternatives': (tape) => {
    const text = textOf(tape, sizeOf(tape, 10_000));
    const alternatives = Array.from({ length: tape.pick([1, 20, 20, 21]) }, (_none, index) => ({
      text: `${text}${index}`,
    }));
    const lists = aliased(tape.pick([1, 10]), 'posts(filter: { anyOf: $any }) { totalCount }');
    const content = tape.pick(['x', 'ẳ', 'é', 'e\u0301', 'ŻÓŁĆ', 'ä']).repeat(1_000);
    return {
      operation: { query: `query Q($any: [PostAlternative!]) { ${lists} }`, variables: { any: alternatives } },
      body: rowsOf(tape.pick([10, 2000, 2000, 1000]), { title: content, content }),
    };
  },
  /** Small values of a variable, which has another type, or is used nowhere. */
  'variables of many values': (tape) => {
    const count = sizeOf(tape, 300_000);
    const numbered = () => Object.fromEntries(Array.from({ length: count }, (_none, at) => [`key${at}`, 1]));
    const shape = tape.pick<() => unknown>([
      () => numbered(),
      () => Array.from({ length: count }, () => ({})),
      () => Array.from({ length: count }, () => []),
      () => ({ anyOf: Array.from({ length: Math.min(count, 9) }, numbered) }),
      () => JSON.parse(`${'['.repeat(Math.min(count, 3_000))}${']'.repeat(Math.min(count, 3_000))}`),
      () => textOf(tape, count),
      () => ({ [textOf(tape, count)]: 1 }),
    ]);
    const query = tape.pick([
      'query Q($v: ClientFilter) { clients(filter: $v) { totalCount } }',
      'query Q($v: ID!) { node(id: $v) { id } }',
      'query Q($v: [ID!]!) { nodes(ids: $v) { id } }',
      'query Q($v: Int) { clients(first: $v) { totalCount } }',
      'query Q($v: [ClientKind!]) { clients(filter: { kinds: $v }) { totalCount } }',
      'mutation Q($v: JSONObject!) { createFlexRecord(db: "1", input: { data: $v }) { __typename } }',
      'mutation Q($v: [NewClientInput!]!) { createClients(input: $v) { __typename } }',
      '{ __typename }',
    ]);
    return { operation: { query, variables: { v: shape() } }, body: '[]' };
  },
  /** Names that the schema does not have, many or long ones, and literals, in a document or for an interface. */
  'documents of many names': (tape) => {
    const count = sizeOf(tape, 990);
    const name = tape.pick(['x', 'client', 'ClientEdg', 'createDatabase1Table']);
    const names = Array.from(
      { length: count },
      (_none, at) => `${name}${at}${'y'.repeat(tape.pick([0, 90, 250, 2_000]))}`,
    );
    const query = tape.pick<() => string>([
      () => `{ ${names.join(' ')} }`,
      () => `mutation { ${names.join(' ')} }`,
      () => `{ ${names.map((each) => `... on ${each} { id }`).join(' ')} }`,
      () =>
        `{ node(id: "x") { ${names.map((_each, at) => `... on ${at % 2 ? 'Node' : 'MutationError'} { __typename }`).join(' ')} } }`,
      () => `query (${names.map((each) => `$${each}: ${each}`).join(' ')}) { __typename }`,
      () => `{ clients(${names.map((each) => `${each}: 1`).join(' ')}) { totalCount } }`,
      () => `{ clients(filter: { ${names.map((each) => `${each}: 1`).join(' ')} }) { totalCount } }`,
      () => `{ clients(filter: { kinds: [${names.join(' ')}] }) { totalCount } }`,
      () => `{ ${aliased(Math.min(count, 49), 'node(id: "x") { id ... @defer { ... on Node { id } } }')} }`,
      () => `{ clients(filter: { text: """${'\n'.repeat(count * 2_000)}""" }) { totalCount } ${name} }`,
    ]);
    return { operation: { query: query() }, body: '[]' };
  },
  /** Records and lists of many small values. */
  'small values of upstream': (tape) => {
    const part = tape.pick<(at: number) => string>([
      () => '[]',
      () => '{}',
      (at) => `{"id":${at}}`,
      (at) => `{"id":${at},"k${at}":1}`,
      () => '1',
    ]);
    const count = sizeOf(tape, 700_000);
    const parts = `[${Array.from({ length: count }, (_none, at) => part(at)).join(',')}]`;
    const keys = () => `{${Array.from({ length: count }, (_none, at) => `"k${at}":1`).join(',')}}`;
    const body = tape.pick<() => string>([
      () => parts,
      () => `[{"id":1},{"id":2,"data":${parts}},{"id":3}]`,
      () => `{"id":1,"data":${parts}}`,
      () => `[{"id":1},{"id":2,"data":${keys()}},{"id":3}]`,
      () => keys(),
      () => `{"clients":${parts}}`,
    ]);
    const query = tape.pick([
      '{ clients { totalCount } }',
      '{ apiTokens { name } }',
      '{ flexDb(id: "FlexDb:1") { records(first: 20) { nodes { id data } } } }',
    ]);
    return { operation: { query }, body: body() };
  },
  /** Introspection under many aliases. */
  introspection: (tape) => {
    const use = 'name description type { kind name ofType { kind name ofType { kind name } } }';
    const fields = `fields { ${use} args { ${use} } } inputFields { ${use} } enumValues { name }`;
    const [schemas, lists] = [tape.pick([1, 49, 3, 4]), tape.pick([1, 40, 10])];
    const selected = tape.pick([
      aliased(schemas, '__schema { types { ...t } }'),
      `__schema { ${aliased(lists, 'types { ...t }')} }`,
      aliased(schemas, '__type(name: "Query") { fields { name type { ...t } } }'),
      `__schema { types { fields { ${aliased(lists, 'type { ...t }')} } } }`,
    ]);
    const query = `{ ${selected} } fragment t on __Type { kind name description ${fields} }`;
    return { operation: { query }, body: '[]' };
  },
} satisfies Readonly<Record<string, (tape: Tape) => SizedCase>>;

export type SizedName = keyof typeof sizedCases;

/** The names of the kinds. */
export const sizedNames = Object.keys(sizedCases).filter((name): name is SizedName => Object.hasOwn(sizedCases, name));
