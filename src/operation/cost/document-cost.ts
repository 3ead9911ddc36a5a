import { memoize1 } from '@graphql-tools/utils';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Amount, oncePerRequest, product, sum } from './amounts.ts';
import { type IntrospectionSizes, introspectionSizesOf } from './introspection-sizes.ts';
import { listItems, pageRows, type VariableDefaults } from './list-sizes.ts';
import { valueCost } from './value-sizes.ts';

/** The cost of an object of the response, and of a write. */
const OBJECT = 1;
const WRITE = 10;

/** The cost of a selection. Below a connection it has two parts, because its `nodes` and `edges` have a row for each of its page. */
export interface SelectionCost {
  readonly once: Amount;
  readonly perRow: Amount;
  /** Of introspection: as `once`, which is for the largest type, but for each of all types, on average. */
  readonly perType: Amount;
}

const FREE: SelectionCost = { once: 0, perRow: 0, perType: 0 };
/** The fields of a connection that have a row for each of its page. */
export const ROWS: ReadonlySet<string> = new Set(['nodes', 'edges']);

/** The types of the fields that introspection begins with. */
const INTROSPECTION: ReadonlyMap<string, string> = new Map([
  ['__schema', '__Schema'],
  ['__type', '__Type'],
]);

/** The lists of introspection whose items are in no other list of the kind: below all types, each item is there once. */
const OF_ONE_TYPE: ReadonlySet<string> = new Set(['fields', 'inputFields', 'enumValues', 'args']);

/** The operation whose cost is measured, with what its document and the settings say about it. */
export interface MeasuredOperation {
  readonly schema: GraphQLSchema;
  readonly node: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly maxPageSize: number;
}

/** Measures the cost of a valid operation. A fragment counts at each spread, but is measured once. */
export function costOf(operation: MeasuredOperation): Amount {
  const { schema, node } = operation;
  const { once } = new CostMeasure(operation).selections(schema.getRootType(node.operation) ?? undefined, node);
  return typeof once === 'number' ? Math.ceil(once) : (request) => Math.ceil(once(request));
}

/** Kept as long as the schema: to read all of its types takes time. */
export const introspectionSizes = memoize1(introspectionSizesOf);

/** Measures the parts of an operation. */
export class CostMeasure {
  readonly #operation: MeasuredOperation;
  readonly #defaults: VariableDefaults;
  readonly #fragments = new Map<string, SelectionCost>();
  /** Of selections in a valid operation, where each has one parent type. Who looks for a part of the cost asks level by level. */
  readonly #selections = new Map<SelectionNode, SelectionCost>();

  constructor(operation: MeasuredOperation) {
    this.#operation = operation;
    const { variableDefinitions = [] } = operation.node;
    this.#defaults = new Map(variableDefinitions.map((given) => [given.variable.name.value, given.defaultValue]));
  }

  selections(
    type: GraphQLNamedType | undefined,
    { selectionSet }: { readonly selectionSet?: SelectionSetNode | undefined },
  ): SelectionCost {
    const costs = (selectionSet?.selections ?? []).map((selection) => this.selection(type, selection));
    return {
      once: sum(costs.map(({ once }) => once)),
      perRow: sum(costs.map(({ perRow }) => perRow)),
      perType: sum(costs.map(({ perType }) => perType)),
    };
  }

  selection(type: GraphQLNamedType | undefined, selection: SelectionNode): SelectionCost {
    const known = this.#selections.get(selection);
    if (known) return known;
    const measured = computedOnce(this.#measured(type, selection));
    this.#selections.set(selection, measured);
    return measured;
  }

  #measured(type: GraphQLNamedType | undefined, selection: SelectionNode): SelectionCost {
    if (isLeftOut(selection)) return FREE;
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#fragment(selection.name.value);
    if (selection.kind === Kind.FIELD) return this.#field(type, selection);
    const { typeCondition } = selection;
    return this.selections(typeCondition ? this.#type(typeCondition.name.value) : type, selection);
  }

  #fragment(name: string): SelectionCost {
    const known = this.#fragments.get(name);
    if (known) return known;
    this.#fragments.set(name, FREE); // ends a cycle, which validation refuses
    const fragment = this.#operation.fragments.get(name);
    const cost = fragment ? this.selections(this.#type(fragment.typeCondition.name.value), fragment) : FREE;
    const measured = computedOnce(cost);
    this.#fragments.set(name, measured);
    return measured;
  }

  #field(parent: GraphQLNamedType | undefined, node: FieldNode): SelectionCost {
    const name = node.name.value;
    if (parent && isIntrospectionType(parent)) return this.#introspected(parent, node);
    const introspected = INTROSPECTION.get(name);
    if (introspected !== undefined) return this.#introspection(introspected, node);
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    if (!field) return FREE; // `__typename`
    const type = getNamedType(field.type);
    const isWrite = parent === this.#operation.schema.getRootType(OperationTypeNode.MUTATION);
    if (!isCompositeType(type) && !isWrite) return { ...FREE, once: this.#value(parent, field, type) };
    const inner = this.selections(type, node);
    const each = sum([isWrite ? WRITE : OBJECT, inner.once, product(this.rows(field, node), inner.perRow)]);
    if (isConnection(parent) && ROWS.has(name)) return { ...FREE, perRow: each };
    return { ...FREE, once: product(this.items(field, node), each) };
  }

  #value(parent: GraphQLNamedType | undefined, field: GraphQLField<unknown, unknown>, type: GraphQLNamedType): number {
    if (!parent) return 0;
    return parent.name === '_Service' ? this.#sizes().printed : valueCost(parent, field, type);
  }

  #introspection(typeName: string, node: FieldNode): SelectionCost {
    const { once } = this.selections(this.#type(typeName), node);
    return { ...FREE, once: product(this.#sizes().unit, sum([1, once])) };
  }

  /** The number of objects and values that a field of introspection returns, with those below it. */
  #introspected(parent: GraphQLNamedType, node: FieldNode): SelectionCost {
    const name = node.name.value;
    const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
    const inner = this.selections(field && getNamedType(field.type), node);
    const [once, perType] = [sum([1, inner.once]), sum([1, inner.perType])];
    const { longest, average } = this.#sizes().lists.get(`${parent.name}.${name}`) ?? { longest: 1, average: 1 };
    if (name === 'types') return { ...FREE, once: product(longest, perType) };
    return {
      ...FREE,
      once: product(longest, once),
      perType: product(average, OF_ONE_TYPE.has(name) ? perType : once),
    };
  }

  #sizes(): IntrospectionSizes {
    return introspectionSizes(this.#operation.schema);
  }

  /** The rows of the page that a field returns; 0 for one that returns no connection. */
  rows(field: GraphQLField<unknown, unknown>, node: FieldNode): Amount {
    if (!isConnection(getNamedType(field.type))) return 0;
    return pageRows(field, node, this.#defaults, this.#operation.maxPageSize);
  }

  /** The items of the list that a field returns; 1 for one that returns none. */
  items(field: GraphQLField<unknown, unknown>, node: FieldNode): Amount {
    return isListType(getNullableType(field.type)) ? listItems(field, node, this.#defaults) : 1;
  }

  #type(name: string): GraphQLNamedType | undefined {
    return this.#operation.schema.getType(name);
  }
}

/** The same cost, whose parts are computed once for a request. */
function computedOnce(cost: SelectionCost): SelectionCost {
  return { ...cost, once: oncePerRequest(cost.once), perRow: oncePerRequest(cost.perRow) };
}

export function isConnection(type: GraphQLNamedType | undefined): boolean {
  return isObjectType(type) && type.name.endsWith('Connection');
}

/** Whether the document itself leaves a selection out, for any variables. */
function isLeftOut({ directives = [] }: SelectionNode): boolean {
  return directives.some(({ name, arguments: [condition] = [] }) => {
    if (condition?.value.kind !== Kind.BOOLEAN) return false;
    return (name.value === 'skip' && condition.value.value) || (name.value === 'include' && !condition.value.value);
  });
}
