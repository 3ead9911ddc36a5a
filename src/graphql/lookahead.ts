import { collectSubFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  getArgumentValues,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';

/** The arguments of one selected field. */
export type SelectedArguments = Readonly<Record<string, unknown>>;

/** Which selections count: all, or those outside of deferred fragments, which the first part of the response holds. */
type Parts = 'all' | 'first';

/**
 * Finds the selections of a field at a path below the one being resolved, so that a resolver can fetch their data at once.
 * Considers fragments and `@include`.
 *
 * @param path names of fields
 * @returns the arguments of each selection; empty when the field is not selected
 */
export function selectedAt(
  info: GraphQLResolveInfo,
  path: readonly string[],
  parts: Parts = 'all',
): SelectedArguments[] {
  let type = getNamedType(info.returnType);
  let nodes: readonly FieldNode[] = info.fieldNodes;
  let args: SelectedArguments[] = [];

  for (const name of path) {
    if (!isObjectType(type)) return [];
    const definition = type.getFields()[name];
    if (!definition) return [];
    nodes = subFields(info, type, nodes, parts).filter((node) => node.name.value === name);
    args = nodes.map((node) => getArgumentValues(definition, node, info.variableValues));
    type = getNamedType(definition.type);
  }
  return args;
}

/** The names of all fields that are selected below the one being resolved. Empty unless its type is an object type. */
export function selectedNames(info: GraphQLResolveInfo): ReadonlySet<string> {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return new Set();
  return new Set(subFields(info, type, info.fieldNodes, 'all').map(({ name }) => name.value));
}

function subFields(
  { schema, fragments, variableValues }: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  parts: Parts,
): FieldNode[] {
  const { fields, patches } = collectSubFields(schema, fragments, variableValues, type, [...nodes]);
  const selected = parts === 'all' ? [fields, ...patches.map((deferred) => deferred.fields)] : [fields];
  return selected.flatMap((found) => [...found.values()].flat());
}
