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
