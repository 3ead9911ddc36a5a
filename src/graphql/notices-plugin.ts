import SchemaBuilder, { BasePlugin, isThenable, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { type GraphQLFieldResolver, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { Context } from '../context.ts';
import type { GatewayError } from '../http/errors.ts';
import { problemsOf } from '../http/problems.ts';
import { Notices } from './notices.ts';

/** The name of the plugin, for the list of the builder. */
export const NOTICES_PLUGIN = 'notices' as const;

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Pothos looks for the types of plugins there
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NOTICES_PLUGIN]: NoticesPlugin<Types>;
    }
  }
}

/**
 * Adds three rules to the resolvers of every slice: a field that returns a list or a connection reports its problems, a
 * mutation keeps the outcome of its write, and its reads share no calls with other operations.
 *
 * It comes last in the list of plugins, so that it sees what the resolvers return: the plugin of loaders copies lists.
 */
class NoticesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (field.kind === 'Mutation') {
      return (root, args, context, info) => {
        const run = () => resolve(root, args, context, info);
        return isOperation(context) ? keepOutcome(run, context, info) : run();
      };
    }
    if (!this.#canHaveProblems(field)) return resolve;
    return (parent, args, context, info) => {
      const result = resolve(parent, args, context, info);
      const report = (value: unknown) => {
        if (isOperation(context)) for (const problem of problemsIn(value)) context.notices.report(problem, info);
        return value;
      };
      return isThenable(result) ? result.then(report) : report(result);
    };
  }

  #canHaveProblems({ type }: PothosOutputFieldConfig<Types>): boolean {
    if (type.kind === 'List') return true;
    return type.kind === 'Object' && this.buildCache.getTypeConfig(type.ref).name.endsWith('Connection');
  }
}

function isOperation(context: object): context is Pick<Context, 'notices' | 'writes' | 'forbidSharing'> {
  return 'notices' in context && context.notices instanceof Notices;
}

async function keepOutcome(
  resolve: () => unknown,
  { writes, forbidSharing }: Pick<Context, 'writes' | 'forbidSharing'>,
  { path }: GraphQLResolveInfo,
): Promise<unknown> {
  forbidSharing();
  writes.begin();
  try {
    return await resolve();
  } finally {
    writes.keep(responsePathAsArray(path)); // an error may also come after the resolver, from the type of its result
  }
}

function problemsIn(value: unknown): readonly GatewayError[] {
  if (typeof value !== 'object' || value === null) return [];
  return isPage(value) ? (value.problems ?? []) : problemsOf(value);
}

/** A page of a connection. Its type is not imported: the builder of the schema is made with this plugin. */
interface Page {
  readonly problems?: readonly GatewayError[];
}

function isPage(value: object): value is Page {
  return 'rows' in value && 'hasNextPage' in value;
}

SchemaBuilder.registerPlugin(NOTICES_PLUGIN, NoticesPlugin);
