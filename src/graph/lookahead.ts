import { collectSubFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  getArgumentValues,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
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
  const { definition, nodes = [] } = follow(info, path, parts) ?? {};
  return definition ? nodes.map((node) => getArgumentValues(definition, node, info.variableValues)) : [];
}

/**
 * The names of all fields that are selected below the one being resolved, or below the fields at a path from it. Empty unless
 * their type is an object type.
 */
export function selectedNames(
  info: GraphQLResolveInfo,
  path: readonly string[] = [],
  parts: Parts = 'all',
): ReadonlySet<string> {
  const selected = follow(info, path, parts);
  if (!isObjectType(selected?.type)) return new Set();
  return new Set(subFields(info, selected.type, selected.nodes, parts).map(({ name }) => name.value));
}

interface Selected {
  readonly type: GraphQLNamedType;
  readonly nodes: readonly FieldNode[];
  /** Undefined for the field that is being resolved. */
  readonly definition: GraphQLField<unknown, unknown> | undefined;
}

/** Follows a path of fields below the one being resolved. Undefined when their types have no such fields. */
function follow(info: GraphQLResolveInfo, path: readonly string[], parts: Parts): Selected | undefined {
  let type: GraphQLNamedType = getNamedType(info.returnType);
  let nodes: readonly FieldNode[] = info.fieldNodes;
  let definition: GraphQLField<unknown, unknown> | undefined;
  for (const name of path) {
    if (!isObjectType(type)) return undefined;
    definition = type.getFields()[name];
    if (!definition) return undefined;
    nodes = subFields(info, type, nodes, parts).filter((node) => node.name.value === name);
    type = getNamedType(definition.type);
  }
  return { type, nodes, definition };
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
