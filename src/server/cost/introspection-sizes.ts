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

/** Measures a schema, in one pass: it has thousands of types with typed databases. */
export function introspectionSizesOf(schema: GraphQLSchema): IntrospectionSizes {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const [fields, args, inputFields] = [new Lengths(), new Lengths(), new Lengths()];
  const [enumValues, interfaces, possibleTypes] = [new Lengths(), new Lengths(), new Lengths()];
  let wrappers = 0;
  const use = ({ type }: { readonly type: GraphQLType }) => (wrappers += wrappersOf(type));
  for (const type of types) {
    const own = hasFields(type) ? Object.values(type.getFields()) : [];
    const ofInput = isInputObjectType(type) ? Object.values(type.getFields()) : [];
    fields.add(own.length);
    inputFields.add(ofInput.length);
    enumValues.add(isEnumType(type) ? type.getValues().length : 0);
    interfaces.add(hasFields(type) ? type.getInterfaces().length : 0);
    possibleTypes.add(isAbstractType(type) ? schema.getPossibleTypes(type).length : 0);
    for (const field of own) {
      args.add(field.args.length);
      use(field);
      field.args.forEach(use);
    }
    ofInput.forEach(use);
  }
  const uses = fields.sum + args.sum + inputFields.sum;
  // Each level of `ofType` in each other is so much rarer than the one around it, and all together are the wrappers.
  const wrapped = wrappers / Math.max(1, wrappers + uses);
  const declared = types.length + uses + enumValues.sum;
  return {
    printed: declared / PRINTED,
    unit: Math.min(1, Math.max(1, WHOLE_SCHEMA / declared) / PARTS),
    lists: new Map<string, ListLength>([
      ['__Schema.types', { longest: types.length, average: types.length }],
      ['__Schema.directives', { longest: directives.length, average: directives.length }],
      ['__Directive.args', lengthsOf(directives.map((directive) => directive.args.length))],
      ['__Field.args', args],
      ['__Type.fields', fields],
      ['__Type.inputFields', inputFields],
      ['__Type.enumValues', enumValues],
      ['__Type.interfaces', interfaces],
      ['__Type.possibleTypes', possibleTypes],
      ['__Type.ofType', { longest: wrapped, average: wrapped }],
    ]),
  };
}

function hasFields(type: GraphQLNamedType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type);
}

/** The number of lists and non-null types around a named type. */
function wrappersOf(type: GraphQLType): number {
  return isWrappingType(type) ? 1 + wrappersOf(type.ofType) : 0;
}

/** The lengths of the lists of one kind. */
class Lengths implements ListLength {
  longest = 0;
  sum = 0;
  #count = 0;

  get average(): number {
    return this.sum / Math.max(1, this.#count);
  }

  add(length: number): void {
    this.longest = Math.max(this.longest, length);
    this.sum += length;
    this.#count += 1;
  }
}

function lengthsOf(lengths: readonly number[]): ListLength {
  const all = new Lengths();
  for (const length of lengths) all.add(length);
  return all;
}
