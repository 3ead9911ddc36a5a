import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  GraphQLUnionType,
} from 'graphql';
import type { Context } from '../../context.ts';
import { runMutation } from '../../graphql/field-rules.ts';
import { refusalAsResult, refusalTypeName, refusalTypeNames } from '../../graphql/refusals.ts';
import type { SharedTypes } from './shared-types.ts';

interface Mutation<Arguments> {
  readonly description: string;
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly resolve: GraphQLFieldResolver<unknown, Context, Arguments, Promise<object>>;
}

/**
 * Creates a field of `Mutation` that has the rules of all mutations: its result is a union of success and refusals.
 *
 * @param name of the field
 * @param success the type of the value that `resolve` returns
 */
export function mutationField<Arguments>(
  name: string,
  success: GraphQLObjectType,
  { description, args, resolve }: Mutation<Arguments>,
  shared: SharedTypes,
): GraphQLFieldConfig<unknown, Context, Arguments> {
  return {
    type: resultUnion(`${name.charAt(0).toUpperCase()}${name.slice(1)}Result`, success, shared),
    description,
    args,
    resolve: async (root, given, context, info) =>
      runMutation(() => resolve(root, given, context, info), context, info).catch(refusalAsResult),
  };
}

function resultUnion(name: string, success: GraphQLObjectType, shared: SharedTypes): GraphQLUnionType {
  return new GraphQLUnionType({
    name,
    description: 'The result of the mutation: success, or the reason why it was refused.',
    types: () => [success, ...refusalTypeNames.map((refusal) => shared.object(refusal))],
    resolveType: (result: object) => refusalTypeName(result) ?? success.name,
  });
}
