import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isListType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import type { Context } from '../context.ts';
import type { GatewayError } from '../http/errors.ts';
import { problemsOf } from '../http/problems.ts';
import type { Page } from '../lists/connections.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/**
 * Adds two rules to the resolvers of every slice: a field that returns a list or a connection reports its problems, and
 * a failing mutation keeps the outcome of its write.
 *
 * @returns the schema itself
 */
export function withNotices(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (type === schema.getMutationType()) field.resolve = keepingOutcome(resolverOf(field));
      else if (canHaveProblems(field)) field.resolve = reportingProblems(resolverOf(field));
    }
  }
  return schema;
}

function resolverOf(field: GraphQLField<unknown, Context>): Resolver {
  return field.resolve ?? defaultFieldResolver;
}

function canHaveProblems({ type }: GraphQLField<unknown, Context>): boolean {
  return isListType(getNullableType(type)) || getNamedType(type).name.endsWith('Connection');
}

function keepingOutcome(resolve: Resolver): Resolver {
  return async (root, args, context, info) => {
    context.writes.begin();
    try {
      return await resolve(root, args, context, info);
    } catch (error) {
      context.writes.fail(responsePathAsArray(info.path));
      throw error;
    }
  };
}

function reportingProblems(resolve: Resolver): Resolver {
  return (parent, args, context, info) => {
    const result: unknown = resolve(parent, args, context, info);
    return result instanceof Promise
      ? result.then((value) => report(value, context, info))
      : report(result, context, info);
  };
}

function report(value: unknown, context: Context, info: GraphQLResolveInfo): unknown {
  for (const problem of problemsIn(value)) context.notices.report(problem, info);
  return value;
}

function problemsIn(value: unknown): readonly GatewayError[] {
  if (typeof value !== 'object' || value === null) return [];
  return isPage(value) ? (value.problems ?? []) : problemsOf(value);
}

function isPage(value: object): value is Page<unknown> {
  return 'rows' in value && 'hasNextPage' in value;
}
