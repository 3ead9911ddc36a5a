import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type PothosOutputFieldType,
  PothosSchemaError,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import { DirectiveLocation, GraphQLDirective, GraphQLInt, GraphQLList, GraphQLNonNull } from 'graphql';

// Tells generators of types where a null has an error: a client that handles errors needs no check for null there.

/** The name of the directive, of the option of a field, and of the plugin. */
export const SEMANTIC_NON_NULL = 'semanticNonNull' as const;

/** The definition of the directive, as Relay, Apollo Kotlin and GraphQL Code Generator read it. */
export const semanticNonNull = new GraphQLDirective({
  name: SEMANTIC_NON_NULL,
  description:
    'The field is null only beside an error, which is at its path, above or below it. A client that handles errors needs ' +
    'no check for null.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      defaultValue: [0],
      description: 'The levels of the type that this holds for: 0 is the field itself, 1 are the items of its list.',
    },
  },
});

/** The extensions of a field, by which `printSchemaWithDirectives` prints the directive. */
export function nullOnlyOnError(levels: readonly number[] = [0]) {
  return { directives: { [SEMANTIC_NON_NULL]: levels.length === 1 && levels[0] === 0 ? {} : { levels } } };
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Pothos looks for the types of plugins there
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [SEMANTIC_NON_NULL]: SemanticNonNullPlugin<Types>;
    }

    // The parameters have to be those of Pothos.
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /**
       * Whether the field is null only beside an error: true for each nullable level of its type, `list` for a list whose
       * items may be null. Default: true for mutations, false for all others. A null that upstream may send, or that means
       * "there is none", must not have it.
       */
      [SEMANTIC_NON_NULL]?: boolean | 'list';
    }
  }
}

/** Puts the directive on the fields that are declared so, and on mutations: these have no other null than that of an error. */
class SemanticNonNullPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const declared = field.pothosOptions[SEMANTIC_NON_NULL] ?? field.kind === 'Mutation';
    if (!declared) return field;
    const levels = nullableLevels(field.type).filter((level) => declared === true || level === 0);
    if (levels.length === 0) throw new PothosSchemaError(`${field.parentType}.${field.name} cannot be null anyway.`);
    return { ...field, extensions: { ...field.extensions, ...nullOnlyOnError(levels) } };
  }
}

function nullableLevels<Types extends SchemaTypes>(type: PothosOutputFieldType<Types>): number[] {
  const own = type.nullable ? [0] : [];
  return type.kind === 'List' ? [...own, ...nullableLevels(type.type).map((level) => level + 1)] : own;
}

SchemaBuilder.registerPlugin(SEMANTIC_NON_NULL, SemanticNonNullPlugin);
