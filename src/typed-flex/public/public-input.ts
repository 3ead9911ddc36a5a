import {
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
} from 'graphql';
import { invalidInput, mapFieldPaths } from '../../http/errors.ts';
import { isObject, type JsonObject } from '../../http/formats/decode.ts';
import { fieldDirective } from '../directives.ts';
import { toWire } from '../field-input.ts';
import type { ValuesByType } from '../field-values.ts';
import type { PublicMethod, PublicMethods, TypedField } from '../model.ts';
import type { Parts } from '../parts.ts';
import type { SharedTypes } from '../shared-types.ts';

/** The input of a public method that writes. */
export interface PublicInput {
  readonly type: GraphQLInputObjectType;
  /**
   * Maps an input to the data of the request.
   *
   * @throws ValidationError for a key of `extra` that has a field of its own, or that upstream would drop
   */
  readonly dataOf: (input: unknown) => JsonObject;
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
  // Not documented (A236): whether a record that has the field may be updated without it. Relaxing it later breaks no caller.
  const isRequired = (field: TypedField) =>
    !method.defaultFields.has(field.name) &&
    (method.requiredFields.has(field.name) || (operation === 'create' && isValidated(methods, field)));
  const fields: GraphQLInputFieldConfigMap = Object.fromEntries([
    ...taken.fields.map((field) => [field.graphqlName, inputField(field, isRequired(field), values)]),
    ...(takesExtra ? [['extra', extraField(taken, shared)]] : []),
  ]);
  const { verb, about } = texts[operation];
  return {
    type: new GraphQLInputObjectType({ name: `${verb}${methods.rowTypeName}Input`, description: about, fields }),
    dataOf: (input) => (isObject(input) ? dataOf(input, taken, method, values) : {}),
    mapPaths: pathMapper(methods, takesExtra),
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

function inputField(field: TypedField, isRequired: boolean, values: ValuesByType): GraphQLInputFieldConfig {
  const { scalar, about } = values[field.type];
  const type = isRequired ? new GraphQLNonNull(scalar) : scalar;
  return { type, description: about, extensions: fieldDirective(field) };
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

/** The data of a request. @throws ValidationError for a key of `extra` that upstream would drop, or that has a field here */
function dataOf(
  input: JsonObject,
  { fields, others }: TakenKeys,
  { autoFields }: PublicMethod,
  values: ValuesByType,
): JsonObject {
  const extra = isObject(input['extra']) ? input['extra'] : {};
  const names = new Set(fields.map(({ name }) => name));
  for (const key of Object.keys(extra)) {
    if (names.has(key)) throw invalidInput(`extra.${key}`, 'has a field of its own in this schema');
    const isTaken = others === 'any' ? !autoFields.has(key) : others.has(key);
    if (!isTaken)
      throw invalidInput(`extra.${key}`, 'is a key that this public method does not take: it would be dropped');
  }
  const sent = fields.filter(({ graphqlName }) => Object.hasOwn(input, graphqlName));
  const written = sent.map((field) => {
    const { name, graphqlName } = field;
    return [name, toWire(field, input[graphqlName], { values, path: graphqlName })];
  });
  return { ...extra, ...Object.fromEntries(written) };
}

/** For `.catch`. Upstream may name a key of the data with or without `data.`; `data` and an empty name stand for all data. */
function pathMapper({ fields }: PublicMethods, takesExtra: boolean) {
  const known = new Map(fields.map(({ name, graphqlName }) => [name, graphqlName]));
  return mapFieldPaths((field) => {
    if (field === 'data' || field === '') return 'input';
    const key = field.startsWith('data.') && !known.has(field) ? field.slice('data.'.length) : field;
    return known.get(key) ?? (takesExtra ? `extra.${key}` : key);
  });
}
