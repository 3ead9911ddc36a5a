import SchemaBuilder, { BasePlugin, isThenable, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { isCreation, withoutNulls } from './absent-nulls.ts';
import { runMutation, showProblems } from './field-rules.ts';

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
 * Adds four rules to the resolvers of every slice: a field that returns a list, a connection or a part of one reports its
 * problems, a mutation keeps the outcome of its write, and its reads share no calls with other operations. To a creation, null is
 * the same as an input that is left out.
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
        const inputs = isCreation(field.name) ? (info.parentType.getFields()[field.name]?.args ?? []) : [];
        return runMutation(() => resolve(root, withoutNulls(args, inputs), context, info), context, info);
      };
    }
    const isOfPage = /(Connection|PageInfo)$/.test(field.parentType);
    if (!isOfPage && !this.#canHaveProblems(field)) return resolve;
    return (parent, args, context, info) => {
      const result = resolve(parent, args, context, info);
      const show = (value: unknown) => showProblems(value, context, info, isOfPage ? parent : undefined);
      return isThenable(result) ? result.then(show) : show(result);
    };
  }

  #canHaveProblems({ type }: PothosOutputFieldConfig<Types>): boolean {
    if (type.kind === 'List') return true;
    return type.kind === 'Object' && this.buildCache.getTypeConfig(type.ref).name.endsWith('Connection');
  }
}

SchemaBuilder.registerPlugin(NOTICES_PLUGIN, NoticesPlugin);
