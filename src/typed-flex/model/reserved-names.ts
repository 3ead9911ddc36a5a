import { type GraphQLSchema, specifiedScalarTypes } from 'graphql';

/** Fields that each record has, whatever its table. */
export const ROW_FIELDS: readonly string[] = ['id', 'upstreamId', 'createdAt', 'updatedAt', 'extra'];

/** Values that the enum of orders has beside those of fields. */
export const SORT_VALUES: readonly string[] = ['ID', 'CREATED_AT', 'UPDATED_AT'];

/** Values that GraphQL takes for no enum. */
export const ENUM_LITERALS: readonly string[] = ['true', 'false', 'null'];

/** Fields that the type of a database has beside those of its tables, or must not have: a cache takes `id` for an id. */
export const databaseFields = (hasTables: boolean): readonly string[] => (hasTables ? ['id', 'untabled'] : ['id']);

/** The types of the bounds of ranges, which tables share: that of each scalar with a range. */
export const BOUNDS_TYPES: readonly string[] = ['BigInt', 'Date', 'DateTime', 'Decimal'].map(boundsType);

/** The name of the type of the bounds of a scalar. */
export function boundsType(scalar: string): string {
  return `${scalar}Bounds`;
}

/** Types that typed databases share, and names that a subgraph or another kind of root would take. */
const SHARED_TYPES = [
  'BigInt',
  'TextMatch',
  ...BOUNDS_TYPES,
  'Subscription',
  '_Any',
  '_Entity',
  '_Service',
  'FieldSet',
];

/** The names that types and fields of root types cannot have. */
export interface ReservedNames {
  readonly types: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
  readonly mutation: ReadonlySet<string>;
}

/** The names that a schema has without typed databases. */
export function reservedNames(base: GraphQLSchema): ReservedNames {
  const scalars = specifiedScalarTypes.map(({ name }) => name);
  return {
    types: new Set([...Object.keys(base.getTypeMap()), ...scalars, ...SHARED_TYPES]),
    query: new Set([...Object.keys(base.getQueryType()?.getFields() ?? {}), '_entities', '_service']),
    mutation: new Set(Object.keys(base.getMutationType()?.getFields() ?? {})),
  };
}

const writes = ['Create', 'Update', 'Delete'] as const;

/** All types that are made for records of a type, those of a table and those of public methods. */
export function derivedTypes(typeName: string): readonly string[] {
  const suffixed = ['Connection', 'Edge', 'Field', 'Sort', 'Order', 'Filter', 'Range', 'Table'].map(
    (end) => typeName + end,
  );
  return [
    typeName,
    ...suffixed,
    ...writes.flatMap((write) => [`${write}${typeName}Input`, `${write}${typeName}Result`]),
  ];
}

/** The fields of `Mutation` that write records of a type, such as `createTrackerTask`. */
export function derivedMutations(typeName: string): readonly string[] {
  return writes.map((write) => write.toLowerCase() + typeName);
}
