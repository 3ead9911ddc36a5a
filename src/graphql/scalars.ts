import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { builder } from '../builder.ts';
import { BadResponseError } from '../http/errors.ts';
import { decimal, integer, isDate, isDateTime, isExact, unexpectedType, plainDecimal } from '../http/formats/leaves.ts';

const isDateOrDateTime = (text: string) => isDate(text) || isDateTime(text);

/** What a scalar of texts accepts, from both sides. */
interface TextScalar {
  readonly description: string;
  /** In an error: "Expected …". */
  readonly wanted: string;
  readonly fits: (text: string) => boolean;
}

const AN_INSTANT = 'an instant such as 2026-03-01T08:00:00Z';

const textScalars = {
  Date: { description: 'A date such as `2026-03-01`.', wanted: 'a date such as 2026-03-01', fits: isDate },
  DateTime: {
    description:
      'An instant in ISO 8601, such as `2026-03-01T08:00:00+02:00`, with the offset that upstream wrote, if it wrote one.',
    wanted: AN_INSTANT,
    fits: isDateTime,
  },
  DateOrDateTime: {
    description: 'A date such as `2026-03-01`, or an instant in ISO 8601 such as `2026-03-01T08:00:00Z`.',
    wanted: `a date such as 2026-03-01, or ${AN_INSTANT}`,
    fits: isDateOrDateTime,
  },
} satisfies Record<string, TextScalar>;

for (const name of ['Date', 'DateTime', 'DateOrDateTime'] as const) {
  const { description, wanted, fits }: TextScalar = textScalars[name];
  const parseText = (value: unknown, literal?: ValueNode): string => {
    if (typeof value === 'string' && fits(value)) return value;
    throw invalidValue(wanted, literal);
  };
  builder.scalarType(name, {
    description,
    serialize: (value) => {
      if (typeof value === 'string' && fits(value)) return value;
      throw unexpectedType(wanted.replace(/ such as [^,]+/g, ''), value);
    },
    parseValue: (value) => parseText(value),
    parseLiteral: (literal) => parseText(literal.kind === Kind.STRING ? literal.value : undefined, literal),
  });
}

builder.scalarType('Decimal', {
  description:
    'An exact decimal as a text, such as `"19.90"`. A number is taken, too, but no whole one beyond 2^53, and no other of more than 15 digits.',
  serialize: (value) => decimal(value),
  parseValue: (value) => givenDecimal(typeof value === 'number' && isExact(value) ? String(value) : value),
  parseLiteral: (literal) => givenDecimal('value' in literal ? literal.value : undefined, literal),
});

function givenDecimal(value: unknown, literal?: ValueNode): string {
  const plain = typeof value === 'string' ? plainDecimal(value) : undefined;
  if (plain !== undefined) return plain;
  throw invalidValue('a decimal such as "19.90"', literal);
}

builder.scalarType('SafeInt', {
  description: 'A whole number within ±(2^53 − 1), beyond what `Int` holds.',
  serialize: (value) => integer(value),
  parseValue: (value) => givenInteger(value),
  parseLiteral: (literal) => givenInteger(literal.kind === Kind.INT ? Number(literal.value) : undefined, literal),
});

function givenInteger(value: unknown, literal?: ValueNode): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw invalidValue('a whole number within ±(2^53 − 1)', literal);
}

builder.scalarType('Password', {
  description: 'A secret text that is only ever taken in. No error shows it.',
  serialize: () => {
    throw new BadResponseError('A password is never given out.');
  },
  parseValue: (value) => givenSecret(value),
  parseLiteral: (literal) => givenSecret(literal.kind === Kind.STRING ? literal.value : undefined, literal),
});

function givenSecret(value: unknown, literal?: ValueNode): string {
  if (typeof value === 'string') return value;
  throw invalidValue('a text', literal);
}

/** The value itself is never shown: it may be a secret that was put into the wrong place. */
function invalidValue(wanted: string, literal: ValueNode | undefined): GraphQLError {
  return new GraphQLError(`Expected ${wanted}.`, literal && { nodes: literal });
}
