import { builder } from '../builder.ts';
import { wireEnum, wireValues } from '../graphql/enums.ts';
import { isObject, type JsonObject, kindOf, object } from '../http/formats/decode.ts';
import { BadResponseError, ValidationError } from '../http/errors.ts';
import { text, texts } from '../http/formats/leaves.ts';

const operations = {
  list: 'Lists the records, newest first.',
  get: 'Reads one record.',
  create: 'Creates a record.',
  update: 'Changes a record.',
  delete: 'Deletes a record.',
  search: 'Searches the records.',
};
const FlexPublicOperation = wireEnum('FlexPublicOperation', 'What a public method does.', operations);

type Operation = keyof typeof operations;

interface Method {
  readonly operation: Operation;
  /** Empty where the method has no restrictions: upstream writes `true`. */
  readonly options: JsonObject;
}

const FlexAutoField = builder
  .objectRef<{ readonly field: string; readonly value: unknown }>('FlexAutoField')
  .implement({
    description: 'A field that upstream fills, over whatever the caller sends.',
    fields: (t) => ({
      field: t.exposeString('field', { nullable: false, description: 'The field.' }),
      value: t.string({
        description: 'What with: `{ip}`, `{cookie_key}`, `{user_id}` or `{user_name}`.',
        resolve: ({ value }) => text(value),
      }),
    }),
  });

export const FlexPublicMethod = builder.objectRef<Method>('FlexPublicMethod').implement({
  description: 'An operation that anybody may call without authorization. An option that is null does not restrict it.',
  fields: (t) => ({
    operation: t.expose('operation', { type: FlexPublicOperation, nullable: false, description: 'What it does.' }),
    allowedFields: t.stringList({
      description: 'Only these fields of a request pass; others are ignored.',
      resolve: ({ options }) => texts(options['allowed_fields']),
    }),
    requiredFields: t.stringList({
      description: 'Fields that a request must have.',
      resolve: ({ options }) => texts(options['required_fields']),
    }),
    defaultValues: t.field({
      type: 'JSONObject',
      description: 'Values of fields that a request lacks.',
      resolve: ({ options }) => options['default_values'],
    }),
    autoFields: t.field({
      type: [FlexAutoField],
      description:
        'Fields that upstream fills itself, so that nobody can forge them, at every write: do not use them on fields ' +
        'that a backend sets.',
      resolve: ({ options }) => {
        const fields = options['auto_fields'];
        if (fields === undefined || fields === null) return null;
        return Object.entries(object(fields)).map(([field, value]) => ({ field, value }));
      },
    }),
    allowedParams: t.stringList({
      description: 'search: the parameters that it takes.',
      resolve: ({ options }) => texts(options['allowed_params']),
    }),
    scopeBy: t.string({
      description: 'The field by which each caller sees only records of their own.',
      resolve: ({ options }) => text(options['scope_by']),
    }),
  }),
});

/** The public methods that are on, or null where upstream sent none. */
export function publicMethodsOf(config: unknown): Method[] | null {
  if (config === null || config === undefined) return null;
  const methods = object(config);
  return wireValues(operations).flatMap((operation) => {
    const options = methods[operation];
    if (options === undefined || options === null || options === false) return [];
    if (options === true) return [{ operation, options: {} }];
    if (isObject(options)) return [{ operation, options }];
    throw new BadResponseError(`Expected a public method to be true or its options, got ${kindOf(options)}.`);
  });
}

const FlexAutoFieldInput = builder.inputType('FlexAutoFieldInput', {
  description: 'A field that upstream fills, over whatever the caller sends.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'The field.' }),
    value: t.string({
      required: true,
      description: 'What with: `{ip}`, `{cookie_key}`, `{user_id}` or `{user_name}`.',
    }),
  }),
});

export const FlexPublicMethodInput = builder.inputType('FlexPublicMethodInput', {
  description: 'An operation to offer without authorization. Without any option it has no restrictions.',
  fields: (t) => ({
    operation: t.field({ type: FlexPublicOperation, required: true, description: 'What it does.' }),
    allowedFields: t.stringList({ description: 'Only these fields of a request pass; others are ignored.' }),
    requiredFields: t.stringList({ description: 'Fields that a request must have.' }),
    defaultValues: t.field({ type: 'JSONObject', description: 'Values of fields that a request lacks.' }),
    autoFields: t.field({
      type: [FlexAutoFieldInput],
      description: 'Fields that upstream fills itself at every write: do not use them on fields that a backend sets.',
    }),
    allowedParams: t.stringList({ description: 'search: the parameters that it takes.' }),
    scopeBy: t.string({
      description: 'The field by which each caller sees only records of their own; it takes an entry in `autoFields`.',
    }),
  }),
});

/** The public methods as upstream takes them; those that are not in the list are off. */
export function publicMethodFields(
  methods: readonly (typeof FlexPublicMethodInput.$inferInput)[] | null | undefined,
): JsonObject | null | undefined {
  if (!methods) return methods;
  assertUnique(
    methods.map(({ operation }) => operation),
    (index) => `publicMethods.${index}.operation`,
  );
  for (const [method, { autoFields }] of methods.entries()) {
    const path = (index: number) => `publicMethods.${method}.autoFields.${index}.field`;
    assertUnique(autoFields?.map(({ field }) => field) ?? [], path);
  }
  return Object.fromEntries(methods.map(({ operation, ...options }) => [operation, optionFields(options)]));
}

/** What stands twice would be lost. */
function assertUnique(names: readonly string[], path: (index: number) => string): void {
  const twin = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twin === -1) return;
  throw new ValidationError(`${JSON.stringify(names[twin])} stands twice.`, { [path(twin)]: ['stands twice'] });
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
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return given.length === 0 ? true : Object.fromEntries(given);
}
