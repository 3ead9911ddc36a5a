import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { Context } from '../operation/context.ts';
import type { GatewayError } from '../errors.ts';
import { Rows } from '../formats/rows.ts';
import { explained } from './under-key.ts';

// Rules of all fields that return lists, and of all mutations, however their types are made.

/** In the extensions of a field: its values are long texts, which count in the cost of an operation. */
export const LONG_TEXT = 'longText';

/**
 * Reports the problems of rows or of a page at the field that returns them, and those of a page at the first field of it that has
 * read the rows: where these fields alone are deferred, the page is read with them.
 *
 * @param page undefined for a field of another object
 * @returns the rows as an array; any other value itself
 */
export function showProblems(value: unknown, context: object, info: GraphQLResolveInfo, page: unknown): unknown {
  if (isPage(page)) reportProblems(page, context, info);
  if (value instanceof Rows) return [...reportProblems(value, context, info)];
  return isPage(value) ? reportProblems(value, context, info) : value;
}

/** Reports the problems of rows or of a page at the field that returns them. Returns the value itself. */
export function reportProblems<Value extends WithProblems>(
  value: Value,
  context: object,
  info: GraphQLResolveInfo,
): Value {
  const { problems = [] } = value;
  if (problems.length === 0 || !isOperation(context)) return value;
  const place = value instanceof Rows ? info : value; // several fields may show the same rows
  for (const problem of problems) context.notices.report(problem, info, place);
  return value;
}

/** Runs the resolver of a mutation: it keeps the outcome of its write, and its reads share no calls with other operations. */
export async function runMutation(resolve: () => unknown, context: object, info: GraphQLResolveInfo): Promise<unknown> {
  return isOperation(context) ? keepOutcome(resolve, context, info) : resolve();
}

function isOperation(context: object): context is Pick<Context, 'notices' | 'writes' | 'keyed' | 'forbidSharing'> {
  return 'notices' in context && 'forbidSharing' in context;
}

async function keepOutcome(
  resolve: () => unknown,
  context: Pick<Context, 'writes' | 'keyed' | 'forbidSharing'>,
  { path }: GraphQLResolveInfo,
): Promise<unknown> {
  const { writes, forbidSharing } = context;
  forbidSharing();
  writes.enter(path);
  try {
    return await resolve();
  } catch (error) {
    return await explained(error, context);
  } finally {
    writes.keep(responsePathAsArray(path)); // an error may also come after the resolver, from the type of its result
  }
}

/** Rows, or a page of a connection. The page's type is not imported: the builder of the schema is made with these rules. */
interface WithProblems {
  readonly problems?: readonly GatewayError[];
}

function isPage(value: unknown): value is WithProblems {
  return typeof value === 'object' && value !== null && 'rows' in value && 'hasNextPage' in value;
}
