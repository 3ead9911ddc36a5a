import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from '../builder.ts';
import { isObject, kindOf } from '../http/formats/decode.ts';
import { BadResponseError } from '../http/errors.ts';
import { hasDigits, isExact } from '../http/formats/leaves.ts';
import { wasLongNumber } from '../http/formats/long-numbers.ts';

// JSON scalars pass values through unchanged: all keys, `__proto__` too, their order, and null as distinct from absent. In
// responses, whole numbers beyond 2^53 are texts of their digits, see long-numbers.ts. Input that would change is refused:
// numbers that JavaScript would round, and nesting too deep to be printed.

const MAX_LEVELS = 200;

const roundedMessage = (path: string) =>
  `The whole number at ${path} is beyond 2^53 and would be rounded: send it as a text.`;
const infiniteMessage = (path: string) => `The number at ${path} is too large to be read.`;
const rewrittenMessage = (path: string) =>
  `The whole number at ${path} is beyond 2^53: written back, it would become a text. Send its new value with the change.`;
const TOO_DEEP_MESSAGE = `The value nests deeper than ${MAX_LEVELS} levels.`;

const NUMBERS_NOTE =
  'A whole number beyond 2^53, which JavaScript would round, is read as a text of its digits. In input it is refused: send ' +
  'it as a text.';

builder.scalarType('JSON', {
  description: `Any JSON value, passed on unchanged. ${NUMBERS_NOTE}`,
  serialize: (value) => assertPassable(value, upstreamError, problemOfResult),
  parseValue: (value) => assertPassable(value, inputError, problemOfVariable),
  parseLiteral: (literal, variables) => {
    refuseRoundedLiterals(literal);
    return assertPassable(valueFromASTUntyped(literal, variables), inputError, problemOfResult);
  },
});

builder.scalarType('JSONObject', {
  description: `A JSON object, passed on unchanged. ${NUMBERS_NOTE}`,
  serialize: (value) => assertPassable(assertObject(value, upstreamError), upstreamError, problemOfResult),
  parseValue: (value) => assertPassable(assertObject(value, inputError), inputError, problemOfVariable),
  parseLiteral: (literal, variables) => {
    refuseRoundedLiterals(literal);
    const value = assertObject(valueFromASTUntyped(literal, variables), inputError);
    return assertPassable(value, inputError, problemOfResult);
  },
});

type CreateError = (message: string) => Error;
const upstreamError: CreateError = (message) => new BadResponseError(message);
const inputError: CreateError = (message) => new GraphQLError(message);

/**
 * Checks an object from upstream that will be written back to upstream, and returns it.
 *
 * @param replaced keys whose values will not be written back
 * @throws BadResponseError for a whole number beyond 2^53, which would be written as a text, and for nesting beyond 200
 * levels
 */
export function readExactly<T extends object>(value: T, replaced: readonly string[] = []): T {
  return assertPassable(value, upstreamError, (child, key, holder) => {
    const isRewritten = wasLongNumber(holder, key) && !(holder === value && replaced.includes(key));
    return isRewritten ? rewrittenMessage : problemOfResult(child);
  });
}

function assertObject(value: unknown, createError: CreateError) {
  if (isObject(value)) return value;
  throw createError(`Expected a JSON object, got ${kindOf(value)}.`);
}

/** Tells why a value cannot be passed on: a message for its path. Undefined when it can. */
type ProblemOf = (value: unknown, key: string, holder: object) => ((path: string) => string) | undefined;

const problemOfResult = (value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? infiniteMessage : undefined;

/**
 * A number of the request's JSON. One between 2^53 and 1e21 may have been rounded when it was parsed: `1e16` and
 * `10000000000000001` are the same number. Callers write larger ones with an exponent, as JavaScript does.
 */
function problemOfVariable(value: unknown) {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined;
  return Math.abs(value) >= 1e21 && isExact(value) ? undefined : roundedMessage;
}

/** Checks a value and returns it. Without recursion, because a value may nest deeper than the stack allows. */
function assertPassable<T>(root: T, refuse: CreateError, problemOf: ProblemOf): T {
  const pending: { path: readonly string[]; children: object }[] = [{ path: [], children: { '': root } }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path, children } = next;
    if (path.length > MAX_LEVELS) throw refuse(TOO_DEEP_MESSAGE);
    for (const [key, child] of Object.entries(children)) {
      const problem = problemOf(child, key, children);
      if (problem) throw refuse(problem([...path, key].slice(1).join('.')));
      if (typeof child === 'object' && child !== null) pending.push({ path: [...path, key], children: child });
    }
  }
  return root;
}

/** Checks the digits of a literal before they are rounded to a JavaScript number. */
function refuseRoundedLiterals(literal: ValueNode, path: readonly (string | number)[] = []): void {
  if ((literal.kind === Kind.INT || literal.kind === Kind.FLOAT) && isRounded(literal.value))
    throw new GraphQLError(roundedMessage(path.join('.')), { nodes: literal });
  if (literal.kind === Kind.LIST)
    literal.values.forEach((value, index) => refuseRoundedLiterals(value, [...path, index]));
  if (literal.kind === Kind.OBJECT)
    literal.fields.forEach(({ name, value }) => refuseRoundedLiterals(value, [...path, name.value]));
}

/** Whether the number is beyond 2^53 and loses digits as a JavaScript number. */
function isRounded(number: string): boolean {
  const size = Math.abs(Number(number));
  return size > Number.MAX_SAFE_INTEGER && (size === Infinity || !hasDigits(number, 15));
}
