import { type GraphQLInputFieldConfig, type GraphQLInputFieldConfigMap, GraphQLInputObjectType } from 'graphql';
import type { JsonObject } from '../../http/formats/decode.ts';
import { dataWriter, mapToInputPaths } from '../types/input-data.ts';
import type { PublicMethod, PublicMethods, TypedField } from '../model/model.ts';
import type { Parts } from '../types/parts.ts';
import type { SharedTypes } from '../types/shared-types.ts';
import { inputField } from '../types/table-input.ts';

/** The input of a public method that writes. */
export interface PublicInput {
  readonly type: GraphQLInputObjectType;
  /**
   * Maps an input to the data of the request.
   *
   * @throws ValidationError for a key of `extra` that has a field of its own, or that upstream would drop
   */
  readonly dataOf: (input: JsonObject) => JsonObject;
  /** For `.catch`: maps the fields of upstream's messages to paths of the input. */
  readonly mapPaths: (error: unknown) => never;
}

/** The keys of the data that a method takes. */
interface TakenKeys {
  readonly fields: readonly TypedField[];
  /** Those without a field: all others, or only these. */
  readonly others: 'any' | ReadonlySet<string>;
}

/**
 * Creates the input of a public method: "Only these fields pass from the request; others are ignored", and automatic fields
 * "cannot be forged by the client". A field that the method requires is required here, unless it has a default value.
 *
 * @returns undefined for a method that takes no field
 */
export function publicInput(
  methods: PublicMethods,
  operation: 'create' | 'update',
  method: PublicMethod,
  { shared, values }: Parts,
): PublicInput | undefined {
  const taken = takenKeys(methods, method);
  const takesExtra = taken.others === 'any' || taken.others.size > 0;
  if (taken.fields.length === 0 && !takesExtra) return undefined;
  // Not documented (A228): whether a record that has the field may be updated without it. Relaxing it later breaks no caller.
  const isRequired = (field: TypedField) =>
    !method.defaultFields.has(field.name) &&
    (method.requiredFields.has(field.name) || (operation === 'create' && isValidated(methods, field)));
  const fields: GraphQLInputFieldConfigMap = Object.fromEntries([
    ...taken.fields.map((field) => [field.graphqlName, inputField(field, values, isRequired(field))]),
    ...(takesExtra ? [['extra', extraField(taken, shared)]] : []),
  ]);
  const { verb, about } = texts[operation];
  return {
    type: new GraphQLInputObjectType({ name: `${verb}${methods.rowTypeName}Input`, description: about, fields }),
    dataOf: dataWriter(taken, values, (key) =>
      taken.others === 'any' ? !method.autoFields.has(key) : taken.others.has(key),
    ),
    mapPaths: mapToInputPaths(methods, takesExtra),
  };
}

const texts = {
  create: { verb: 'Create', about: 'A new record.' },
  update: {
    verb: 'Update',
    about: 'Changes of a record. Upstream does not document whether fields that are left out keep their values.',
  },
};

function takenKeys({ fields }: PublicMethods, { allowedFields, autoFields }: PublicMethod): TakenKeys {
  const taken = fields.filter(({ name }) => !autoFields.has(name));
  if (!allowedFields) return { fields: taken, others: 'any' };
  const known = new Set(fields.map(({ name }) => name));
  const others = [...allowedFields].filter((name) => !known.has(name) && !autoFields.has(name));
  return { fields: taken.filter(({ name }) => allowedFields.has(name)), others: new Set(others) };
}

/** Whether the definition checks the field: "create stores the record with null `table_name` (no table validation)". */
function isValidated({ tables }: PublicMethods, { required }: TypedField): boolean {
  return required && tables.length === 0;
}

function extraField({ others }: TakenKeys, shared: SharedTypes): GraphQLInputFieldConfig {
  return {
    type: shared.scalar('JSONObject'),
    description:
      others === 'any' ? 'Values under keys that have no field here.' : `Values under the keys ${list(others)}.`,
  };
}

function list(names: ReadonlySet<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ');
}
