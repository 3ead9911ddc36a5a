import { memoize1 } from '@graphql-tools/utils';
import {
  type DocumentNode,
  getDirectiveValues,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { isObject } from '../../src/formats/decode.ts';

type Path = readonly (string | number)[];

/** An answer as a caller reads it. */
interface Answer {
  readonly data: unknown;
  readonly errors: readonly { readonly path?: Path }[];
}

/** Where an answer has a value, and where a null without an error, although the schema says that such a null has one. */
export interface Findings {
  /** Positions as `Type.field@level`. */
  readonly filled: Set<string>;
  /** The same of nulls that have an error. */
  readonly failed: Set<string>;
  /** Positions with the path in the answer. */
  readonly unexplained: string[];
}

/** The levels at which a field of a printed schema is null beside an error only. */
function levelsOf(schema: GraphQLSchema, type: string, field: string): readonly unknown[] {
  const directive = schema.getDirective('semanticNonNull');
  const parent = schema.getType(type);
  const node = isObjectType(parent) ? parent.getFields()[field]?.astNode : undefined;
  const levels = directive && node ? getDirectiveValues(directive, node)?.['levels'] : undefined;
  return Array.isArray(levels) ? levels : [];
}

/** All positions of a printed schema that are null beside an error only. */
export const semanticPositions = memoize1((schema: GraphQLSchema): ReadonlySet<string> => {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  return new Set(
    types.flatMap((type) =>
      Object.keys(type.getFields()).flatMap((field) =>
        levelsOf(schema, type.name, field).map((level) => `${type.name}.${field}@${String(level)}`),
      ),
    ),
  );
});

/** An operation that also selects the type of each object: a reader of the answer needs it. */
export function withTypeNames(query: string): string {
  const typeName = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;
  return print(
    visit(parse(query), {
      SelectionSet: (set, _key, parent) =>
        parent && 'operation' in parent ? undefined : { ...set, selections: [...set.selections, typeName] },
    }),
  );
}

/** Reads an answer to an operation of `withTypeNames`, and adds to the findings. */
export function findNulls(schema: GraphQLSchema, query: string, { data, errors }: Answer, findings: Findings): void {
  const document = parse(query);
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const root = operation && schema.getRootType(operation.operation);
  if (root && isObject(data)) new Reader(schema, document, errors, findings).readObject(data, operation, root.name, []);
}

class Reader {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;
  readonly #errors: Answer['errors'];
  readonly #findings: Findings;

  constructor(schema: GraphQLSchema, document: DocumentNode, errors: Answer['errors'], findings: Findings) {
    this.#schema = schema;
    this.#document = document;
    this.#errors = errors;
    this.#findings = findings;
  }

  readObject(
    object: Readonly<Record<string, unknown>>,
    { selectionSet }: Pick<OperationDefinitionNode, 'selectionSet'>,
    typeName: string,
    path: Path,
  ): void {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const parent = this.#schema.getType(typeName);
        const field = isObjectType(parent) ? parent.getFields()[selection.name.value] : undefined;
        if (!field || !Object.hasOwn(object, key)) continue;
        const position = { typeName, field: field.name, level: 0, selectionSet: selection.selectionSet };
        this.#read(object[key], field.type, position, [...path, key]);
      } else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragment(selection.name.value);
        if (this.#applies(fragment.typeCondition?.name.value, typeName))
          this.readObject(object, fragment, typeName, path);
      }
    }
  }

  #read(value: unknown, type: GraphQLOutputType, at: Position, path: Path): void {
    if (isNonNullType(type)) return this.#read(value, type.ofType, at, path);
    const position = `${at.typeName}.${at.field}@${at.level}`;
    if (semanticPositions(this.#schema).has(position)) {
      if (value !== null) this.#findings.filled.add(position);
      else if (this.#errors.some((error) => meet(error.path ?? [], path))) this.#findings.failed.add(position);
      else this.#findings.unexplained.push(`${position} at ${path.join('.')}`);
    }
    if (isListType(type) && Array.isArray(value)) {
      const items = { ...at, level: at.level + 1 };
      for (const [index, item] of value.entries()) this.#read(item, type.ofType, items, [...path, index]);
    } else if (isCompositeType(type) && at.selectionSet && isObject(value)) {
      this.readObject(value, { selectionSet: at.selectionSet }, String(value['__typename']), path);
    }
    return undefined;
  }

  #fragment(name: string) {
    for (const node of this.#document.definitions)
      if (node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name) return node;
    throw new Error(`There is no fragment ${name}.`);
  }

  #applies(condition: string | undefined, typeName: string): boolean {
    if (condition === undefined || condition === typeName) return true;
    const [abstract, type] = [this.#schema.getType(condition), this.#schema.getType(typeName)];
    return isAbstractType(abstract) && isObjectType(type) && this.#schema.isSubType(abstract, type);
  }
}

interface Position {
  readonly typeName: string;
  readonly field: string;
  readonly level: number;
  readonly selectionSet: SelectionSetNode | undefined;
}

/** Whether a path is at, above or below another one: a null below may have come up through fields that cannot be null. */
function meet(one: Path, other: Path): boolean {
  return one.slice(0, other.length).every((key, at) => key === other[at]);
}
