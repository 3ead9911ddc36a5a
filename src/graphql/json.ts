import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from '../builder.ts';
import { isObject, kindOf } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';

// JSON scalars pass values through unchanged: all keys, `__proto__` too, their order, and null as distinct from absent. They
// refuse values that would change: whole numbers that JavaScript would round, and nesting too deep to be printed.

const MOST_LEVELS = 200;

const unsafe = (path: string) => `The whole number at ${path} is beyond 2^53 and would be rounded.`;
const tooDeep = `The value nests deeper than ${MOST_LEVELS} levels.`;

builder.scalarType('JSON', {
  description:
    'Any JSON value, passed on unchanged. Whole numbers beyond 2^53 are refused: JavaScript would round them.',
  serialize: (value) => assertPassable(value, fromUpstream),
  parseValue: (value) => assertPassable(value, fromCaller),
  parseLiteral: (literal, variables) => {
    refuseUnsafeLiterals(literal);
    return assertPassable(valueFromASTUntyped(literal, variables), fromCaller);
  },
});

builder.scalarType('JSONObject', {
  description:
    'A JSON object, passed on unchanged. Whole numbers beyond 2^53 are refused: JavaScript would round them.',
  serialize: (value) => assertPassable(objectOr(value, fromUpstream), fromUpstream),
  parseValue: (value) => assertPassable(objectOr(value, fromCaller), fromCaller),
  parseLiteral: (literal, variables) => {
    refuseUnsafeLiterals(literal);
    return assertPassable(objectOr(valueFromASTUntyped(literal, variables), fromCaller), fromCaller);
  },
});

type Refuse = (message: string) => Error;
const fromUpstream: Refuse = (message) => new BadResponseError(message);
const fromCaller: Refuse = (message) => new GraphQLError(message);

/**
 * Checks a value from upstream that will be written back to upstream, and returns it.
 *
 * @throws BadResponseError for a number that was rounded when it was parsed, and for nesting beyond 200 levels
 */
export function readExactly<T>(value: T): T {
  return assertPassable(value, fromUpstream);
}

function objectOr(value: unknown, refuse: Refuse) {
  if (isObject(value)) return value;
  throw refuse(`Expected a JSON object, got ${kindOf(value)}.`);
}

/** Checks a value and returns it. Without recursion, because a value may nest deeper than the stack allows. */
function assertPassable<T>(root: T, refuse: Refuse): T {
  const open: { path: readonly string[]; children: object }[] = [{ path: [], children: { '': root } }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, children } = next;
    if (path.length > MOST_LEVELS) throw refuse(tooDeep);
    for (const [key, child] of Object.entries(children)) {
      // Every number beyond 2^53 is whole. One too large for a double was parsed as Infinity, and would be sent as null.
      if (typeof child === 'number' && Math.abs(child) > Number.MAX_SAFE_INTEGER) {
        throw refuse(unsafe([...path, key].slice(1).join('.')));
      }
      if (typeof child === 'object' && child !== null) open.push({ path: [...path, key], children: child });
    }
  }
  return root;
}

/** Checks the digits of a literal before they are rounded to a JavaScript number. */
function refuseUnsafeLiterals(literal: ValueNode, path: readonly (string | number)[] = []): void {
  if (literal.kind === Kind.INT && !Number.isSafeInteger(Number(literal.value)))
    throw new GraphQLError(unsafe(path.join('.')), { nodes: literal });
  if (literal.kind === Kind.LIST)
    literal.values.forEach((value, index) => refuseUnsafeLiterals(value, [...path, index]));
  if (literal.kind === Kind.OBJECT)
    literal.fields.forEach(({ name, value }) => refuseUnsafeLiterals(value, [...path, name.value]));
}
