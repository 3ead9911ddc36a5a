import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import { FieldArguments, type Values } from './input-coercion.ts';

/** One operation of a document, with the parts of the document that resolvers may ask for. */
export interface Operation {
  readonly schema: GraphQLSchema;
  readonly node: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

/** A selected field of an object type. */
export class FieldPlan {
  readonly responseName: string;
  readonly nodes: FieldNode[];
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly completion: Completion;
  readonly arguments: FieldArguments;
  readonly #plan: OperationPlan;
  #selectedType: GraphQLObjectType | undefined;
  #selected: readonly FieldPlan[] = [];

  constructor(
    plan: OperationPlan,
    parentType: GraphQLObjectType,
    responseName: string,
    [nodes, node, definition]: readonly [FieldNode[], FieldNode, GraphQLField<unknown, unknown>],
  ) {
    this.responseName = responseName;
    this.nodes = nodes;
    this.parentType = parentType;
    this.definition = definition;
    this.resolve = definition.resolve ?? defaultFieldResolver;
    this.completion = completionOf(definition.type);
    this.arguments = new FieldArguments(definition, node);
    this.#plan = plan;
  }

  /** The fields that are selected on a value of this field, once its object type is known. */
  selection(type: GraphQLObjectType): readonly FieldPlan[] {
    if (type === this.#selectedType) return this.#selected; // the rows of most lists have one type
    this.#selected = this.#plan.selection(this, type);
    this.#selectedType = type;
    return this.#selected;
  }
}

/**
 * Checks an object that a leaf passes on unchanged, in the place of `serialize`, and counts the characters of its JSON. A
 * scalar has it as the extension `measure`. @throws Error for an object that it refuses
 */
export type LeafMeasure = (value: object) => number;

/** How the value of a field, or an item of its list, becomes a part of the response. */
export type Completion = { readonly isNonNull: boolean } & (
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType; readonly measure: LeafMeasure | undefined }
  | { readonly kind: 'list'; readonly item: Completion }
  | { readonly kind: 'abstract'; readonly type: GraphQLAbstractType }
  | { readonly kind: 'object'; readonly type: GraphQLObjectType }
);

/**
 * The plan of one operation for variables that select the same fields. Selections are planned when they are first needed,
 * each once: a list of thousands of records collects its fields once.
 */
export class OperationPlan {
  readonly operation: Operation;
  readonly rootType: GraphQLObjectType;
  readonly rootFields: readonly FieldPlan[];
  readonly #variables: Values;
  readonly #onTooLarge: () => void;
  #fieldsLeft: number;
  readonly #selections = new Map<FieldPlan, Map<GraphQLObjectType, readonly FieldPlan[]>>();

  /**
   * @param variables the variables that `@skip` and `@include` use
   * @param maxFields the number of fields of a plan that may be kept: fragments that are spread many times make a plan larger
   *   than its document
   * @param onTooLarge called when the plan grows beyond it
   */
  constructor(
    operation: Operation,
    rootType: GraphQLObjectType,
    variables: Values,
    { maxFields, onTooLarge }: { readonly maxFields: number; readonly onTooLarge: () => void },
  ) {
    const { schema, fragments, node } = operation;
    this.operation = operation;
    this.rootType = rootType;
    this.#variables = variables;
    this.#fieldsLeft = maxFields;
    this.#onTooLarge = onTooLarge;
    const { fields } = collectFields(schema, fragments, { ...variables }, rootType, node.selectionSet);
    this.rootFields = this.#planFields(rootType, fields);
  }

  /** The fields that are selected below a field, on a value of an object type. */
  selection(field: FieldPlan, type: GraphQLObjectType): readonly FieldPlan[] {
    const byType = this.#selections.get(field) ?? new Map<GraphQLObjectType, readonly FieldPlan[]>();
    this.#selections.set(field, byType);
    const known = byType.get(type);
    if (known) return known;
    const { schema, fragments } = this.operation;
    const { fields } = collectSubFields(schema, fragments, { ...this.#variables }, type, field.nodes);
    const planned = this.#planFields(type, fields);
    byType.set(type, planned);
    return planned;
  }

  #planFields(parentType: GraphQLObjectType, fields: ReadonlyMap<string, FieldNode[]>): readonly FieldPlan[] {
    const planned: FieldPlan[] = [];
    for (const [responseName, nodes] of fields) {
      const [node] = nodes;
      const definition = node && fieldDefinition(this.operation.schema, parentType, node.name.value);
      if (!definition) continue;
      planned.push(new FieldPlan(this, parentType, responseName, [nodes, node, definition]));
    }
    if (this.#fieldsLeft >= 0 && planned.length > this.#fieldsLeft) this.#onTooLarge();
    this.#fieldsLeft -= planned.length;
    return planned;
  }
}

/** Finds a field of a type, `__typename` and the fields of introspection included. */
function fieldDefinition(
  schema: GraphQLSchema,
  parentType: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const isQuery = parentType === schema.getQueryType();
  if (isQuery && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (isQuery && name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return parentType.getFields()[name];
}

function completionOf(type: GraphQLOutputType): Completion {
  const isNonNull = isNonNullType(type);
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { isNonNull, kind: 'list', item: completionOf(nullable.ofType) };
  if (isLeafType(nullable)) {
    const { measure } = nullable.extensions;
    return { isNonNull, kind: 'leaf', type: nullable, measure: isMeasure(measure) ? measure : undefined };
  }
  if (isAbstractType(nullable)) return { isNonNull, kind: 'abstract', type: nullable };
  return { isNonNull, kind: 'object', type: nullable };
}

function isMeasure(value: unknown): value is LeafMeasure {
  return typeof value === 'function';
}

/** The parts of a document that decide how its operations are planned. */
export interface DocumentTraits {
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /** The variables that `@skip` and `@include` use: their values decide which fields are selected. */
  readonly conditions: readonly string[];
  /** The number of tokens. */
  readonly size: number;
  /** Whether it has `@defer` or `@stream`. */
  readonly hasParts: boolean;
  /** Whether plans cannot execute the document: it has directives of parts, or a key that objects treat in another way. */
  readonly isUnplannable: boolean;
}

/** Reads the traits of a document. */
export function traitsOf(document: DocumentNode): DocumentTraits {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  const conditions = new Set<string>();
  let hasParts = false;
  let isUnplannable = false;
  visit(document, {
    FragmentDefinition: (fragment) => {
      fragments[fragment.name.value] = fragment;
    },
    Field: ({ alias }) => {
      if (alias?.value === '__proto__') isUnplannable = true; // assigning it would change the prototype
    },
    Directive: ({ name, arguments: given = [] }) => {
      if (name.value === 'defer' || name.value === 'stream') hasParts = true;
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  let size = 0;
  for (let token = document.loc?.startToken; token; token = token.next ?? undefined) size += 1;
  return { fragments, conditions: [...conditions], size, hasParts, isUnplannable: isUnplannable || hasParts };
}
