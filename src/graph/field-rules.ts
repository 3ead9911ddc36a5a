import SchemaBuilder, { BasePlugin, isThenable, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  getNullableType,
  type GraphQLFieldResolver,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  isInputObjectType,
  isListType,
  responsePathAsArray,
} from 'graphql';
import type { Context } from '../operation/context.ts';
import type { GatewayError } from '../errors.ts';
import { Rows } from '../formats/rows.ts';
import { explained } from './under-key.ts';

// Rules of all fields that return lists, and of all mutations, however their types are made. The plugin at the end adds them.

/** In the extensions of a field: its values are long texts, which count in the cost of an operation. */
export const LONG_TEXT = 'longText';

/**
 * Reports the problems of rows or of a page at the field that returns them, and those of a page at the first field of it that has
 * read the rows: where these fields alone are deferred, the page is read with them.
 *
 * @param page undefined for a field of another object
 * @returns the rows as an array; any other value itself
 */
function showProblems(value: unknown, context: object, info: GraphQLResolveInfo, page: unknown): unknown {
  if (isPage(page)) reportProblems(page, context, info);
  if (value instanceof Rows) return [...reportProblems(value, context, info)];
  return isPage(value) ? reportProblems(value, context, info) : value;
}

/** Reports the problems of rows or of a page at the field that returns them. Returns the value itself. */
export function reportProblems<Value extends WithProblems>(
  value: Value,
  context: object,
  info: GraphQLResolveInfo,
): Value {
  const { problems = [] } = value;
  if (problems.length === 0 || !isOperation(context)) return value;
  const place = value instanceof Rows ? info : value; // several fields may show the same rows
  for (const problem of problems) context.notices.report(problem, info, place);
  return value;
}

/** Runs the resolver of a mutation: it keeps the outcome of its write, and its reads share no calls with other operations. */
export async function runMutation(resolve: () => unknown, context: object, info: GraphQLResolveInfo): Promise<unknown> {
  return isOperation(context) ? keepOutcome(resolve, context, info) : resolve();
}

function isOperation(context: object): context is Pick<Context, 'notices' | 'writes' | 'keyed' | 'forbidSharing'> {
  return 'notices' in context && 'forbidSharing' in context;
}

async function keepOutcome(
  resolve: () => unknown,
  context: Pick<Context, 'writes' | 'keyed' | 'forbidSharing'>,
  { path }: GraphQLResolveInfo,
): Promise<unknown> {
  const { writes } = context;
  context.forbidSharing();
  writes.enter(path);
  try {
    return await resolve();
  } catch (error) {
    return await explained(error, context);
  } finally {
    writes.keep(responsePathAsArray(path)); // an error may also come after the resolver, from the type of its result
  }
}

/** Rows, or a page of a connection. The page's type is not imported: the builder of the schema is made with these rules. */
interface WithProblems {
  readonly problems?: readonly GatewayError[];
}

function isPage(value: unknown): value is WithProblems {
  return typeof value === 'object' && value !== null && 'rows' in value && 'hasNextPage' in value;
}

/** In the extensions of an input field: null is a value in a creation, too. */
export const NULL_IS_VALUE = 'nullIsValue';

type Input = Pick<GraphQLInputField, 'name' | 'type' | 'extensions'>;

export const isCreation = (mutation: string): boolean => /^(create|add)/.test(mutation);

/** Whether an input of a creation is the same as one that is left out. */
export function isAbsentNull(value: unknown, { extensions }: Pick<Input, 'extensions'>): boolean {
  return value === null && extensions[NULL_IS_VALUE] !== true;
}

/**
 * Returns the inputs of a creation without those that are null: generated clients send null for what was not set, and upstream has
 * nothing to clear yet. Items of lists, and nulls inside JSON values, stay as they are.
 */
function withoutNulls<Given extends object>(given: Given, inputs: readonly Input[]): Given {
  const copy = { ...given }; // fields that use the same variable share its value
  for (const input of inputs) {
    const value: unknown = Reflect.get(copy, input.name);
    if (isAbsentNull(value, input)) Reflect.deleteProperty(copy, input.name);
    else if (typeof value === 'object') Reflect.set(copy, input.name, withoutInnerNulls(value, input.type));
  }
  return copy;
}

function withoutInnerNulls(value: unknown, type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare) && Array.isArray(value)) return value.map((item) => withoutInnerNulls(item, bare.ofType));
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return value;
  return withoutNulls(value, Object.values(bare.getFields()));
}

function argumentsOfCreation(args: object, { parentType, fieldName }: GraphQLResolveInfo): object {
  return withoutNulls(args, parentType.getFields()[fieldName]?.args ?? []);
}

/** The name of the plugin, for the list of the builder. */
export const NOTICES_PLUGIN = 'notices' as const;

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Pothos looks for the types of plugins there
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NOTICES_PLUGIN]: NoticesPlugin<Types>;
    }
  }
}

/**
 * Adds four rules to the resolvers of every slice: a field that returns a list, a connection or a part of one reports its
 * problems, a mutation keeps the outcome of its write, and its reads share no calls with other operations. To a creation, null is
 * the same as an input that is left out.
 *
 * It comes last in the list of plugins, so that it sees what the resolvers return: the plugin of loaders copies lists.
 */
class NoticesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (field.kind === 'Mutation') {
      const given = isCreation(field.name) ? argumentsOfCreation : (args: object) => args;
      return (root, args, context, info) =>
        runMutation(() => resolve(root, given(args, info), context, info), context, info);
    }
    const isOfPage = /(Connection|PageInfo)$/.test(field.parentType);
    if (!isOfPage && !this.#canHaveProblems(field)) return resolve;
    return (parent, args, context, info) => {
      const result = resolve(parent, args, context, info);
      const show = (value: unknown) => showProblems(value, context, info, isOfPage ? parent : undefined);
      return isThenable(result) ? result.then(show) : show(result);
    };
  }

  #canHaveProblems({ type }: PothosOutputFieldConfig<Types>): boolean {
    if (type.kind === 'List') return true;
    return type.kind === 'Object' && this.buildCache.getTypeConfig(type.ref).name.endsWith('Connection');
  }
}

SchemaBuilder.registerPlugin(NOTICES_PLUGIN, NoticesPlugin);
