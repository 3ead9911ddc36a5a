import { GraphQLError, GraphQLID, Kind, type ValueNode } from 'graphql';
import { builder } from './builder.ts';
import { BadResponseError } from '../errors.ts';
import { isDate, isDateTime, readDate, readDateOrDateTime, readDateTime } from '../formats/dates.ts';
import { decimal, DIGITS_BOUND, integer, isExact, isTooLong, plainDecimal, unexpectedType } from '../formats/leaves.ts';

const isDateOrDateTime = (text: string) => isDate(text) || isDateTime(text);

/** A scalar of texts. Callers write it in one form; upstream may have others. */
interface TextScalar {
  readonly description: string;
  /** The address of a published specification of the text. */
  readonly specifiedByURL: string;
  /** In an error: "Expected …". */
  readonly expected: string;
  readonly isValid: (text: string) => boolean;
  /** Reads a value of upstream into the form that callers write. Undefined when it cannot be read. */
  readonly read: (value: unknown) => string | undefined;
}

/**
 * Instants may lack an offset, and seconds: upstream's do. So do those of ISO 8601, whereas RFC 3339 and the `DateTime` of
 * scalars.graphql.org require both.
 */
const ISO_8601 = 'https://www.iso.org/standard/70907.html';

const INSTANT_EXAMPLE = 'an instant such as 2026-03-01T08:00:00Z';

const textScalars = {
  Date: {
    description: 'A date such as `2026-03-01`.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date',
    expected: 'a date such as 2026-03-01',
    isValid: isDate,
    read: readDate,
  },
  DateTime: {
    description:
      'An instant in ISO 8601, such as `2026-03-01T08:00:00+02:00`. Keeps the offset that upstream sent, which may be none. A date from upstream is its midnight in UTC.',
    specifiedByURL: ISO_8601,
    expected: INSTANT_EXAMPLE,
    isValid: isDateTime,
    read: readDateTime,
  },
  DateOrDateTime: {
    description: 'A date such as `2026-03-01`, or an instant in ISO 8601 such as `2026-03-01T08:00:00Z`.',
    specifiedByURL: ISO_8601,
    expected: `a date such as 2026-03-01, or ${INSTANT_EXAMPLE}`,
    isValid: isDateOrDateTime,
    read: readDateOrDateTime,
  },
  Expiry: {
    description:
      'When something expires: a date such as `2026-03-01`, or an instant in ISO 8601 such as `2026-03-01T08:00:00Z`. ' +
      'As input also an empty text, which means never, like null.',
    specifiedByURL: ISO_8601,
    expected: `a date such as 2026-03-01, or ${INSTANT_EXAMPLE}`,
    isValid: (text) => text === '' || isDateOrDateTime(text),
    read: (value) => (value === '' ? value : readDateOrDateTime(value)),
  },
} satisfies Record<string, TextScalar>;

for (const name of ['Date', 'DateTime', 'DateOrDateTime', 'Expiry'] as const) {
  const { description, specifiedByURL, expected: wanted, isValid: fits, read }: TextScalar = textScalars[name];
  const parseText = (value: unknown, literal?: ValueNode): string => {
    if (typeof value === 'string' && fits(value)) return value;
    throw invalidValue(wanted, literal);
  };
  builder.scalarType(name, {
    description,
    specifiedByURL,
    serialize: (value) => {
      const text = read(value);
      if (text !== undefined) return text;
      throw unexpectedType(wanted.replace(/ such as [^,]+/g, ''), value);
    },
    parseValue: (value) => parseText(value),
    parseLiteral: (literal) => parseText(literal.kind === Kind.STRING ? literal.value : undefined, literal),
  });
}

builder.scalarType('Decimal', {
  description:
    'An exact decimal as a text, such as `"19.90"`. Input may also be a number: a whole one up to 2^53, or one of up to 15 digits. ' +
    `A text has at most ${DIGITS_BOUND}, the zeros of an exponent included.`,
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  serialize: (value) => decimal(value),
  parseValue: (value) => parseDecimal(typeof value === 'number' && isExactInput(value) ? String(value) : value),
  parseLiteral: (literal) => parseDecimal('value' in literal ? literal.value : undefined, literal),
});

/** Whether a number of a request surely has all digits that were sent. Its JSON rounds whole numbers beyond 2^53. */
function isExactInput(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER && isExact(number);
}

function parseDecimal(value: unknown, literal?: ValueNode): string {
  const plain = typeof value === 'string' ? plainDecimal(value) : undefined;
  if (plain !== undefined) return plain;
  const isLong = typeof value === 'string' && isTooLong(value);
  const bound = `a decimal of at most ${DIGITS_BOUND}, the zeros of an exponent included`;
  throw invalidValue(isLong ? bound : 'a decimal such as "19.90"', literal);
}

builder.scalarType('SafeInt', {
  description: 'A whole number within ±(2^53 − 1). `Int` holds 32 bits only.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  serialize: (value) => integer(value),
  parseValue: (value) => parseSafeInt(value),
  parseLiteral: (literal) => parseSafeInt(literal.kind === Kind.INT ? Number(literal.value) : undefined, literal),
});

function parseSafeInt(value: unknown, literal?: ValueNode): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw invalidValue('a whole number within ±(2^53 − 1)', literal);
}

/**
 * Pothos knows no other `ID` than that of graphql, which takes any whole number: also one that was rounded when the JSON of the
 * request was parsed, and names another record then. A number in a document keeps its digits.
 */
const parseId = GraphQLID.parseValue;
GraphQLID.parseValue = (value) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return parseId(value);
  throw invalidValue('an id as a text: as a number it may be a whole one within ±(2^53 − 1)', undefined);
};

builder.scalarType('Password', {
  description: 'A secret text, for input only. No error message shows it.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-7',
  serialize: () => {
    throw new BadResponseError('A password is never given out.');
  },
  parseValue: (value) => parsePassword(value),
  parseLiteral: (literal) => parsePassword(literal.kind === Kind.STRING ? literal.value : undefined, literal),
});

function parsePassword(value: unknown, literal?: ValueNode): string {
  if (typeof value === 'string') return value;
  throw invalidValue('a text', literal);
}

/** Creates the error without the value, which may be a secret in the wrong argument. */
function invalidValue(wanted: string, literal: ValueNode | undefined): GraphQLError {
  return new GraphQLError(`Expected ${wanted}.`, literal && { nodes: literal });
}
