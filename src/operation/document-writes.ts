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
import { FieldArguments, VariableCoercion } from '../execution/input-coercion.ts';
import { isAbsentNull, isCreation } from '../graph/field-rules.ts';
import { parseGlobalId } from '../graph/ids.ts';
import { canonicalJson, type DocumentWrite } from '../idempotency/receipt-names.ts';

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
  const [ofChange, ofCreation] = [inputForms(schema, false), inputForms(schema, true)];
  return [...fields].flatMap(([path, [field]]) => {
    const definition = field && type.getFields()[field.name.value];
    if (!definition) return [];
    try {
      const given = new FieldArguments(definition, field).coerce(variables);
      const form = isCreation(definition.name) ? ofCreation : ofChange;
      return { path, field: definition.name, arguments: form(given, definition.args) };
    } catch (error) {
      if (error instanceof GraphQLError) return [];
      throw error;
    }
  });
}

/** Longer forms are hashed, so that a large variable costs no more in many fields than in one. */
const MAX_FORM_LENGTH = 1_000;

type Inputs = readonly Pick<GraphQLInputField, 'name' | 'type' | 'extensions'>[];

/** Creates a function that writes inputs in a form that all of their spellings share: JSON, or a `#` and the hash of a long one. */
function inputForms(schema: GraphQLSchema, isOfCreations: boolean) {
  const known = new Map<unknown, string>(); // fields that use the same variable share its value
  const ofObject = (given: object, inputs: Inputs): string => {
    const forms = inputs.flatMap((input) => {
      const value: unknown = Reflect.get(given, input.name);
      if (value === undefined || (isOfCreations && isAbsentNull(value, input))) return [];
      return `${input.name}:${formOf(value, input.type)}`;
    });
    return `{${forms.join(',')}}`;
  };
  const formOf = (value: unknown, type: GraphQLInputType): string => {
    const earlier = known.get(value);
    if (earlier !== undefined) return earlier;
    const made = wholeForm(value, getNullableType(type));
    const form = made.length > MAX_FORM_LENGTH ? `#${hash('sha256', made, 'base64url')}` : made;
    if (typeof value === 'object' || form !== made) known.set(value, form);
    return form;
  };
  const wholeForm = (value: unknown, type: GraphQLInputType): string => {
    if (isListType(type) && Array.isArray(value))
      return `[${value.map((item: unknown) => formOf(item, type.ofType)).join(',')}]`;
    if (isInputObjectType(type) && typeof value === 'object' && value !== null)
      return ofObject(value, Object.values(type.getFields()));
    if (typeof value !== 'string') return canonicalJson(value);
    if (type === GraphQLID) return JSON.stringify(upstreamIdIn(value, schema));
    const hasEndZeros = 'name' in type && type.name === 'Decimal' && value.includes('.');
    return JSON.stringify(hasEndZeros ? value.replace(/(?:\.|(?<!0))0+$/, '') : value); // routers write `1.0` as the variable 1
  };
  return ofObject;
}

function upstreamIdIn(id: string, schema: GraphQLSchema): string {
  const parsed = parseGlobalId(id);
  return parsed && schema.getType(parsed.typename) ? parsed.id : id;
}
