import { randomUUID } from 'node:crypto';

/**
 * Parses JSON. A whole number beyond 2^53 is a bigint, so that it keeps its digits. Infinity stands for a number that is
 * beyond any that JavaScript has.
 *
 * @throws SyntaxError
 */
export function parseJson(source: string): unknown {
  const value: unknown = JSON.parse(source);
  if (!/\d{16}/.test(source)) return value;
  const mark = `${randomUUID()}:`; // no text in the source can begin with it
  const marked = markLargeIntegers(source, mark);
  if (marked === source) return value; // the digits are in texts; a reviver could overflow the stack for deep nesting
  return JSON.parse(marked, (_key, member: unknown) =>
    typeof member === 'string' && member.startsWith(mark) ? BigInt(member.slice(mark.length)) : member,
  );
}

/** Replaces each whole number beyond 2^53 with a text that begins with the mark. `source` is valid JSON. */
function markLargeIntegers(source: string, mark: string): string {
  let inText = false;
  return source.replaceAll(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') inText = !inText;
    const isLarge = !inText && /^-?\d{16,309}$/.test(token) && !Number.isSafeInteger(Number(token));
    return isLarge ? `"${mark}${token}"` : token;
  });
}

/** Serializes a value of `parseJson` as `JSON.stringify` does, a bigint by its digits. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return stringifyWithBigints(value) ?? 'null'; // it refuses a bigint
    throw error;
  }
}

function stringifyWithBigints(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((member) => stringifyWithBigints(member) ?? 'null').join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = stringifyWithBigints(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}
