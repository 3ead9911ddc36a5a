import { makeDirectiveNode } from '@graphql-tools/utils';
import {
  type DocumentNode,
  getNamedType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  visit,
} from 'graphql';
import { apiOf } from '../../config/apis.ts';

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/**
 * Adds `@tag`, by which contracts choose parts of a subgraph: the APIs of each root field and type, `write` for mutations, and `secret`
 * for fields with tokens. They follow from descriptions, and from what root fields reach. Arguments have the tags of their field.
 *
 * A contract has all fields of a tagged type. Where such a field leads to a record of another API, or to records of several, those have
 * its tags at their `id` alone.
 *
 * @param document that of the schema
 * @param records the types of records, by their names
 */
export function withTags(document: DocumentNode, schema: GraphQLSchema, records: ReadonlyMap<string, unknown>) {
  const tags = tagsOf(schema, records);
  return visit(document, {
    leave(node, _key, _parent, _path, ancestors) {
      if (!('directives' in node)) return undefined;
      const place = [...ancestors, node].flatMap((each) =>
        'kind' in each && 'name' in each ? (each.name?.value ?? []) : [],
      );
      const added = (tags.get(place.slice(0, 2).join('.')) ?? []).map((name) => makeDirectiveNode('tag', { name }));
      return added.length > 0 ? { ...node, directives: [...(node.directives ?? []), ...added] } : undefined;
    },
  });
}

/** Tags by the names of types, and of fields such as `Query.client`. */
function tagsOf(schema: GraphQLSchema, records: ReadonlyMap<string, unknown>): ReadonlyMap<string, readonly string[]> {
  const tags = new Map<string, readonly string[]>();
  const reach = (type: GraphQLNamedType, apis: readonly string[]) => {
    const isOfOthers = apis.length > 1 && records.has(type.name);
    const place = isOfOthers ? `${type}.id` : type.name;
    const known = tags.get(place) ?? [];
    if (apis.every((api) => known.includes(api))) return;
    tags.set(place, [...new Set([...known, ...apis])].toSorted());
    if (isOfOthers) return;
    if ('getTypes' in type) for (const member of type.getTypes()) reach(member, apis);
    if ('getInterfaces' in type) for (const part of type.getInterfaces()) reach(part, apis);
    for (const field of fieldsOf(type)) {
      if (isSecret(field) || (field.name === 'raw' && fieldsOf(type).some(isSecret)))
        tags.set(`${type}.${field.name}`, ['secret']);
      reachField(field, apis);
    }
  };
  const reachField = (field: Field, apis: readonly string[]) => {
    const all = [...new Set([...apis, ...apisOf(field)])];
    for (const { type } of [field, ...('args' in field ? field.args : [])]) reach(getNamedType(type), all);
  };

  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of fieldsOf(root)) {
      const own = apisOf(field);
      const apis = own.length > 0 ? own : [...new Set(fieldsOf(getNamedType(field.type)).flatMap(apisOf))];
      reachField(field, apis);
      tags.set(`${root}.${field.name}`, root === schema.getQueryType() ? apis : [...apis, 'write']);
    }
  }
  return tags;
}

/** The APIs whose endpoints a field names. */
function apisOf({ description }: Field): readonly string[] {
  const endpoints = (description ?? '').matchAll(/`(?:GET|POST|PUT|PATCH|DELETE) ([^`]+)`/g);
  return [...new Set(Array.from(endpoints, ([, path = '']) => apiOf(path)))];
}

/** Whether a field has a token: its description says that the response is not to be stored. */
const isSecret = ({ description }: Field) => /no-store`/.test(description ?? '');

const fieldsOf = (type: GraphQLNamedType | null | undefined): readonly Field[] =>
  type && 'getFields' in type ? Object.values<Field>(type.getFields()) : [];
