import {
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isWrappingType,
} from 'graphql';

/** The length of a list of introspection: the longest one, and the average of all. */
export interface ListLength {
  readonly longest: number;
  readonly average: number;
}

/** What introspection of a schema returns. */
export interface IntrospectionSizes {
  /** The lengths of its lists, by type and field, such as `__Type.fields`. `__Type.ofType` is a list of one or none. */
  readonly lists: ReadonlyMap<string, ListLength>;
  /** The cost of each of its objects and values. */
  readonly unit: number;
  /** The cost of the text of the schema, as a subgraph returns it. */
  readonly printed: number;
}

/** What the query of GraphiQL returns for each type, field, argument and value: an object, its name, its type and so on. */
const PARTS = 12;

/** How many declared types, fields, arguments and values have 256 bytes in the text of a schema. */
const PRINTED = 3;

/** About the least cost of the query of GraphiQL, however small the schema: an operation has no use for many of them. */
const WHOLE_SCHEMA = 20_000;

/** Measures a schema. It takes 0.1 s for thousands of types, most of it for their fields, which introspection makes, too. */
export function introspectionSizesOf(schema: GraphQLSchema): IntrospectionSizes {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const fields = types.flatMap(fieldsOf);
  const args = fields.flatMap((field) => field.args);
  const inputs = [...args, ...types.flatMap(inputFieldsOf)];
  const uses = [...fields, ...inputs].map(({ type }) => type);
  const wrappers = sumOf(uses.map(wrappersOf));
  // Each level of `ofType` in each other is so much rarer than the one around it, and all together are the wrappers.
  const wrapped = wrappers / Math.max(1, wrappers + uses.length);
  const perType = (count: (type: GraphQLNamedType) => number) => lengthOf(types.map(count));
  const enumValues = types.map((type) => (isEnumType(type) ? type.getValues().length : 0));
  const declared = types.length + uses.length + sumOf(enumValues);
  return {
    printed: declared / PRINTED,
    unit: Math.min(1, Math.max(1, WHOLE_SCHEMA / declared) / PARTS),
    lists: new Map([
      ['__Schema.types', lengthOf([types.length])],
      ['__Schema.directives', lengthOf([directives.length])],
      ['__Directive.args', lengthOf(directives.map((directive) => directive.args.length))],
      ['__Field.args', lengthOf(fields.map((field) => field.args.length))],
      ['__Type.fields', perType((type) => fieldsOf(type).length)],
      ['__Type.inputFields', perType((type) => inputFieldsOf(type).length)],
      ['__Type.enumValues', lengthOf(enumValues)],
      ['__Type.interfaces', perType((type) => (hasFields(type) ? type.getInterfaces().length : 0))],
      ['__Type.possibleTypes', perType((type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0))],
      ['__Type.ofType', { longest: wrapped, average: wrapped }],
    ]),
  };
}

function hasFields(type: GraphQLNamedType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type);
}

function fieldsOf(type: GraphQLNamedType) {
  return hasFields(type) ? Object.values(type.getFields()) : [];
}

function inputFieldsOf(type: GraphQLNamedType) {
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

/** The number of lists and non-null types around a named type. */
function wrappersOf(type: GraphQLType): number {
  return isWrappingType(type) ? 1 + wrappersOf(type.ofType) : 0;
}

function lengthOf(lengths: readonly number[]): ListLength {
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  return { longest, average: sumOf(lengths) / Math.max(1, lengths.length) };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
