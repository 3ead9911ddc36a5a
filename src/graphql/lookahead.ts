import { collectSubFields } from '@graphql-tools/utils';
import { type FieldNode, getArgumentValues, getNamedType, type GraphQLResolveInfo, isObjectType } from 'graphql';

/** The arguments of one selected field. */
export type SelectedArguments = Readonly<Record<string, unknown>>;

/**
 * The fields that are selected at a path below the one being resolved, fragments and `@include` considered, deferred
 * ones too: what a resolver should fetch along. Empty when none is.
 */
export function selectedAt(info: GraphQLResolveInfo, path: readonly string[]): SelectedArguments[] {
  let type = getNamedType(info.returnType);
  let nodes: readonly FieldNode[] = info.fieldNodes;
  let args: SelectedArguments[] = [];

  for (const name of path) {
    if (!isObjectType(type)) return [];
    const definition = type.getFields()[name];
    if (!definition) return [];
    const { fields, patches } = collectSubFields(info.schema, info.fragments, info.variableValues, type, [...nodes]);
    const selected = [fields, ...patches.map((deferred) => deferred.fields)];
    nodes = selected.flatMap((found) => [...found.values()].flat()).filter((node) => node.name.value === name);
    args = nodes.map((node) => getArgumentValues(definition, node, info.variableValues));
    type = getNamedType(definition.type);
  }
  return args;
}
