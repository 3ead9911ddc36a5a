import { getDeferValues, GraphQLStreamDirective, shouldIncludeNode } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type FieldNode,
  type FragmentSpreadNode,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type InlineFragmentNode,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { isPromise } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { withResolvers } from '../../execution/schema-view.ts';
import { QueryLimitError, ValidationError } from '../../errors.ts';
import { ofOperation, operationQuota } from '../../graph/operation-state.ts';

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

  return withResolvers<Context>(schema, (field) => {
    const isList = isListType(getNullableType(field.type));
    const isLeaf = !isList && isLeafType(getNamedType(field.type));
    const { resolve = defaultFieldResolver } = field;
    return (source, args, context, info) => {
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
    };
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

function computeDeferredWork(info: GraphQLResolveInfo): DeferredWork {
  const counting = new DeferredFragments(info);
  for (const { selectionSet } of info.fieldNodes) if (selectionSet) counting.visit(selectionSet, undefined, false);
  return { initialCount: initialCountOf(info.fieldNodes, info.variableValues), fragments: counting.mostPerObject };
}

/**
 * Counts the deferred fragments of an object, whichever type it has, and marks the fields in them. Takes time by the selection: an
 * interface may have 12,000 types.
 */
class DeferredFragments {
  readonly #info: GraphQLResolveInfo;
  /** By the object type that they are for; those of all objects are under undefined. */
  readonly #counts = new Map<string | undefined, number>();
  /** Named fragments by the object type: an object has each once. */
  readonly #visited = new Set<string>();

  constructor(info: GraphQLResolveInfo) {
    this.#info = info;
  }

  /** An upper bound for one object: fragments on interfaces are counted for every type. */
  get mostPerObject(): number {
    const ofTypes = [...this.#counts].map(([type, count]) => (type === undefined ? 0 : count));
    return (this.#counts.get(undefined) ?? 0) + Math.max(0, ...ofTypes);
  }

  /** @param type the object type that the selection is for. Undefined where it is for all */
  visit({ selections }: SelectionSetNode, type: string | undefined, isDeferred: boolean): void {
    const { variableValues } = this.#info;
    for (const selection of selections) {
      if (!shouldIncludeNode(variableValues, selection)) continue;
      if (selection.kind !== Kind.FIELD) this.#visitFragment(selection, type, isDeferred);
      else if (isDeferred) deferredNodes.add(selection);
    }
  }

  #visitFragment(
    selection: FragmentSpreadNode | InlineFragmentNode,
    outer: string | undefined,
    isDeferred: boolean,
  ): void {
    const { schema, fragments, variableValues } = this.#info;
    const isNamed = selection.kind === Kind.FRAGMENT_SPREAD;
    const fragment = isNamed ? fragments[selection.name.value] : selection;
    if (!fragment) return;
    const condition = fragment.typeCondition?.name.value ?? '';
    const type = isObjectType(schema.getType(condition)) ? condition : outer;
    const isPart = getDeferValues(variableValues, selection) !== undefined;
    if (isPart) this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    else if (isNamed) {
      const key = `${type ?? ''} ${selection.name.value}`;
      if (this.#visited.has(key)) return;
      this.#visited.add(key);
    }
    this.visit(fragment.selectionSet, type, isDeferred || isPart);
  }
}

/** The `initialCount` of `@stream` on the first node, which is the one that the executor uses. */
function initialCountOf([node]: readonly FieldNode[], variables: GraphQLResolveInfo['variableValues']): number {
  const stream = node && getDirectiveValues(GraphQLStreamDirective, node, variables);
  if (!stream?.['if']) return Infinity;
  const count = stream['initialCount'];
  if (typeof count === 'number' && count >= 0) return count;
  throw new ValidationError('`initialCount` of `@stream` takes 0 or more.', { initialCount: ['takes 0 or more'] });
}
