import {
  type FieldNode,
  type FragmentSpreadNode,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type InlineFragmentNode,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { shownPath } from '../document-sizes.ts';
import { numberOf, type RequestValues } from './amounts.ts';
import { CostMeasure, isConnection, type MeasuredOperation, ROWS } from './document-cost.ts';
import { lengthArgument } from './list-sizes.ts';

/** A list of an operation, and its share in the cost. */
export interface CostlyList {
  readonly node: FieldNode;
  /** The argument that tells its length: `first`, `last`, or one such as `ids`. */
  readonly argument: string;
  /** The path of its field in the response, without indexes. */
  readonly path: string;
  /** The rows of its page, or the items that an argument asks for. */
  readonly rows: number;
  readonly cost: number;
}

/** A selection on the way to what costs most. */
interface Step {
  readonly type: GraphQLNamedType | undefined;
  readonly selectionSet: SelectionSetNode | undefined;
  /** How many objects of the response have these selections. */
  readonly times: number;
  /** The rows of the page around them. 0 outside of a connection. */
  readonly rows: number;
}

/**
 * Finds the longest list on the way from the operation to what costs most in it: at each level that leads on by the costliest
 * selection. Of equally long lists the outer one.
 *
 * @returns undefined where no list with a size of its own is on the way
 */
export function costliestList(operation: MeasuredOperation, request: RequestValues): CostlyList | undefined {
  const { schema, node, fragments } = operation;
  const measure = new CostMeasure(operation);
  const path: string[] = [];
  let longest: CostlyList | undefined;

  const costOf = ({ type, times, rows }: Step, selection: SelectionNode): number => {
    const { once, perRow } = measure.selection(type, selection);
    return times * (numberOf(once, request) + rows * numberOf(perRow, request));
  };

  const intoFragment = (step: Step, selection: FragmentSpreadNode | InlineFragmentNode): Step | undefined => {
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const condition = fragment?.typeCondition?.name.value;
    const type = condition === undefined ? step.type : schema.getType(condition);
    return fragment && { ...step, type, selectionSet: fragment.selectionSet };
  };

  const intoField = (step: Step, selection: FieldNode, cost: number): Step | undefined => {
    path.push((selection.alias ?? selection.name).value);
    const field = fieldOf(step.type, selection);
    if (!field) return undefined; // of introspection, whose lists have the sizes of the schema
    const rows = numberOf(measure.rows(field, selection), request);
    const items = numberOf(measure.items(field, selection), request);
    const argument = isConnection(getNamedType(field.type)) ? pageArgument(selection) : lengthArgument(field);
    const size = rows || items;
    if (argument !== undefined && size > (longest?.rows ?? 1))
      longest = { node: selection, argument, path: shownPath(path), rows: size, cost };
    const isRow = isConnection(step.type) && ROWS.has(selection.name.value);
    const times = step.times * (isRow ? step.rows : items);
    return { type: getNamedType(field.type), selectionSet: selection.selectionSet, times, rows };
  };

  let step: Step | undefined = {
    type: schema.getRootType(node.operation) ?? undefined,
    selectionSet: node.selectionSet,
    times: 1,
    rows: 0,
  };
  while (step) {
    const here: Step = step;
    const [first, ...others] = (here.selectionSet?.selections ?? []).map(
      (selection) => [selection, costOf(here, selection)] as const,
    );
    if (!first) break;
    const [costliest, cost] = others.reduce((most, next) => (next[1] > most[1] ? next : most), first);
    step = costliest.kind === Kind.FIELD ? intoField(here, costliest, cost) : intoFragment(here, costliest);
  }
  return longest;
}

function fieldOf(type: GraphQLNamedType | undefined, { name }: FieldNode): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
}

function pageArgument(node: FieldNode): 'first' | 'last' {
  return node.arguments?.some(({ name }) => name.value === 'last') ? 'last' : 'first';
}
