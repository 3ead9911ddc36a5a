import { GraphQLError } from 'graphql';

/** Counts errors by their codes, for the log. */
export function countByCode(errors: readonly Error[]): Readonly<Record<string, number>> {
  if (errors.length === 0) return {};
  const counts = new Map<string, number>();
  for (const error of errors) {
    const code = String((error instanceof GraphQLError && error.extensions['code']) || 'GRAPHQL_VALIDATION_FAILED');
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
