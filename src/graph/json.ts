import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from './builder.ts';
import { isObject, kindOf } from '../formats/decode.ts';
import { asError, BadResponseError } from '../errors.ts';
import { hasDigits, isExact } from '../formats/leaves.ts';
import { wasLongNumber } from '../formats/long-numbers.ts';

// JSON scalars pass values through unchanged: all keys, `__proto__` too, their order, and null as distinct from absent. In
// responses, numbers that JavaScript would round are texts of their digits, see long-numbers.ts. Input that would change is refused:
// numbers that JavaScript would round, and nesting too deep to be printed.

const MAX_LEVELS = 200;

const roundedMessage = (path: string) =>
  `The whole number at ${path} is beyond 2^53 and would be rounded: send it as a text.`;
const infiniteMessage = (path: string) => `The number at ${path} is too large to be read.`;
const rewrittenMessage = (path: string) =>
  `The number at ${path} has more digits than JavaScript holds: written back, it would become a text. Send its new value with the change.`;
const TOO_DEEP_MESSAGE = `The value nests deeper than ${MAX_LEVELS} levels.`;

const NUMBERS_NOTE =
  'A number that JavaScript would round, such as `9007199254740993` or `0.1234567890123456789`, is read as a text of its ' +
  'digits. In input a whole number beyond 2^53 is refused: send it as a text.';

builder.scalarType('JSON', {
  description: `Any JSON value, passed on unchanged. ${NUMBERS_NOTE}`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => serialized(value),
  extensions: { measure: measureResult },
  parseValue: (value) => assertPassable(value, inputError, problemOfVariable),
  parseLiteral: (literal, variables) => {
    refuseRoundedLiterals(literal);
    return assertPassable(valueOf(literal, variables), inputError, problemOfResult);
  },
});

builder.scalarType('JSONObject', {
  description: `A JSON object, passed on unchanged. ${NUMBERS_NOTE}`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  serialize: (value) => serialized(assertObject(value, upstreamError)),
  extensions: { measure: (value: object) => measureResult(assertObject(value, upstreamError)) },
  parseValue: (value) => assertPassable(assertObject(value, inputError), inputError, problemOfVariable),
  parseLiteral: (literal, variables) => {
    refuseRoundedLiterals(literal);
    const value = assertObject(valueOf(literal, variables), inputError);
    return assertPassable(value, inputError, problemOfResult);
  },
});

/**
 * Returns the value of a literal. A variable that was not given has none: graphql would find one for `$toString` among the methods
 * of the object that holds the variables.
 */
function valueOf(literal: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): unknown {
  return valueFromASTUntyped(literal, Object.assign(Object.create(null), variables));
}

type CreateError = (message: string) => Error;
const upstreamError: CreateError = (message) => new BadResponseError(message);
const inputError: CreateError = (message) => new GraphQLError(message);

/**
 * Checks an object from upstream that will be written back to upstream, and returns it.
 *
 * @param replaced keys whose values will not be written back
 * @throws BadResponseError for a number that JavaScript would round, which would be written as a text, and for nesting beyond
 * 200 levels
 */
export function readExactly<T extends object>(value: T, replaced: readonly string[] = []): T {
  return assertPassable(value, upstreamError, (child, key, holder) => {
    const isRewritten = wasLongNumber(holder, key) && !(holder === value && replaced.includes(String(key)));
    return isRewritten ? rewrittenMessage : problemOfResult(child);
  });
}

function assertObject(value: unknown, createError: CreateError) {
  if (isObject(value)) return value;
  throw createError(`Expected a JSON object, got ${kindOf(value)}.`);
}

/** Tells why a value cannot be passed on: a message for its path. Undefined when it can. */
type ProblemOf = (value: unknown, key: string | number, holder: object) => ((path: string) => string) | undefined;

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

/** A list or an object on the way to the value that is checked. */
interface Level {
  readonly holder: object;
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** The position of the next value. */
  next: number;
}

function levelOf(holder: object): Level {
  if (Array.isArray(holder)) return { holder, keys: undefined, length: holder.length, next: 0 };
  const keys = Object.keys(holder);
  return { holder, keys, length: keys.length, next: 0 };
}

/**
 * Checks a value and returns it. Without recursion, because a value may nest deeper than the stack allows, and without paths
 * until one is told, because it may have millions of parts.
 */
function assertPassable<T>(root: T, refuse: CreateError, problemOf: ProblemOf): T {
  const levels = [levelOf({ '': root })];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (level.next === level.length) {
      levels.pop();
      continue;
    }
    const key = keyAt(level, level.next);
    level.next += 1;
    const child: unknown = Reflect.get(level.holder, key);
    const problem = problemOf(child, key, level.holder);
    if (problem) throw refuse(problem(pathOf(levels)));
    if (typeof child !== 'object' || child === null) continue;
    if (levels.length > MAX_LEVELS) throw refuse(TOO_DEEP_MESSAGE);
    levels.push(levelOf(child));
  }
  return root;
}

function keyAt({ keys }: Level, position: number): string | number {
  return keys?.[position] ?? position;
}

/** The path of the value that was looked at last. */
function pathOf(levels: readonly Level[]): string {
  const keys = levels.map((level) => keyAt(level, level.next - 1));
  return keys.slice(1).join('.');
}

/**
 * The sizes of large objects that were measured, or why they cannot be passed on. Aliases repeat an object, operations that share a
 * read have the same ones, and none is ever changed.
 */
const measured = new WeakMap<object, number | BadResponseError>();

/** Smaller objects are measured each time: that takes no longer than to look them up. */
const LARGE_CHARACTERS = 4_096;

/** Checks an object of a response as `assertPassable` does, and counts the characters of its JSON, escapes not counted. */
function measureResult(value: object): number {
  const known = measured.get(value);
  if (typeof known === 'number') return known;
  if (known) throw new BadResponseError(known.message);
  const size = sizeOf(value, MAX_LEVELS);
  if (Number.isNaN(size)) throw refusalOf(value);
  if (size > LARGE_CHARACTERS) measured.set(value, size);
  return size;
}

/** Checks a value of a response as `measureResult` does, for the standard executor, which measures nothing. */
function serialized(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return assertPassable(value, upstreamError, problemOfResult);
  measureResult(value);
  return value;
}

/** The error for an object that cannot be passed on. It says where. */
function refusalOf(value: object): Error {
  try {
    assertPassable(value, upstreamError, problemOfResult);
  } catch (error) {
    if (error instanceof BadResponseError) measured.set(value, error);
    return asError(error);
  }
  return new BadResponseError('A value cannot be passed on.');
}

/** NaN for an object that cannot be passed on. */
function sizeOf(holder: object, levels: number): number {
  if (levels === 0) return Number.NaN;
  let size = 2;
  if (Array.isArray(holder)) for (const child of holder) size += 1 + sizeOfChild(child, levels);
  else if (isObject(holder)) for (const key in holder) size += key.length + 4 + sizeOfChild(holder[key], levels);
  return size;
}

function sizeOfChild(child: unknown, levels: number): number {
  if (typeof child === 'string') return child.length + 2;
  if (typeof child === 'object' && child !== null) return sizeOf(child, levels - 1);
  return typeof child === 'number' && !Number.isFinite(child) ? Number.NaN : NUMBER_CHARACTERS;
}

/** Of a number, a boolean or null. */
const NUMBER_CHARACTERS = 4;

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
