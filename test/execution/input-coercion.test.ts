import { getArgumentValues } from '@graphql-tools/utils';
import {
  buildSchema,
  coerceInputValue,
  type FieldNode,
  type GraphQLError,
  getVariableValues,
  type GraphQLInputType,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  parse,
  parseType,
  typeFromAST,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { coercionFor, FieldArguments, VariableCoercion } from '../../src/execution/input-coercion.ts';

// Values are coerced as graphql coerces them, which is the judge of each case here.

const schema = buildSchema(`
  enum Color { RED BLUE }
  input Point { x: Int! y: Int = 2 color: Color = RED label: String tags: [String!] }
  input Tree { name: ID below: [Tree!] point: Point rows: [[Int]] }
  input Either @oneOf { id: ID point: Point }
  type Query {
    field(needed: Int!, color: Color = BLUE, point: Point, ids: [ID!], even: Boolean! = true, late: Int): String
  }
`);

const types = ['Int', 'Int!', 'ID', 'Boolean!', 'Color', '[Int!]', '[[Int]]!', 'Point', 'Tree!', 'Either'];

const values: unknown[] = [
  ...[null, 0, 1, -1.5, 2 ** 40, true, '', 'RED', 'GREEN', '7', 'constructor'],
  ...[[], [1], [null], ['a', 'b'], [[1, null], []], [[[1]]], {}, [{}], { length: 1 }],
  ...[{ x: 1 }, { x: null }, { x: '1' }, { y: 1 }, { label: 'l', x: 1 }, { x: 1, y: null, color: null, tags: 'one' }],
  ...[{ tags: [null], x: 1 }, { x: 1, z: 1 }, { x: 1, toString: 1 }, JSON.parse('{"x":1,"__proto__":{"y":1}}')],
  ...[{ point: { x: 1 }, name: 3 }, { below: { below: [{ point: { x: 2, color: 'BLUE' } }] } }, { below: [null] }],
  ...[{ id: 1 }, { id: null }, { id: 1, point: { x: 1 } }, { point: { y: 1 } }, { id: 'a', other: 1 }],
];

function inputType(text: string): GraphQLInputType {
  const type = typeFromAST(schema, parseType(text));
  if (!isInputType(type)) throw new Error(`${text} is no input type.`);
  return type;
}

/** The result of a coercion as JSON, with its order of fields; "refused" when it throws. */
function resultOf(coerce: () => unknown): string | undefined {
  try {
    return JSON.stringify(coerce());
  } catch {
    return 'refused';
  }
}

test.each(types)('values of the type %s', (text) => {
  const type = inputType(text);
  const coerce = coercionFor(type);
  const results = values.map((value) => resultOf(() => coerce(value)));
  const expected = values.map((value) => resultOf(() => coerceInputValue(value, type)));
  expect(results).toEqual(expected);
  expect(new Set(results).size).toBeGreaterThan(1); // some are refused, others are not
});

function operation(text: string): OperationDefinitionNode {
  const [definition] = parse(text).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('Expected an operation.');
  return definition;
}

/** The message of graphql without the value in it, and without suggestions: ours has neither. */
const messageOf = ({ message }: GraphQLError) =>
  message.replace(/ got invalid value .*?(?= at "|; )/, ' got an invalid value').replace(/ Did you mean .*$/, '');

describe('variables', () => {
  const query = 'query ($needed: Int!, $color: Color = BLUE, $point: Point, $late: Int! = 3) { __typename }';

  test.each<Record<string, unknown>>([
    {},
    { needed: 1 },
    { needed: null },
    { needed: 1, color: null, point: null },
    { needed: 1, late: null },
    { needed: 1, late: 4, point: { x: 1 } },
    { needed: 1, other: true },
    { needed: 'no' },
    Object.create({ needed: 1 }),
  ])('%j', (given) => {
    const node = operation(query);
    const { coerced, errors } = getVariableValues(schema, node.variableDefinitions ?? [], given);
    const own = new VariableCoercion(schema, node).coerce(given);
    expect(JSON.stringify(own.values)).toBe(JSON.stringify(coerced));
    expect(own.errors?.map(messageOf)).toEqual(errors?.map(messageOf));
  });

  const needed = 'query ($point: Point, $tree: Tree, $points: [Point!], $either: Either) { __typename }';

  test.each<Record<string, unknown>>([
    { point: { y: 1 } },
    { point: { x: 1, z: 1, toString: 2 } },
    { point: [] },
    { point: { x: 1, color: 'GREEN' } },
    { points: [{ x: 1 }, { x: 'no' }, null] },
    { tree: { below: [{ name: 1 }, { point: { x: 1, tags: [null] } }] }, point: 1 },
    { either: {} },
    { either: { id: 1, point: { x: 1 } } },
    { either: { id: null } },
  ])('%j is refused at the places, and for the reasons, that graphql finds', (given) => {
    const node = operation(needed);
    const { errors } = getVariableValues(schema, node.variableDefinitions ?? [], given);
    const own = new VariableCoercion(schema, node).coerce(given).errors ?? [];
    expect(own.map(messageOf)).toEqual(errors?.map(messageOf));
    expect(own.map(({ nodes }) => nodes)).toEqual(errors?.map(({ nodes }) => nodes));
  });

  test('at most ten reasons are told, and the value is read no further', () => {
    const read: number[] = [];
    const points = Array.from({ length: 100 }, (_none, at) => ({
      get y() {
        read.push(at);
        return 'no';
      },
    }));
    const { errors = [] } = new VariableCoercion(schema, operation(needed)).coerce({ points, tree: 1 });
    expect(errors.map(messageOf).slice(-2)).toEqual([
      expect.stringContaining('at "points[4]"'),
      'Too many errors processing variables, error limit reached. Execution aborted.',
    ]);
    expect(errors).toHaveLength(11);
    expect(Math.max(...read)).toBeLessThan(10);
  });

  test('a variable with the name of the prototype is an own value', () => {
    const coerced = new VariableCoercion(schema, operation('query ($__proto__: Point) { __typename }')).coerce(
      JSON.parse('{ "__proto__": { "x": 1 } }'),
    ).values;
    expect(Object.keys(coerced ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(coerced)).toBeNull();
  });
});

describe('arguments', () => {
  const variables = [{}, { a: 1 }, { a: null }, { a: 1, b: null }, { a: 2, b: { x: 1, y: 2 }, ids: ['1'] }];

  test.each([
    'field',
    'field(needed: 1)',
    'field(needed: null)',
    'field(needed: "no")',
    'field(needed: 1, color: RED, point: { x: 1 }, ids: "a", even: false)',
    'field(needed: 1, color: null, late: null)',
    'field(needed: 1, even: null)',
    'field(needed: $a)',
    'field(needed: 1, even: $a, late: $a)',
    'field(needed: $a, point: $b)',
    'field(late: $a, needed: $a, point: { x: $a })',
    'field(needed: 1, ids: $ids)',
    'field(needed: 1, ids: [$a])',
    'field(needed: 1, color: $missing, even: $missing)',
  ])('%s', (text) => {
    const definition = schema.getQueryType()?.getFields()['field'];
    const [node] = operation(`{ ${text} }`).selectionSet.selections;
    if (!definition || node?.kind !== Kind.FIELD) throw new Error('Expected a field.');
    const field: FieldNode = node;
    const planned = new FieldArguments(definition, field);
    for (const given of variables) {
      const expected = resultOf(() => getArgumentValues(definition, field, given));
      expect(resultOf(() => planned.constant ?? planned.coerce(given))).toBe(expected);
    }
  });
});
