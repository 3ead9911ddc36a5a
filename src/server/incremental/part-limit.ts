import { collectSubFields, GraphQLStreamDirective, mapSchema, MapperKind } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type FieldNode,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { isPromise } from 'graphql-yoga';
import type { Context } from '../../operation/context.ts';
import { QueryLimitError, ValidationError } from '../../http/errors.ts';
import { operationQuota } from '../../graphql/operation-state.ts';

/** The work that a field leaves for later parts of the response. */
interface DeferredWork {
  /** Rows of a streamed list in the initial part; Infinity when the list is not streamed. */
  readonly initialCount: number;
  /** Number of deferred fragments per object. */
  readonly fragments: number;
}

/**
 * Wraps the resolvers of a schema: a field throws a QueryLimitError when the operation would defer more than MAX_PAGE_SIZE
 * fragments and rows. The executor scans all of them for each part and each error.
 */
export function withPartLimit(schema: GraphQLSchema): GraphQLSchema {
  const reserveQuota = operationQuota();

  const reserve = (context: Context, count: number) => {
    const { pageSize } = context.limits;
    if (reserveQuota(context, count, pageSize)) return;
    const advice = 'ask for less at once, or without `@defer` and `@stream`.';
    throw new QueryLimitError(`The operation keeps more than MAX_PAGE_SIZE (${pageSize}) parts for later: ${advice}`);
  };

  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => {
      const isList = isListType(getNullableType(field.type));
      if (!isList && isLeafType(getNamedType(field.type))) return field;
      const { resolve = defaultFieldResolver } = field;
      return {
        ...field,
        resolve: (source, args, context: Context, info) => {
          const { initialCount, fragments } = deferredWork(info);
          if (!isList) {
            reserve(context, fragments);
            return resolve(source, args, context, info);
          }
          const value: unknown = resolve(source, args, context, info);
          const checked = (rows: unknown) => {
            const { length } = Array.isArray(rows) ? rows : [];
            try {
              reserve(context, length * fragments + Math.max(0, length - initialCount));
            } catch (error) {
              ignoreRejections(rows);
              throw error;
            }
            return rows;
          };
          return isPromise(value) ? value.then(checked) : checked(value);
        },
      };
    },
  });
}

/** Handles the rejections of rows that are promises: an unhandled rejection would end the process. */
function ignoreRejections(rows: unknown): void {
  for (const row of Array.isArray(rows) ? rows : []) if (isPromise(row)) row.catch(() => {});
}

/** Results by field. The executor passes the same array of nodes for each call of a field's resolver in an operation. */
const workByNodes = new WeakMap<readonly FieldNode[], DeferredWork>();

function deferredWork(info: GraphQLResolveInfo): DeferredWork {
  const work = workByNodes.get(info.fieldNodes) ?? computeDeferredWork(info);
  workByNodes.set(info.fieldNodes, work);
  return work;
}

function computeDeferredWork({
  schema,
  fragments,
  variableValues,
  returnType,
  fieldNodes,
}: GraphQLResolveInfo): DeferredWork {
  const type = getNamedType(returnType);
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type].filter(isObjectType);
  const deferred = types.map(
    (object) => collectSubFields(schema, fragments, variableValues, object, [...fieldNodes]).patches.length,
  );
  return { initialCount: initialCountOf(fieldNodes, variableValues), fragments: Math.max(0, ...deferred) };
}

/** The `initialCount` of `@stream` on the first node, which is the one that the executor uses. */
function initialCountOf([node]: readonly FieldNode[], variables: GraphQLResolveInfo['variableValues']): number {
  const stream = node && getDirectiveValues(GraphQLStreamDirective, node, variables);
  if (!stream?.['if']) return Infinity;
  const count = stream['initialCount'];
  if (typeof count === 'number' && count >= 0) return count;
  throw new ValidationError('`initialCount` of `@stream` takes 0 or more.', { initialCount: ['takes 0 or more'] });
}
