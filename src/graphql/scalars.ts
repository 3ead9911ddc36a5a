import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { builder } from '../builder.ts';
import { kindOf } from '../http/decode.ts';
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
