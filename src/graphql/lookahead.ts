import { collectSubFields } from '@graphql-tools/utils';
import { type FieldNode, getArgumentValues, getNamedType, type GraphQLResolveInfo, isObjectType } from 'graphql';

/** The arguments of one selected field. */
export type SelectedArguments = Readonly<Record<string, unknown>>;

/**
 * Finds the selections of a field at a path below the one being resolved, so that a resolver can fetch their data at once.
 * Considers fragments, `@include` and deferred selections.
 *
 * @param path names of fields
 * @returns the arguments of each selection; empty when the field is not selected
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
