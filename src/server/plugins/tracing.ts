import { mapSchema, MapperKind, memoize1 } from '@graphql-tools/utils';
import { defaultFieldResolver, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';

/** Copies a schema so that its resolvers run for their response paths in the operation's trace. One copy is kept per schema. */
export const tracedSchema = memoize1((schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => {
      const { resolve = defaultFieldResolver } = field;
      return {
        ...field,
        resolve: (source: unknown, args: unknown, context: Context, info: GraphQLResolveInfo): unknown => {
          const run = (): unknown => resolve(source, args, context, info);
          const field = { parentType: info.parentType.name, name: info.fieldName };
          return context.trace ? context.trace.runField(responsePath(info.path), field, run) : run();
        },
      };
    },
  }),
);

/** The response path of a field without the indexes of lists: `deals.nodes.client`. */
function responsePath({ prev, key }: GraphQLResolveInfo['path']): string {
  const outer = prev ? responsePath(prev) : '';
  if (typeof key === 'number') return outer;
  return outer === '' ? key : `${outer}.${key}`;
}
