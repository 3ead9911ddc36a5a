import { readFileSync } from 'node:fs';
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  isLeafType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { OperationCosts } from '../../src/operation/cost/operation-costs.ts';
import { valueCost } from '../../src/operation/cost/value-sizes.ts';
import { sharedDemo } from '../support/demo.ts';
import { testConfig } from '../support/gateway.ts';
import { servedWith } from '../typed-flex/snapshot-files.ts';

// Values that can be large count in the cost of an operation: 1 for about 256 bytes.

const databases = [
  {
    id: '1',
    code: 'guestbook',
    schema: { fields: { title: 'string', message: 'text', 'sub-title': 'text' }, indexed_fields: [] },
    public_methods: { list: true, create: true },
  },
];
const plain = await servedSchema(testConfig());
const typed = await servedWith(databases);
const anonymous = await servedWith(databases, true);
const schemas = {
  plain: plain.schema,
  subgraph: plain.subgraph().schema,
  typed: typed.schema,
  anonymous: anonymous.schema,
};

interface Leaf {
  readonly at: string;
  readonly parent: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}

/** The fields of object types that have values, those of introspection aside. */
function leavesOf(schema: GraphQLSchema): Leaf[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((parent) =>
      Object.values(parent.getFields()).map((field) => ({ at: `${parent.name}.${field.name}`, parent, field })),
    )
    .filter(({ field }) => isLeafType(getNamedType(field.type)));
}

const costAt = ({ parent, field }: Leaf) => valueCost(parent, field, getNamedType(field.type));

/** Names of fields whose values people write at length. */
const LONG = /^(?:content|description|note|titleNote|abstract|answer|response|report|sensitiveData|text\d+)$/;

describe.each(Object.entries(schemas))('in the schema %s', (_name, schema) => {
  test('each field of JSON counts', () => {
    const json = leavesOf(schema).filter(({ field }) => getNamedType(field.type).name.startsWith('JSON'));
    expect(json.filter((leaf) => costAt(leaf) === 0).map(({ at }) => at)).toEqual([]);
  });

  test('each field of long texts counts', () => {
    const long = leavesOf(schema).filter(
      ({ field }) => LONG.test(field.name) || /\blong(?:er)? (?:text|note)\b/i.test(field.description ?? ''),
    );
    expect(long.filter((leaf) => costAt(leaf) === 0).map(({ at }) => at)).toEqual([]);
  });
});

test('each listed field exists', () => {
  const leaves = new Set(leavesOf(plain.schema).map(({ at }) => at));
  const table = readFileSync('src/operation/cost/value-sizes.ts', 'utf8');
  const listed = Array.from(table.matchAll(/\['(\w+\.\w+)', /g), ([, at = '']) => at);
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.filter((at) => !leaves.has(at))).toEqual([]);
});

function costOf(schema: GraphQLSchema, query: string): number {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return new OperationCosts(testConfig()).of({ schema, document }).requested;
}

test.each<[query: string, cost: number]>([
  ['{ posts(first: 100) { nodes { title } } }', 101],
  ['{ posts(first: 100) { nodes { title content } } }', 1 + 100 * 5],
  ['{ posts(first: 100) { nodes { a: content b: content } } }', 1 + 100 * 9],
  ['{ posts(first: 100) { nodes { ...p ...p } } } fragment p on Post { content }', 1 + 100 * 9],
  ['{ posts(first: 10) { nodes { comments(first: 5) { nodes { content } } } } }', 1 + 10 * (1 + 1 + 5 * 5)],
  ['{ clients(first: 10) { nodes { note description customFields { text1 string1 } } } }', 1 + 10 * (1 + 2 + 1 + 1)],
  ['{ flexDbs { name schema } }', 10 * 9],
  ['{ flexDb(id: 1) { records(first: 50) { nodes { data } } } }', 1 + 1 + 50 * 5],
  ['{ dashboards { layout { config { raw } } } }', 10 * (1 + 10 * 3)],
])('%s costs %i', (query, cost) => {
  expect(costOf(plain.schema, query)).toBe(cost);
});

test('long texts of typed databases count, under names of their own, too', () => {
  const rows = (fields: string) => costOf(typed.schema, `{ guestbook { rows { nodes { ${fields} } } } }`);
  expect(rows('title')).toBe(2 + 20);
  expect(rows('message')).toBe(2 + 20 * 3);
  expect(rows('subTitle')).toBe(2 + 20 * 3);
  expect(rows('extra')).toBe(2 + 20 * 5);
});

test('the text of a subgraph counts by the size of the schema', () => {
  const { sdl, schema } = plain.subgraph();
  const cost = costOf(schema, '{ _service { sdl } }');
  expect(cost / (sdl.length / 256)).toBeGreaterThan(0.7);
  expect(cost / (sdl.length / 256)).toBeLessThan(1.5);
});

test('pages of apps stay far below MAX_COST, and large values under many aliases do not', () => {
  const { MAX_COST } = testConfig();
  const page =
    '{ posts(first: 100) { nodes { id title content client { name note } comments(first: 10) { nodes { content } } } } }';
  expect(costOf(plain.schema, page)).toBeLessThan(MAX_COST / 20);
  const aliases = Array.from({ length: 49 }, (_, index) => `a${index}: content b${index}: answer`).join(' ');
  expect(costOf(plain.schema, `{ posts(first: 1000) { nodes { ${aliases} } } }`)).toBeGreaterThan(MAX_COST);
});

describe('in the demo data', () => {
  const gateway = sharedDemo();

  /** All values of a type that need no argument. */
  const valuesOf = (type: string) =>
    leavesOf(plain.schema)
      .filter(({ parent, field }) => parent.name === type && !field.args.some(isRequiredArgument))
      .map(({ field }) => field.name)
      .join(' ');

  test('a value has no more bytes on average than its cost says', async () => {
    const { execute } = await gateway();
    const { data } = await execute(`{
      posts(first: 500) { nodes { __typename ${valuesOf('Post')} help { __typename content } } }
      clients(first: 500) { nodes { __typename ${valuesOf('Client')} customFields { __typename ${valuesOf('ClientCustomFields')} } } }
      deals(first: 500) { nodes { __typename ${valuesOf('Deal')} } }
      forumPosts { nodes { __typename content comments { __typename text } } }
      flexDbs { __typename ${valuesOf('FlexDb')} records(first: 200) { nodes { __typename data } } }
      dashboards { __typename name layout { config { __typename raw } } }
    }`);
    const bytes = new Map<string, number[]>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (Array.isArray(value)) return value.forEach(collect);
      const { __typename: type, ...fields }: Record<string, unknown> = { ...value };
      for (const [name, inner] of Object.entries(fields)) {
        const at = `${String(type)}.${name}`;
        const isValue = type !== undefined && (typeof inner === 'string' || leavesAt.has(at));
        if (!isValue) collect(inner);
        else if (inner !== null) bytes.set(at, [...(bytes.get(at) ?? []), Buffer.byteLength(JSON.stringify(inner))]);
      }
    };
    collect(data);
    const tooLarge = [...bytes].filter(([at, sizes]) => {
      const leaf = leavesAt.get(at);
      const average = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      return !leaf || average > Math.max(64, 256 * costAt(leaf));
    });
    expect(bytes.size).toBeGreaterThan(40);
    expect(tooLarge.map(([at]) => at)).toEqual([]);
  });

  const leavesAt = new Map(leavesOf(plain.schema).map((leaf) => [leaf.at, leaf]));
});
