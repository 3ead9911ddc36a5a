import { collectFields, getArgumentValues } from '@graphql-tools/utils';
import {
  type ExecutionArgs,
  type FragmentDefinitionNode,
  getNullableType,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  Kind,
} from 'graphql';
import { argumentsOfWrite } from '../../graphql/absent-nulls.ts';
import { parseGlobalId } from '../../graphql/ids.ts';
import { isObject } from '../../http/formats/decode.ts';
import type { DocumentWrite } from '../../idempotency/writes/receipt-names.ts';

/**
 * Returns the writes of a valid mutation in the order in which they run, each with its arguments in one form, however a document
 * spells them: coerced, with the defaults of the schema, and with upstream ids in the place of global ones. To a creation, null is
 * the same as an input that is left out. A field whose arguments do not fit is no write.
 */
export function writesOf({ schema, document, operationName, variableValues }: ExecutionArgs): DocumentWrite[] {
  const node = getOperationAST(document, operationName);
  const type = schema.getMutationType();
  if (!node || !type) return [];
  const { coerced: variables = {} } = getVariableValues(schema, node.variableDefinitions ?? [], variableValues ?? {});
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] = each;
  const { fields } = collectFields(schema, fragments, variables, type, node.selectionSet);
  return [...fields].flatMap(([path, [field]]) => {
    const definition = field && type.getFields()[field.name.value];
    if (!definition) return [];
    try {
      const given = argumentsOfWrite(definition, getArgumentValues(definition, field, variables));
      return {
        path,
        field: definition.name,
        values: inOneForm(given, (name) => definition.args.find((argument) => argument.name === name)),
      };
    } catch (error) {
      if (error instanceof GraphQLError) return [];
      throw error;
    }
  });
}

function inOneForm(given: object, inputOf: (name: string) => Pick<GraphQLInputField, 'type'> | undefined): object {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    const input = inputOf(name);
    if (input) values[name] = formOf(value, input.type);
  }
  return values;
}

/** The value of an input in the form that all spellings of it share. */
function formOf(value: unknown, type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return Array.isArray(value) ? value.map((item: unknown) => formOf(item, bare.ofType)) : value;
  if (isInputObjectType(bare)) return isObject(value) ? inOneForm(value, (name) => bare.getFields()[name]) : value;
  if (typeof value !== 'string') return value;
  if (bare === GraphQLID) return parseGlobalId(value)?.id ?? value;
  return bare.name === 'Decimal' ? withoutEndZeros(value) : value;
}

/** Routers write `1.0` of a document as the variable 1. */
function withoutEndZeros(decimal: string): string {
  if (!decimal.includes('.')) return decimal;
  let end = decimal.length;
  while (decimal[end - 1] === '0') end -= 1;
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end);
}
