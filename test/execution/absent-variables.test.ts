import { inspect } from 'node:util';
import { createYoga, isAsyncIterable } from 'graphql-yoga';
import {
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  isInputType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { schema as gatewaySchema } from '../../src/apis/schema.ts';
import { executePlan } from './execute-plan.ts';

// A variable that was not given has no value, also where it is called like something that every object has.

const JsonScalar = gatewaySchema.getType('JSON');
if (!isInputType(JsonScalar)) throw new Error('The schema has no scalar JSON.');

/** A scalar that graphql reads, as a package may bring it. */
const Any = new GraphQLScalarType({ name: 'Any' });

const Input = new GraphQLInputObjectType({
  name: 'Input',
  fields: { json: { type: JsonScalar }, any: { type: Any }, text: { type: GraphQLString, defaultValue: 'text' } },
});

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      seen: {
        type: GraphQLString,
        args: {
          json: { type: JsonScalar },
          any: { type: Any },
          text: { type: GraphQLString },
          numbers: { type: new GraphQLList(GraphQLInt) },
          input: { type: Input },
        },
        resolve: (_root, args) => `${JSON.stringify(args)} ${inspect(typesOf(args), { depth: null })}`,
      },
    },
  }),
});

/** The types of all values within a value, which JSON would leave out. */
function typesOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, child]) => [key, typesOf(child)]);
}

const { execute: executeStandard } = createYoga({ schema, maskedErrors: false, logging: false }).getEnveloped();

const NAMES = ['toString', 'constructor', 'hasOwnProperty', '__proto__', '__defineGetter__', 'absent'];

const resultOf = async (result: unknown) => {
  const settled = await result;
  if (isAsyncIterable(settled)) throw new Error('The result is in parts.');
  return JSON.stringify(settled);
};

const given = (query: string, name: string) => ({
  schema,
  document: parse(`query ${query.replaceAll('$v', `$${name}`)}`),
  variableValues: {},
});

describe.each(NAMES)('$%s', (name) => {
  test.each([
    '($v: JSON) { seen(json: { a: $v }) }',
    '($v: JSON) { seen(json: [{ b: [$v] }]) }',
    '($v: JSON) { seen(json: $v) }',
    '($v: String) { seen(text: $v) }',
    '($v: Int) { seen(numbers: [$v, 1]) }',
    '($v: JSON) { seen(input: { json: { a: $v } }) }',
    '($v: JSON, $other: String) { seen(input: { json: $v, text: $other }) }',
    '($v: String) { seen(input: { text: $v }) }',
    '($v: Input) { seen(input: $v) }',
  ])('has no value in %s, in both executors', async (query) => {
    expect(validate(schema, given(query, name).document)).toEqual([]);
    const expected = await resultOf(executeStandard(given(query, 'plain')));

    expect(await resultOf(executePlan(given(query, name)))).toEqual(expected);
    expect(await resultOf(executeStandard(given(query, name)))).toEqual(expected);
  });

  test('has no value in a scalar that graphql reads', async () => {
    const query = '($v: Any) { seen(any: { a: $v }, input: { any: [$v] }) }';
    expect(await resultOf(executePlan(given(query, name)))).toEqual(await resultOf(executePlan(given(query, 'plain'))));
  });
});

test('no such value is written to upstream', async () => {
  const { execute, sent } = await gatewayOverAnswers({ 'PATCH /toolkit/dashboards/1.json': { id: 1 } });
  const variables = '$toString: JSON, $__proto__: JSON, $constructor: JSON';
  const raw = '{ a: $toString, b: [$__proto__], c: { d: $constructor } }';

  const { errors } = await execute(
    `mutation (${variables}) { updateDashboard(id: 1, input: { layout: [{ key: "geo_map", config: { raw: ${raw} } }] }) { __typename } }`,
  );

  expect(errors).toEqual([]);
  expect(sent).toEqual(['{"dashboard":{"layout":[{"key":"geo_map","config":{"b":[null],"c":{}}}]}}']);
});
