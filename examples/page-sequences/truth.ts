// What the gateway says now, asked without a kit: one document for all queries of a page.
import { Kind, type NameNode, parse, print, type VariableNode, visit } from 'graphql';
import type { PageQuery, Variables } from './kit.ts';

/** A query of a page. Each is there once at most. */
export interface Shown {
  readonly query: PageQuery;
  readonly variables: Variables;
  /** Undefined where it is stale. */
  readonly data: unknown;
}

/** The document of a query as a gateway takes it. */
export const textOf = ({ text }: PageQuery): string => text.replace('@page', '');

/** A query as a part of the document. Its text does not depend on what is shown, so that it is parsed and validated once. */
interface Part {
  readonly declared: string;
  readonly selected: string;
  /** Name of its root field, of which it has one. */
  readonly root: string;
  /** Rows of its first page, where the document of the query has their number. */
  readonly first: number;
}

const parts = new Map<string, Part>();

/** One document with the fields of all queries that are not stale, each of which has as many rows as are shown. */
export function truthOf(page: readonly Shown[]): { query: string; variables: Variables } {
  const variables: Record<string, unknown> = {};
  const all = page.map(({ query, variables: own, data }) => {
    const part = parts.get(query.name) ?? partFor(query);
    parts.set(query.name, part);
    const rows = listOf(query, data)?.edges?.length ?? 0;
    const first = Number(own['first'] ?? part.first);
    const given = { ...own, ...(first > 0 && { first: Math.max(first, rows) }), isShown: data !== undefined };
    for (const [name, value] of Object.entries(given)) variables[`${query.name}_${name}`] = value;
    return part;
  });
  const declared = all.map((part) => part.declared).join(' ');
  return { query: `query (${declared}) { ${all.map(({ selected }) => selected).join(' ')} }`, variables };
}

function partFor({ name, text }: PageQuery): Part {
  let first = 0;
  const document = visit(parse(text), {
    VariableDefinition: (node) => (node.variable.name.value === 'after' ? null : undefined),
    Variable: (node) => variable(`${name}_${node.name.value}`),
    Field: (node) => {
      if (!node.directives?.some((one) => one.name.value === 'page')) return undefined;
      const args = (node.arguments ?? []).filter((one) => one.name.value !== 'after');
      const literal = args.find((one) => one.name.value === 'first' && one.value.kind === Kind.INT);
      if (literal?.value.kind !== Kind.INT) return { ...node, arguments: args, directives: [] };
      first = Number(literal.value.value);
      const others = args.filter((one) => one !== literal);
      return { ...node, arguments: [...others, { ...literal, value: variable('first') }], directives: [] };
    },
  });
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${name} is no operation.`);
  const [root] = operation.selectionSet.selections;
  if (root?.kind !== Kind.FIELD) throw new Error(`${name} has to have one root field.`);
  const declared = [...(operation.variableDefinitions ?? []).map(print), `$${name}_isShown: Boolean!`];
  if (first > 0) declared.push(`$${name}_first: Int`);
  const selected = `... @include(if: $${name}_isShown) { ${print({ ...root, alias: nameOf(name) })} }`;
  return { declared: declared.join(' '), selected, root: root.name.value, first };
}

const nameOf = (value: string): NameNode => ({ kind: Kind.NAME, value });
const variable = (name: string): VariableNode => ({ kind: Kind.VARIABLE, name: nameOf(name) });

/** What the answer says to one query. */
export function answerTo({ name }: PageQuery, data: Variables): unknown {
  return { [parts.get(name)?.root ?? '']: data[name] };
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
