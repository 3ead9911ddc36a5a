import { hash } from 'node:crypto';
import { collectFields } from '@graphql-tools/utils';
import {
  type ExecutionArgs,
  type FragmentDefinitionNode,
  getNullableType,
  getOperationAST,
  GraphQLError,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  Kind,
} from 'graphql';
import { FieldArguments, VariableCoercion } from '../../execution/input-coercion.ts';
import { isAbsentNull, isCreation } from '../../graphql/absent-nulls.ts';
import { parseGlobalId } from '../../graphql/ids.ts';
import { canonicalJson, type DocumentWrite } from '../../idempotency/writes/receipt-names.ts';

/**
 * Returns the writes of a valid mutation in the order in which they run, each with its arguments in one form, however a document
 * spells them: coerced, with the defaults of the schema, and with upstream ids in the place of global ones. To a creation, null is
 * the same as an input that is left out. A field whose arguments do not fit is no write.
 */
export function writesOf({ schema, document, operationName, variableValues }: ExecutionArgs): DocumentWrite[] {
  const node = getOperationAST(document, operationName);
  const type = schema.getMutationType();
  const { values: variables } = (node && new VariableCoercion(schema, node).coerce(variableValues ?? {})) ?? {};
  if (!node || !type || !variables) throw new Error('A write under a key belongs to no valid mutation.');
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] = each;
  const { fields } = collectFields(schema, fragments, variables, type, node.selectionSet);
  const forms = { changes: new InputForms(schema, false), creations: new InputForms(schema, true) };
  return [...fields].flatMap(([path, [field]]) => {
    const definition = field && type.getFields()[field.name.value];
    if (!definition) return [];
    try {
      const given = new FieldArguments(definition, field).coerce(variables);
      const form = isCreation(definition.name) ? forms.creations : forms.changes;
      return { path, field: definition.name, arguments: form.ofObject(given, definition.args) };
    } catch (error) {
      if (error instanceof GraphQLError) return [];
      throw error;
    }
  });
}

/** Longer forms are hashed, so that a large variable costs no more in many fields than in one. */
const MAX_FORM_LENGTH = 1_000;

/** Writes the values of inputs in a form that all of their spellings share: JSON, or a `#` and the hash of a long one. */
class InputForms {
  readonly #schema: GraphQLSchema;
  readonly #isOfCreations: boolean;
  /** Fields that use the same variable share its value. */
  readonly #known = new Map<unknown, string>();

  constructor(schema: GraphQLSchema, isOfCreations: boolean) {
    this.#schema = schema;
    this.#isOfCreations = isOfCreations;
  }

  ofObject(given: object, inputs: readonly Pick<GraphQLInputField, 'name' | 'type' | 'extensions'>[]): string {
    const forms = inputs.flatMap((input) => {
      const value: unknown = Reflect.get(given, input.name);
      if (value === undefined || (this.#isOfCreations && isAbsentNull(value, input))) return [];
      return `${input.name}:${this.#of(value, input.type)}`;
    });
    return `{${forms.join(',')}}`;
  }

  #of(value: unknown, type: GraphQLInputType): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const made = this.#made(value, getNullableType(type));
    const form = made.length > MAX_FORM_LENGTH ? `#${hash('sha256', made, 'base64url')}` : made;
    if (typeof value === 'object' || form !== made) this.#known.set(value, form);
    return form;
  }

  #made(value: unknown, type: GraphQLInputType): string {
    if (isListType(type) && Array.isArray(value))
      return `[${value.map((item: unknown) => this.#of(item, type.ofType)).join(',')}]`;
    if (isInputObjectType(type) && typeof value === 'object' && value !== null)
      return this.ofObject(value, Object.values(type.getFields()));
    if (type === GraphQLID && typeof value === 'string') return JSON.stringify(this.#upstreamId(value));
    const isDecimal = 'name' in type && type.name === 'Decimal' && typeof value === 'string';
    return canonicalJson(isDecimal ? withoutEndZeros(value) : value);
  }

  #upstreamId(id: string): string {
    const { typename = '', id: upstreamId } = parseGlobalId(id) ?? {};
    return upstreamId !== undefined && this.#schema.getType(typename) ? upstreamId : id;
  }
}

/** Routers write `1.0` of a document as the variable 1. */
function withoutEndZeros(decimal: string): string {
  if (!decimal.includes('.')) return decimal;
  let end = decimal.length;
  while (decimal[end - 1] === '0') end -= 1;
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end);
}
