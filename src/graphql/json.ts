import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from '../builder.ts';
import { isObject, kindOf } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';

// JSON scalars pass values through unchanged: all keys, `__proto__` too, their order, and null as distinct from absent. They
// refuse values that would change: whole numbers that JavaScript would round, and nesting too deep to be printed.

const MAX_LEVELS = 200;

const unsafeNumberMessage = (path: string) => `The whole number at ${path} is beyond 2^53 and would be rounded.`;
const TOO_DEEP_MESSAGE = `The value nests deeper than ${MAX_LEVELS} levels.`;

builder.scalarType('JSON', {
  description:
    'Any JSON value, passed on unchanged. Whole numbers beyond 2^53 are refused: JavaScript would round them.',
  serialize: (value) => assertPassable(value, upstreamError),
  parseValue: (value) => assertPassable(value, inputError),
  parseLiteral: (literal, variables) => {
    refuseUnsafeLiterals(literal);
    return assertPassable(valueFromASTUntyped(literal, variables), inputError);
  },
});

builder.scalarType('JSONObject', {
  description:
    'A JSON object, passed on unchanged. Whole numbers beyond 2^53 are refused: JavaScript would round them.',
  serialize: (value) => assertPassable(assertObject(value, upstreamError), upstreamError),
  parseValue: (value) => assertPassable(assertObject(value, inputError), inputError),
  parseLiteral: (literal, variables) => {
    refuseUnsafeLiterals(literal);
    return assertPassable(assertObject(valueFromASTUntyped(literal, variables), inputError), inputError);
  },
});

type CreateError = (message: string) => Error;
const upstreamError: CreateError = (message) => new BadResponseError(message);
const inputError: CreateError = (message) => new GraphQLError(message);

/**
 * Checks a value from upstream that will be written back to upstream, and returns it.
 *
 * @throws BadResponseError for a number that was rounded when it was parsed, and for nesting beyond 200 levels
 */
export function readExactly<T>(value: T): T {
  return assertPassable(value, upstreamError);
}

function assertObject(value: unknown, createError: CreateError) {
  if (isObject(value)) return value;
  throw createError(`Expected a JSON object, got ${kindOf(value)}.`);
}

/** Checks a value and returns it. Without recursion, because a value may nest deeper than the stack allows. */
function assertPassable<T>(root: T, refuse: CreateError): T {
  const pending: { path: readonly string[]; children: object }[] = [{ path: [], children: { '': root } }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path, children } = next;
    if (path.length > MAX_LEVELS) throw refuse(TOO_DEEP_MESSAGE);
    for (const [key, child] of Object.entries(children)) {
      // Every number beyond 2^53 is whole. One too large for a double was parsed as Infinity, and would be sent as null.
      if (typeof child === 'number' && Math.abs(child) > Number.MAX_SAFE_INTEGER) {
        throw refuse(unsafeNumberMessage([...path, key].slice(1).join('.')));
      }
      if (typeof child === 'object' && child !== null) pending.push({ path: [...path, key], children: child });
    }
  }
  return root;
}

/** Checks the digits of a literal before they are rounded to a JavaScript number. */
function refuseUnsafeLiterals(literal: ValueNode, path: readonly (string | number)[] = []): void {
  if (literal.kind === Kind.INT && !Number.isSafeInteger(Number(literal.value)))
    throw new GraphQLError(unsafeNumberMessage(path.join('.')), { nodes: literal });
  if (literal.kind === Kind.LIST)
    literal.values.forEach((value, index) => refuseUnsafeLiterals(value, [...path, index]));
  if (literal.kind === Kind.OBJECT)
    literal.fields.forEach(({ name, value }) => refuseUnsafeLiterals(value, [...path, name.value]));
}
