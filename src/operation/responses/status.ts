import type { ExecutionResult } from 'graphql';
import type { GraphQLHTTPExtensions } from 'graphql-yoga';
import type { JsonType } from '../accept.ts';

/** "Partial success": data, even null as a whole, beside errors. It tells proxies and logs; clients read the body. */
const PARTIAL_SUCCESS = 294;

/**
 * The value of `extensions.http`, which Yoga removes, of an error about a body that is no JSON: of all requests without a document
 * that alone is a 400. Told apart by its identity, as others ask for the same status.
 */
export const NOT_JSON: GraphQLHTTPExtensions = { status: 400 };

/**
 * The status of a response that is one JSON document. Callers of `application/json` get the status of Yoga.
 *
 * @param byYoga the highest status that an error asks for, and 200 where none does
 * @see docs/errors.md#statuses and GraphQL over HTTP of September 2026, "Status Codes"
 */
export function statusOf({ data, errors = [] }: ExecutionResult, type: JsonType, byYoga: number): number {
  if (type === 'application/json') return byYoga;
  if (data !== undefined) return errors.length > 0 ? PARTIAL_SUCCESS : 200;
  // Yoga, the executor and our own refusals ask for 400 or for nothing where the request is at fault, older than the text.
  if (byYoga !== 200 && byYoga !== 400) return byYoga;
  const codes = errors.map(({ extensions }) => extensions['code']);
  if (codes.includes('INTERNAL_SERVER_ERROR')) return 500;
  const isUnreadable = codes.includes('GRAPHQL_PARSE_FAILED') || errors[0]?.extensions.http === NOT_JSON;
  return isUnreadable ? 400 : 422;
}
