import {
  type ASTNode,
  type ASTVisitor,
  doTypesOverlap,
  GraphQLError,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  KnownTypeNamesRule,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  PossibleFragmentSpreadsRule,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

// The validation of a document takes time by its size. Two rules of graphql-js take time by the size of the schema, too: with
// typed databases it has up to 54,000 types, 12,000 of which are a `Node`.

/** Replaces the rules of graphql-js that read the whole schema. */
export function boundedRules(rules: readonly ValidationRule[]): readonly ValidationRule[] {
  return rules.map((rule) => BOUNDED.get(rule) ?? rule);
}

const BOUNDED: ReadonlyMap<ValidationRule, ValidationRule> = new Map<ValidationRule, ValidationRule>([
  [KnownTypeNamesRule, knownTypeNames],
  [PossibleFragmentSpreadsRule, possibleSpreads],
]);

/** That of graphql-js lists all types before it looks at the document. */
function knownTypeNames(context: ValidationContext): ASTVisitor {
  return {
    NamedType(node) {
      if (context.getSchema().getType(node.name.value)) return;
      context.reportError(new GraphQLError(`Unknown type "${node.name.value}".`, { nodes: node }));
    },
  };
}

/** That of graphql-js looks for a type that belongs to both of two abstract types at each spread, and among those of the one outside. */
function possibleSpreads(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  const known = new Map<GraphQLCompositeType, Map<GraphQLCompositeType, boolean>>();

  const overlap = (inner: GraphQLCompositeType, outer: GraphQLCompositeType): boolean => {
    const ofInner = known.get(inner) ?? new Map<GraphQLCompositeType, boolean>();
    known.set(inner, ofInner);
    const overlaps = ofInner.get(outer) ?? haveType(schema, inner, outer);
    ofInner.set(outer, overlaps);
    return overlaps;
  };

  const check = (node: ASTNode, subject: string, inner: GraphQLNamedType | null | undefined) => {
    const outer = context.getParentType();
    if (!isCompositeType(inner) || !outer || overlap(inner, outer)) return;
    const message = `${subject} cannot be spread here as objects of type "${outer.name}" can never be of type "${inner.name}".`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  };

  return {
    InlineFragment(node) {
      const type = context.getType();
      check(node, 'Fragment', isCompositeType(type) ? type : undefined);
    },
    FragmentSpread(node) {
      const name = node.name.value;
      const fragment = context.getFragment(name);
      check(node, `Fragment "${name}"`, fragment && typeFromAST(schema, fragment.typeCondition));
    },
  };
}

/** Whether an object can be of both types. Looks through those of the type that has fewer of them. */
function haveType(schema: GraphQLSchema, one: GraphQLCompositeType, other: GraphQLCompositeType): boolean {
  const isLarger = isAbstractType(one) && isAbstractType(other) && sizeOf(schema, one) > sizeOf(schema, other);
  return isLarger ? doTypesOverlap(schema, other, one) : doTypesOverlap(schema, one, other);
}

const sizeOf = (schema: GraphQLSchema, type: GraphQLAbstractType) => schema.getPossibleTypes(type).length;
