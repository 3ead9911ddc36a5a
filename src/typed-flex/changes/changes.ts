import type { Change } from '@graphql-inspector/core';
import { getNamedType, type GraphQLSchema, isEnumType } from 'graphql';
import { SEMANTIC_NON_NULL } from '../../graph/semantic-non-null.ts';

/** The worst first. An operation of a client stops working, may surprise the client, or stays as it is. */
export const criticalities = ['BREAKING', 'DANGEROUS', 'SAFE'] as const;

export type Criticality = (typeof criticalities)[number];

/** One difference between two schemas. */
export interface SchemaChange {
  readonly criticality: Criticality;
  readonly message: string;
  /** `Query.clients.first`; `schema` for a root type. */
  readonly path: string;
}

/** Only dangerous to GraphQL Inspector. But an operation that leaves the argument out would mean something else. */
const anotherDefault = new Set<string>(['FIELD_ARGUMENT_DEFAULT_CHANGED', 'INPUT_FIELD_DEFAULT_VALUE_CHANGED']);

/** To GraphQL Inspector, each change of a directive is dangerous. Types that were made without null have to stay so. */
const nullability: Readonly<Record<string, Criticality>> = {
  DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED: 'SAFE',
  DIRECTIVE_USAGE_FIELD_DEFINITION_REMOVED: 'BREAKING',
  DIRECTIVE_USAGE_ARGUMENT_REMOVED: 'BREAKING',
};

/** The end of the path of a change of nullability: the path before it is that of the field. */
const NULLABILITY = `.@${SEMANTIC_NON_NULL}`;

/**
 * Compares two schemas by GraphQL Inspector, which is loaded by the first call. Undefined is a schema without anything.
 *
 * @returns the changes, the worst first, those of one criticality by path. A new type, field or argument is one change,
 *   with its parts
 */
export async function schemaChanges(
  before: GraphQLSchema | undefined,
  after: GraphQLSchema | undefined,
): Promise<readonly SchemaChange[]> {
  const { diff } = await import('@graphql-inspector/core');
  const changes = await diff(before ?? null, after ?? null);
  const added = new Set(changes.filter(isAddition).map(pathOf));
  const returned = returnedEnums(before);
  return changes
    .filter((change) => !isPartOf(added, change))
    .map((change) => ({
      criticality: criticalityOf(change, returned),
      message: change.message,
      path: pathOf(change),
    }))
    .sort(byCriticality);
}

const pathOf = ({ path = 'schema' }: Change): string => path.split(NULLABILITY, 1)[0] ?? path;

/** Whether something is new under the path of the change. A member of a union has the path of the union. */
function isAddition({ type }: Change): boolean {
  return (
    type.endsWith('_ADDED') &&
    !/^(?:DIRECTIVE_USAGE|UNION_MEMBER|OBJECT_TYPE_INTERFACE)|DESCRIPTION|DEPRECATION/.test(type)
  );
}

/** Whether a change lies within something new, or describes it. */
function isPartOf(added: ReadonlySet<string>, change: Change): boolean {
  const path = pathOf(change);
  if (added.has(path) && !isAddition(change)) return true;
  const names = path.split('.');
  return names.some((_name, index) => added.has(names.slice(0, index).join('.')));
}

function criticalityOf(change: Change, returned: ReadonlySet<string>): Criticality {
  const { type, criticality } = change;
  if (anotherDefault.has(type)) return 'BREAKING';
  const ofNullability = change.path?.includes(NULLABILITY) ? nullability[type] : undefined;
  if (ofNullability) return ofNullability;
  // A client meets a value that it does not know only where a field returns it.
  const [typeName = ''] = pathOf(change).split('.');
  if (type === 'ENUM_VALUE_ADDED' && !returned.has(typeName)) return 'SAFE';
  return criticality.level === 'NON_BREAKING' ? 'SAFE' : criticality.level;
}

/** The names of the enums that a field returns. */
function returnedEnums(schema: GraphQLSchema | undefined): Set<string> {
  const fields = Object.values(schema?.getTypeMap() ?? {}).flatMap((type) =>
    'getInterfaces' in type ? Object.values(type.getFields()) : [],
  );
  return new Set(
    fields
      .map(({ type }) => getNamedType(type))
      .filter(isEnumType)
      .map(({ name }) => name),
  );
}

function byCriticality(one: SchemaChange, other: SchemaChange): number {
  const order = criticalities.indexOf(one.criticality) - criticalities.indexOf(other.criticality);
  return order || compareTexts(one.path, other.path) || compareTexts(one.message, other.message);
}

/** By code units: the order is the same in each locale. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
