import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from '../builder.ts';
import { isObject, kindOf } from '../http/decode.ts';
import { BadResponseError } from '../http/errors.ts';
import { isDate, isDateTime } from '../http/leaves.ts';

const AN_INSTANT = 'an instant such as 2026-03-01T08:00:00Z';
const A_DATE_OR_INSTANT = `a date such as 2026-03-01, or ${AN_INSTANT}`;

builder.scalarType('DateTime', {
  description:
    'An instant in ISO 8601, such as `2026-03-01T08:00:00+02:00`, with the offset that upstream wrote, if it wrote one.',
  serialize: (value) => fromUpstream(value, 'an instant', isDateTime),
  parseValue: (value) => fromCaller(value, AN_INSTANT, isDateTime),
  parseLiteral: (literal) => fromCaller(textOf(literal), AN_INSTANT, isDateTime, literal),
});

builder.scalarType('DateOrDateTime', {
  description: 'A date such as `2026-03-01`, or an instant in ISO 8601 such as `2026-03-01T08:00:00Z`.',
  serialize: (value) => fromUpstream(value, 'a date or an instant', isDateOrDateTime),
  parseValue: (value) => fromCaller(value, A_DATE_OR_INSTANT, isDateOrDateTime),
  parseLiteral: (literal) => fromCaller(textOf(literal), A_DATE_OR_INSTANT, isDateOrDateTime, literal),
});

builder.scalarType('JSONObject', {
  description:
    'A JSON object, passed on unchanged. Whole numbers beyond 2^53 are refused: JavaScript would round them.',
  serialize: (value) => {
    if (!isObject(value)) throw new BadResponseError(`Expected an object, got ${kindOf(value)}.`);
    refuseUnsafeNumbers(value, (path) => new BadResponseError(unsafe(path)));
    return value;
  },
  parseValue: jsonObject,
  parseLiteral: (literal, variables) => {
    refuseUnsafeLiterals(literal);
    return jsonObject(valueFromASTUntyped(literal, variables));
  },
});

function isDateOrDateTime(text: string): boolean {
  return isDate(text) || isDateTime(text);
}

function fromUpstream(value: unknown, wanted: string, fits: (text: string) => boolean): string {
  if (typeof value === 'string' && fits(value)) return value;
  throw new BadResponseError(`Expected ${wanted}, got ${typeof value === 'string' ? 'another text' : kindOf(value)}.`);
}

function fromCaller(value: unknown, wanted: string, fits: (text: string) => boolean, literal?: ValueNode): string {
  if (typeof value === 'string' && fits(value)) return value;
  throw new GraphQLError(`Expected ${wanted}.`, literal && { nodes: literal });
}

function textOf(literal: ValueNode): string | undefined {
  return literal.kind === Kind.STRING ? literal.value : undefined;
}

function jsonObject(value: unknown) {
  if (!isObject(value)) throw new GraphQLError(`Expected a JSON object, got ${kindOf(value)}.`);
  refuseUnsafeNumbers(value, (path) => new GraphQLError(unsafe(path)));
  return value;
}

const unsafe = (path: string) => `The whole number at ${path} is beyond 2^53 and would be rounded.`;

/** Walks without recursion: a caller may nest deeper than the stack is. */
function refuseUnsafeNumbers(root: object, error: (path: string) => Error): void {
  const open: [path: string, value: object][] = [['', root]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    for (const [key, child] of Object.entries(value)) {
      // every number of that size is whole; one that is larger still reads as infinite, and would be sent as null
      if (typeof child === 'number' && Math.abs(child) > Number.MAX_SAFE_INTEGER) throw error(`${path}${key}`);
      if (typeof child === 'object' && child !== null) open.push([`${path}${key}.`, child]);
    }
  }
}

/** A literal is rounded when it becomes a value, so its digits are looked at before. */
function refuseUnsafeLiterals(literal: ValueNode, path: readonly (string | number)[] = []): void {
  if (literal.kind === Kind.INT && !Number.isSafeInteger(Number(literal.value)))
    throw new GraphQLError(unsafe(path.join('.')), { nodes: literal });
  if (literal.kind === Kind.LIST)
    literal.values.forEach((value, index) => refuseUnsafeLiterals(value, [...path, index]));
  if (literal.kind === Kind.OBJECT)
    literal.fields.forEach(({ name, value }) => refuseUnsafeLiterals(value, [...path, name.value]));
}
