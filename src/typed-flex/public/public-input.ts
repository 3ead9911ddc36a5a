import type { GraphQLSchema } from 'graphql';
import type { PublicMethod, PublicMethods, TypedField } from '../model/model.ts';
import { type RecordInput, recordInput } from '../types/record-input.ts';

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
  base: GraphQLSchema,
): RecordInput | undefined {
  const taken = takenKeys(methods, method);
  const { fields, others } = taken;
  const takesExtra = others === 'any' || others.size > 0;
  if (fields.length === 0 && !takesExtra) return undefined;
  // Not documented (A228): whether a record that has the field may be updated without it. Relaxing it later breaks no caller.
  const isRequired = (field: TypedField) =>
    !method.defaultFields.has(field.name) &&
    (method.requiredFields.has(field.name) || (operation === 'create' && isValidated(methods, field)));
  const extra = {
    description:
      others === 'any' ? 'Values under keys that have no field here.' : `Values under the keys ${list(others)}.`,
    isTaken: (key: string) => (others === 'any' ? !method.autoFields.has(key) : others.has(key)),
  };
  const { verb, about } = texts[operation];
  const name = `${verb}${methods.rowTypeName}Input`;
  return recordInput(
    { name, description: about, taken, known: methods, isRequired, extra: takesExtra ? extra : undefined },
    base,
  );
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

function list(names: ReadonlySet<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ');
}
