import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** A field of the response: the nodes that ask for it, and whether it may come in a later part. */
interface Selected {
  readonly nodes: FieldNode[];
  isDeferred: boolean;
}

/** Compares the data of a response with its operation and the schema. */
export class ResultShape {
  /** Descriptions of the differences that were found. */
  readonly differences: string[] = [];
  /** The texts of errors in the data: members of result unions that implement `MutationError`. */
  readonly errorTexts: string[] = [];
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  /** Checks the whole data of an operation. */
  check({ operation, selectionSet }: OperationDefinitionNode, data: unknown): void {
    const root = this.#schema.getRootType(operation);
    if (root) this.#object(root, selectionSet.selections, data, operation);
  }

  #object(type: GraphQLObjectType, selections: readonly SelectionNode[], value: unknown, path: string): void {
    if (!isRecord(value)) return void this.differences.push(`${path} is no object`);
    if (type.getInterfaces().some(({ name }) => name === 'MutationError')) this.errorTexts.push(...textsIn(value));
    const fields = this.#collect(type, selections, false, new Map());
    for (const name of Object.keys(value)) {
      if (!fields.has(name)) this.differences.push(`${path}.${name} was not selected`);
    }
    for (const [name, { nodes, isDeferred }] of fields) {
      const at = `${path}.${name}`;
      const field = this.#field(type, nodes[0]?.name.value ?? '');
      if (!field) this.differences.push(`${at} is no field of ${type.name}`);
      else if (Object.hasOwn(value, name)) this.#value(field.type, nodes, value[name], at);
      else if (!isDeferred) this.differences.push(`${at} is missing`);
    }
  }

  #value(type: GraphQLOutputType, nodes: readonly FieldNode[], value: unknown, path: string): void {
    if (isNonNullType(type)) {
      if (value === null) this.differences.push(`${path} is null, but its type is ${String(type)}`);
      else this.#value(type.ofType, nodes, value, path);
    } else if (value !== null) {
      this.#present(type, nodes, value, path);
    }
  }

  #present(type: GraphQLOutputType, nodes: readonly FieldNode[], value: unknown, path: string): void {
    if (isListType(type)) {
      if (!Array.isArray(value)) return void this.differences.push(`${path} is no list`);
      for (const [index, item] of value.entries()) this.#value(type.ofType, nodes, item, `${path}[${index}]`);
      return;
    }
    if (isLeafType(type)) {
      if (!isLeaf(type, value)) this.differences.push(`${path} is no ${type.name}: ${JSON.stringify(value)}`);
      return;
    }
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    if (isObjectType(type)) return this.#object(type, selections, value, path);
    const name = isRecord(value) ? value['__typename'] : undefined;
    const actual = typeof name === 'string' ? this.#schema.getType(name) : undefined;
    if (!isAbstractType(type) || name === undefined) return; // a damaged document may not ask for it
    if (isObjectType(actual) && this.#schema.isSubType(type, actual)) this.#object(actual, selections, value, path);
    else this.differences.push(`${path} is no ${type.name}`);
  }

  #field(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
    const meta = [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name);
    return meta ?? type.getFields()[name];
  }

  /** The fields that a selection of an object asks for, by their response names. */
  #collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    isDeferred: boolean,
    into: Map<string, Selected>,
  ): Map<string, Selected> {
    for (const node of selections) {
      if (!isIncluded(node)) continue;
      if (node.kind === Kind.FIELD) {
        add(into, node, isDeferred);
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node;
      const condition = fragment?.typeCondition?.name.value;
      const conditionType = condition === undefined ? type : this.#schema.getType(condition);
      const applies =
        conditionType === type || (isAbstractType(conditionType) && this.#schema.isSubType(conditionType, type));
      const isLater = isDeferred || node.directives?.some(({ name }) => name.value === 'defer') === true;
      if (fragment && applies) this.#collect(type, fragment.selectionSet.selections, isLater, into);
    }
    return into;
  }
}

function add(into: Map<string, Selected>, node: FieldNode, isDeferred: boolean): void {
  const name = node.alias?.value ?? node.name.value;
  const known = into.get(name);
  if (!known) return void into.set(name, { nodes: [node], isDeferred });
  known.nodes.push(node);
  known.isDeferred &&= isDeferred;
}

/** Whether `@skip` and `@include` keep a node. The fuzzer writes their arguments as literals. */
function isIncluded({ directives = [] }: SelectionNode): boolean {
  return directives.every(({ name, arguments: args = [] }) => {
    const [condition] = args.map(({ value }) => value.kind === Kind.BOOLEAN && value.value);
    return name.value === 'skip' ? condition !== true : name.value === 'include' ? condition !== false : true;
  });
}

function isLeaf(type: GraphQLScalarType | GraphQLEnumType, value: unknown): boolean {
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined && value !== null;
  switch (type.name) {
    case 'Int':
      return Number.isInteger(value) && Math.abs(Number(value)) <= 2_147_483_648;
    case 'SafeInt':
      return Number.isSafeInteger(value);
    case 'Float':
      return Number.isFinite(value);
    case 'Boolean':
      return typeof value === 'boolean';
    case 'JSON':
      return value !== undefined;
    case 'JSONObject':
      return isRecord(value);
    default:
      return typeof value === 'string';
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All texts in a value, its keys too. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}
