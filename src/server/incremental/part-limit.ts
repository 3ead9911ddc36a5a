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
import type { Context } from '../../context.ts';
import { QueryLimitError, ValidationError } from '../../http/errors.ts';
import { operationQuota } from '../../graphql/quota.ts';

/** What a field keeps for later parts of the answer. */
interface DeferredWork {
  /** How many rows of a streamed list come at once. */
  readonly initialCount: number;
  /** How many fragments of each object are deferred. */
  readonly fragments: number;
}

/**
 * The schema for answers in parts, with fields that refuse to keep more than MAX_PAGE_SIZE fragments and rows of an
 * operation for later: all of them are looked through whenever one has come, and for every error.
 */
export function withPartLimit(schema: GraphQLSchema): GraphQLSchema {
  const take = operationQuota();

  const reserve = (context: Context, count: number) => {
    const { pageSize } = context.limits;
    if (take(context, count, pageSize)) return;
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

/** Rows may be promises. One that fails when nobody waits for it would end the process. */
function ignoreRejections(rows: unknown): void {
  for (const row of Array.isArray(rows) ? rows : []) if (isPromise(row)) row.catch(() => {});
}

/** The executor has an array of nodes of its own for each field of an operation. */
const known = new WeakMap<readonly FieldNode[], DeferredWork>();

function deferredWork(info: GraphQLResolveInfo): DeferredWork {
  const later = known.get(info.fieldNodes) ?? computeDeferredWork(info);
  known.set(info.fieldNodes, later);
  return later;
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

/** The executor goes by the first of the nodes. */
function initialCountOf([node]: readonly FieldNode[], variables: GraphQLResolveInfo['variableValues']): number {
  const stream = node && getDirectiveValues(GraphQLStreamDirective, node, variables);
  if (!stream?.['if']) return Infinity;
  const count = stream['initialCount'];
  if (typeof count === 'number' && count >= 0) return count;
  throw new ValidationError('`initialCount` of `@stream` takes 0 or more.', { initialCount: ['takes 0 or more'] });
}
