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
  OperationTypeNode,
} from 'graphql';
import { isPromise } from 'graphql-yoga';
import type { Context } from '../../operation/context.ts';
import { QueryLimitError, ValidationError } from '../../http/errors.ts';
import { ofOperation, operationQuota } from '../../graphql/operation-state.ts';

/** The work that a field leaves for later parts of the response. */
interface DeferredWork {
  /** Rows of a streamed list in the initial part; Infinity when the list is not streamed. */
  readonly initialCount: number;
  /** Number of deferred fragments per object. */
  readonly fragments: number;
}

/** A promise that resolves when the initial payload of a response is complete. */
class Gate {
  open = (): void => {};
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

const ofGate = {};

/** Starts deferred and streamed work of a mutation. Called when its initial payload is complete. */
export function beginLater(context: Context): void {
  ofOperation(context, ofGate, Gate).open();
}

/**
 * Wraps the resolvers of a schema:
 *
 * - A field throws a QueryLimitError when the operation would defer more than MAX_PAGE_SIZE fragments and rows. The executor scans
 *   all of them for each part and each error.
 * - In a mutation, deferred fields and streamed rows start after all root fields have completed. The executor starts them early, in
 *   parallel with the writes of the following root fields, so that a payload could show a record from before such a write.
 */
export function withPartRules(schema: GraphQLSchema): GraphQLSchema {
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
      const isLeaf = !isList && isLeafType(getNamedType(field.type));
      const { resolve = defaultFieldResolver } = field;
      return {
        ...field,
        resolve: (source, args, context: Context, info) => {
          const isMutation = info.operation.operation === OperationTypeNode.MUTATION;
          const run = (): unknown => resolve(source, args, context, info);
          const later = <T>(begin: () => T) => ofOperation(context, ofGate, Gate).opened.then(begin);
          const work = isLeaf ? undefined : deferredWork(info);
          if (!isList && work) reserve(context, work.fragments);
          const [node] = info.fieldNodes;
          const value = isMutation && node && deferredNodes.has(node) ? later(run) : run();
          if (!isList || !work) return value;
          const checked = (rows: unknown) => {
            if (!Array.isArray(rows)) return rows;
            const { length } = rows;
            try {
              reserve(context, length * work.fragments + Math.max(0, length - work.initialCount));
            } catch (error) {
              ignoreRejections(rows);
              throw error;
            }
            if (!isMutation || length <= work.initialCount) return rows;
            ignoreRejections(rows);
            return rows.map((row: unknown, index) => (index < work.initialCount ? row : later(() => row)));
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

/** The first nodes of fields in deferred fragments. `splitFragments` copies all nodes for each execution, so none is in two. */
const deferredNodes = new WeakSet<FieldNode>();

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
  const deferred = types.map((object) => {
    const { patches } = collectSubFields(schema, fragments, variableValues, object, [...fieldNodes]);
    for (const { fields } of patches) for (const [node] of fields.values()) if (node) deferredNodes.add(node);
    return patches.length;
  });
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
