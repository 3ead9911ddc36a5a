import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLUnionType,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { runMutation } from '../../graph/field-rules.ts';
import { refusalAsResult, refusalTypeName, refusalTypeNames, resultUnion } from '../../graph/refusals.ts';
import { nullOnlyOnError } from '../../graph/semantic-non-null.ts';
import type { JsonObject } from '../../formats/decode.ts';
import { objectType } from './base-types.ts';

/** The arguments of a mutation that changes or deletes one record. */
export interface Identified {
  readonly id: string;
}

/** The arguments of a mutation that writes values. */
export interface WithInput {
  readonly input: JsonObject;
}

interface Mutation<Arguments> {
  /** The name of the field. */
  readonly name: string;
  /** The type of the value that `resolve` returns. */
  readonly success: GraphQLObjectType;
  readonly description: string;
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly resolve: GraphQLFieldResolver<unknown, Context, Arguments, Promise<object>>;
}

/**
 * Creates a field of `Mutation`, under its name, that has the rules of all mutations: its result is a union of success and
 * refusals.
 */
export function mutationField<Arguments>(
  base: GraphQLSchema,
  { name, success, description, args, resolve }: Mutation<Arguments>,
): Readonly<Record<string, GraphQLFieldConfig<unknown, Context, Arguments>>> {
  const field: GraphQLFieldConfig<unknown, Context, Arguments> = {
    type: new GraphQLUnionType({
      name: resultUnion.name({ fieldName: name }),
      description: resultUnion.description,
      types: () => [success, ...refusalTypeNames.map((refusal) => objectType(base, refusal))],
      resolveType: (result: object) => refusalTypeName(result) ?? success.name,
    }),
    description,
    args,
    extensions: nullOnlyOnError(),
    resolve: async (root, given, context, info) =>
      runMutation(() => resolve(root, given, context, info), context, info).catch(refusalAsResult),
  };
  return { [name]: field };
}
