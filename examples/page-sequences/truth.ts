// What the gateway says now, asked without a kit: one document for all queries of a page.
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  OperationTypeNode,
  parse,
  print,
  visit,
} from 'graphql';
import type { PageQuery, Variables } from './kit.ts';

export interface Shown {
  readonly query: PageQuery;
  readonly variables: Variables;
  /** How many rows of its list it shows. */
  readonly rows: number;
}

const documents = new Map<string, DocumentNode>();

function documentOf({ text }: PageQuery): DocumentNode {
  const document = documents.get(text) ?? parse(text);
  documents.set(text, document);
  return document;
}

/** The document of a query as a gateway takes it. */
export const textOf = ({ text }: PageQuery): string => text.replace('@page', '');

/** One document with the fields of all queries, each of which has as many rows as are shown. */
export function truthOf(shown: readonly Shown[]): { query: string; variables: Variables } {
  const variables: Record<string, unknown> = {};
  const parts = shown.map(({ query, variables: own, rows }, index) => {
    const prefix = `q${index}_`;
    for (const [name, value] of Object.entries(own)) variables[prefix + name] = value;
    if (query.list && 'first' in own) variables[`${prefix}first`] = Math.max(rows, Number(own['first']));
    return renamed(documentOf(query), prefix, rows);
  });
  const operations = parts.flatMap(({ definitions }) =>
    definitions.flatMap((one) => ('selectionSet' in one ? one : [])),
  );
  const [first] = operations;
  if (!first) return { query: '{ __typename }', variables };
  const operation = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: operations.flatMap((one) =>
      'variableDefinitions' in one ? (one.variableDefinitions ?? []) : [],
    ),
    selectionSet: { ...first.selectionSet, selections: operations.flatMap((one) => one.selectionSet.selections) },
  } as const;
  return { query: print(operation), variables };
}

/** @param rows at least so many of the list with `@page`, where their number is no variable */
function renamed(document: DocumentNode, prefix: string, rows: number): DocumentNode {
  return visit(document, {
    OperationDefinition: {
      leave: (node) => ({
        ...node,
        selectionSet: {
          ...node.selectionSet,
          selections: node.selectionSet.selections.map((one) =>
            one.kind === Kind.FIELD
              ? { ...one, alias: { kind: Kind.NAME, value: prefix + (one.alias ?? one.name).value } }
              : one,
          ),
        },
      }),
    },
    VariableDefinition: (node) => (node.variable.name.value === 'after' ? null : undefined),
    Variable: (node) => ({ ...node, name: { ...node.name, value: prefix + node.name.value } }),
    Field: (node) => (node.directives?.some(({ name }) => name.value === 'page') ? unpaged(node, rows) : undefined),
  });
}

function unpaged(node: FieldNode, rows: number): FieldNode {
  const args = (node.arguments ?? []).filter(({ name }) => name.value !== 'after');
  const first = args.find(({ name }) => name.value === 'first');
  const own = first?.value.kind === Kind.INT ? Number(first.value.value) : rows;
  const most: ArgumentNode = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: 'first' },
    value: { kind: Kind.INT, value: String(Math.max(own, rows)) },
  };
  return { ...node, arguments: rows > own ? [...args.filter((one) => one !== first), most] : args, directives: [] };
}

/** The part of the answer that is of one query. */
export function partOf(data: Readonly<Record<string, unknown>>, index: number): unknown {
  const prefix = `q${index}_`;
  const own = Object.entries(data).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Not what a user sees: cursors, and what client libraries add. */
const hidden = new Set(['__typename', 'cursor', 'endCursor', '__id', '__fragments']);

/** Data in a form that can be compared. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !hidden.has(name));
  return Object.fromEntries(members.map(([name, member]): [string, unknown] => [name, plain(member)]).toSorted());
}

interface List {
  readonly edges?: readonly unknown[] | null;
  readonly pageInfo?: { readonly hasNextPage?: boolean; readonly endCursor?: string | null };
}

/** The list of a query in its data. Undefined where it is not there. */
export function listOf({ list = [] }: PageQuery, data: unknown): List | undefined {
  let value = data;
  for (const name of list) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return list.length > 0 && typeof value === 'object' && value !== null ? value : undefined;
}
