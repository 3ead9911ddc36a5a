import { builder, type InputFieldBuilder } from '../../graph/builder.ts';
import { wireEnum, wireValues } from '../../graph/enums.ts';
import { isObject, type JsonObject, kindOf, object, readableRows } from '../../formats/decode.ts';
import type { Rows } from '../../formats/rows.ts';
import { invalidInput, ValidationError } from '../../errors.ts';
import { oneOf, text, texts } from '../../formats/leaves.ts';
import { publicOperations } from './public-operations.ts';

const FlexPublicOperation = wireEnum('FlexPublicOperation', 'The operation of a public method.', publicOperations);

/** A public method that is on. */
interface PublicMethod {
  /** One of `publicOperations`, or an operation that is not documented. */
  readonly operation: string;
  /** Empty for a method without restrictions, which upstream stores as `true`. */
  readonly options: JsonObject;
}

const FlexAutoField = builder
  .objectRef<{ readonly field: string; readonly value: unknown }>('FlexAutoField')
  .implement({
    description: 'A field that upstream sets itself. It overwrites the value that the caller sends.',
    fields: (t) => ({
      field: t.exposeString('field', { nullable: false, description: 'Name of the field.' }),
      value: t.string({
        description: 'Source of the value: `{ip}`, `{cookie_key}`, `{user_id}` or `{user_name}`.',
        resolve: ({ value }) => text(value),
      }),
    }),
  });

export const FlexPublicMethod = builder.objectRef<PublicMethod>('FlexPublicMethod').implement({
  description: 'An operation that can be called without authorization. An option that is null sets no restriction.',
  fields: (t) => ({
    operation: t.field({
      type: FlexPublicOperation,
      description: 'The operation. An error for one that is not known: see `operationText`.',
      resolve: ({ operation }) => oneOf(wireValues(publicOperations))(operation),
    }),
    operationText: t.exposeString('operation', {
      nullable: false,
      description: 'The operation as upstream names it.',
    }),
    allowedFields: t.stringList({
      description: 'The fields that upstream accepts. It ignores other fields.',
      resolve: ({ options }) => texts(options['allowed_fields']),
    }),
    requiredFields: t.stringList({
      description: 'The fields that a request must have.',
      resolve: ({ options }) => texts(options['required_fields']),
    }),
    defaultValues: t.field({
      type: 'JSONObject',
      description: 'Values of fields that are missing in a request.',
      resolve: ({ options }) => options['default_values'],
    }),
    autoFields: t.field({
      type: [FlexAutoField],
      description:
        'Fields that upstream sets itself at every write, so that callers cannot forge them. Do not list fields that a ' +
        'backend sets.',
      resolve: ({ options }) => {
        const fields = options['auto_fields'];
        if (fields === undefined || fields === null) return null;
        return Object.entries(object(fields)).map(([field, value]) => ({ field, value }));
      },
    }),
    allowedParams: t.stringList({
      description: 'search: the allowed parameters.',
      resolve: ({ options }) => texts(options['allowed_params']),
    }),
    scopeBy: t.string({
      description: 'The field that identifies the owner of a record. Each caller sees only their own records.',
      resolve: ({ options }) => text(options['scope_by']),
    }),
  }),
});

/**
 * Checks the `public_methods` of a database.
 *
 * @returns the methods that are on: those of the document in its order, then all others; null when upstream sent no
 *   configuration. A method that is neither a boolean nor an object is left out, and is a problem of the list
 * @throws BadResponseError for a configuration that is no object
 */
export function parsePublicMethods(config: unknown): Rows<PublicMethod> | null {
  if (config === null || config === undefined) return null;
  const methods = new Map(Object.entries(object(config)));
  const names = new Set<string>([...wireValues(publicOperations), ...methods.keys()]);
  const isOn = (operation: string) => ![undefined, null, false].some((off) => off === methods.get(operation));
  return readableRows([...names].filter(isOn), (operation): PublicMethod | string => {
    const options = methods.get(operation);
    if (options === true) return { operation, options: {} };
    if (isObject(options)) return { operation, options };
    return `Expected a public method to be true or its options, got ${kindOf(options)}.`;
  });
}

const FlexAutoFieldInput = builder.inputType('FlexAutoFieldInput', {
  description: 'A field that upstream sets itself. It overwrites the value that the caller sends.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'Name of the field.' }),
    value: t.string({
      required: true,
      description: 'Source of the value: `{ip}`, `{cookie_key}`, `{user_id}` or `{user_name}`.',
    }),
  }),
});

const FlexPublicMethodInput = builder.inputType('FlexPublicMethodInput', {
  description: 'An operation to allow without authorization. Without options it has no restrictions.',
  fields: (t) => ({
    operation: t.field({ type: FlexPublicOperation, required: true, description: 'The operation.' }),
    allowedFields: t.stringList({ description: 'The fields that upstream accepts. It ignores other fields.' }),
    requiredFields: t.stringList({ description: 'The fields that a request must have.' }),
    defaultValues: t.field({ type: 'JSONObject', description: 'Values of fields that are missing in a request.' }),
    autoFields: t.field({
      type: [FlexAutoFieldInput],
      description: 'Fields that upstream sets itself at every write. Do not list fields that a backend sets.',
    }),
    allowedParams: t.stringList({ description: 'search: the allowed parameters.' }),
    scopeBy: t.string({
      description:
        'The field that identifies the owner of a record. Each caller sees only their own records. The field needs an ' +
        'entry in `autoFields`.',
    }),
  }),
});

interface PublicMethodsInput {
  readonly publicMethods?: readonly (typeof FlexPublicMethodInput.$inferInput)[] | null | undefined;
  readonly publicMethodsRaw?: JsonObject | null | undefined;
}

/** The two fields of an input that set the public methods. */
export const publicMethodInputFields = (t: InputFieldBuilder) => ({
  publicMethods: t.field({
    type: [FlexPublicMethodInput],
    description: 'Operations to allow without authorization. They replace all previous ones, with their options.',
  }),
  publicMethodsRaw: t.field({
    type: 'JSONObject',
    description:
      'The public methods as upstream stores them, such as `FlexDb.publicMethodsRaw`: it can hold operations and options ' +
      'that `publicMethods` does not know. Cannot be combined with `publicMethods`.',
  }),
});

/**
 * Maps the public methods to the wire. A method that is not in the list is off.
 *
 * @returns null and undefined unchanged
 * @throws ValidationError for both fields at once, and for an operation, or an automatic field, that appears twice
 */
export function publicMethodFields({
  publicMethods: methods,
  publicMethodsRaw: raw,
}: PublicMethodsInput): JsonObject | null | undefined {
  if (raw !== undefined && methods !== undefined) {
    throw invalidInput('publicMethodsRaw', 'cannot be combined with `publicMethods`');
  }
  if (raw !== undefined) return raw;
  if (!methods) return methods;
  assertUnique(
    methods.map(({ operation }) => operation),
    (index) => `publicMethods.${index}.operation`,
  );
  for (const [methodIndex, { autoFields }] of methods.entries()) {
    const path = (index: number) => `publicMethods.${methodIndex}.autoFields.${index}.field`;
    assertUnique(autoFields?.map(({ field }) => field) ?? [], path);
  }
  return Object.fromEntries(methods.map(({ operation, ...options }) => [operation, optionFields(options)]));
}

/** The methods and fields become keys of an object, so a duplicate would be lost. */
function assertUnique(names: readonly string[], path: (index: number) => string): void {
  const duplicate = names.findIndex((name, index) => names.indexOf(name) < index);
  if (duplicate === -1) return;
  throw new ValidationError(`${JSON.stringify(names[duplicate])} appears twice.`, {
    [path(duplicate)]: ['appears twice'],
  });
}

function optionFields(options: Omit<typeof FlexPublicMethodInput.$inferInput, 'operation'>): true | JsonObject {
  const { allowedFields, requiredFields, defaultValues, autoFields, allowedParams, scopeBy } = options;
  const fields = {
    allowed_fields: allowedFields,
    required_fields: requiredFields,
    default_values: defaultValues,
    auto_fields: autoFields && Object.fromEntries(autoFields.map(({ field, value }) => [field, value])),
    allowed_params: allowedParams,
    scope_by: scopeBy,
  };
  const setFields = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return setFields.length === 0 ? true : Object.fromEntries(setFields);
}
