import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { unexpectedType } from '../../formats/leaves.ts';

const [MIN, MAX] = [-(2n ** 63n), 2n ** 63n - 1n];

/** A whole number: a number of JavaScript where it holds all digits, else the text of them. */
export type WholeNumber = number | string;

/** Integers of flexible databases. They have 64 bits, and JavaScript would round those beyond 2^53. */
export const BigIntScalar = new GraphQLScalarType<WholeNumber, WholeNumber>({
  name: 'BigInt',
  description:
    'A whole number of 64 bits: a number within ±(2^53 − 1), and the text of its digits beyond, in results and in input.',
  serialize: (value) => {
    const whole = wholeNumber(value);
    if (whole === undefined) throw unexpectedType('a whole number', value);
    return whole;
  },
  parseValue: (value) => parse(wholeNumber(value)),
  parseLiteral: (literal) =>
    parse(literal.kind === Kind.INT || literal.kind === Kind.STRING ? wholeNumber(literal.value) : undefined, literal),
});

/** Reads a number or its digits. Undefined for any other value, and for a number that may have lost digits. */
function wholeNumber(value: unknown): WholeNumber | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^[+-]?\d{1,400}$/.test(value)) return undefined;
  const digits = BigInt(value.replace('+', ''));
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : String(digits);
}

function parse(whole: WholeNumber | undefined, literal?: ValueNode): WholeNumber {
  if (whole !== undefined && BigInt(whole) >= MIN && BigInt(whole) <= MAX) return whole;
  const message = 'Expected a whole number of 64 bits; beyond 2^53 the text of its digits.';
  throw new GraphQLError(message, literal && { nodes: literal });
}
